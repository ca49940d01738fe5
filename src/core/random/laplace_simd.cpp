#include "core/random/laplace_simd.h"

#include <cmath>
#include <cstring>

#include "core/numeric/kernel_widths.h"
#include "core/random/neg_log.h"

namespace dp {
namespace {

#define DP_KERNEL "core/random/laplace_simd.inc"
#define DP_KERNEL_NAMESPACE laplace_widths
#include "core/numeric/kernel_widths.inc"

struct Kernels {
  void (*laplace)(const LaplaceLanes&, double, const std::uint64_t*, std::int64_t*, std::size_t);
  void (*join)(unsigned, const std::uint64_t*, const std::uint64_t*, std::int64_t*, std::size_t);
};

Kernels kernels() {
  using namespace laplace_widths;  // NOLINT
  return of_width<Kernels>(instruction_set(),
                           {{{portable::laplace, portable::join},
                             {avx2::laplace, avx2::join},
                             {avx512::laplace, avx512::join}}});
}

double slack() { return std::ldexp(static_cast<double>(certified_slack), -57); }

}  // namespace

void laplace_lanes(const LaplaceLanes& law,
                   const std::uint64_t* words,
                   std::int64_t* drawn,
                   std::size_t size) {
  kernels().laplace(law, law.scale * (0x1p-40 + slack()), words, drawn, size);
}

void join_lanes(unsigned remainder_bits,
                const std::uint64_t* words,
                const std::uint64_t* remainder_words,
                std::int64_t* drawn,
                std::size_t size) {
  kernels().join(remainder_bits, words, remainder_words, drawn, size);
}

}  // namespace dp

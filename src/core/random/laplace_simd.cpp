#include "core/random/laplace_simd.h"

#include <cmath>
#include <cstring>

#include "core/numeric/instruction_set.h"
#include "core/random/neg_log.h"

#if defined(__x86_64__) || defined(__i386__)
#define DP_LANES_X86
#endif

namespace dp {
namespace {

namespace portable {
#define DP_LANE_BYTES 16
#define DP_LANE_TARGET
#include "core/random/laplace_simd.inc"
}  // namespace portable

#ifdef DP_LANES_X86
namespace avx2 {
#define DP_LANE_BYTES 32
#define DP_LANE_TARGET __attribute__((target("avx2,fma")))
#include "core/random/laplace_simd.inc"
}  // namespace avx2

namespace avx512 {
#define DP_LANE_BYTES 64
#define DP_LANE_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")))
#include "core/random/laplace_simd.inc"
}  // namespace avx512
#endif

struct Kernels {
  void (*laplace)(const LaplaceLanes&, double, const std::uint64_t*, std::int64_t*, std::size_t);
  void (*join)(unsigned, const std::uint64_t*, const std::uint64_t*, std::int64_t*, std::size_t);
};

Kernels kernels() {
#ifdef DP_LANES_X86
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return {avx512::laplace, avx512::join};
    case InstructionSet::avx2:
      return {avx2::laplace, avx2::join};
    case InstructionSet::portable:
      break;
  }
#endif
  return {portable::laplace, portable::join};
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

// Question: does the exact sum of clamped, imputed doubles run at the speed of memory?
//
//   impute_constant -> clamp -> lattice sum, as one chain, against a plain read pass (exclusive or
//   of all words) on as many threads, in the same run. Prints ns per element and the median of the
//   ratios of paired rounds.
//
//   lattice_sum_bench [rows] [rounds]
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/combinators/chain.h"
#include "core/engine/parallel.h"
#include "core/transformations/clamp.h"
#include "core/transformations/impute_constant.h"
#include "core/transformations/lattice_kernels.h"
#include "core/transformations/lattice_sum.h"

#if defined(__x86_64__)
#define DP_TARGET_AVX2 __attribute__((target("avx2")))
#else
#define DP_TARGET_AVX2
#endif

namespace {

using namespace dp;

constexpr std::size_t kChunk = std::size_t{1} << 17;

// As fast as this machine reads: 32 bytes at a time.
DP_TARGET_AVX2 std::uint64_t read_chunk(const double* rows, std::size_t size) {
  typedef std::uint64_t Word __attribute__((vector_size(32)));
  Word acc{};
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    Word now;
    std::memcpy(&now, rows + i, sizeof(now));
    acc ^= now;
  }
  return acc[0] ^ acc[1] ^ acc[2] ^ acc[3];
}

std::uint64_t read_pass(const double* rows, std::size_t size, std::size_t threads) {
  std::vector<std::uint64_t> parts((size + kChunk - 1) / kChunk);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    parts[i] = read_chunk(rows + i * kChunk, std::min(kChunk, size - i * kChunk));
  });
  std::uint64_t all = 0;
  for (const std::uint64_t part : parts) all ^= part;
  return all;
}

LatticeTotal kernel_pass(const LatticeKernels& kernels,
                         const LatticeRule& rule,
                         const double* rows,
                         std::size_t size,
                         std::size_t threads) {
  std::vector<LatticeTotal> parts((size + kChunk - 1) / kChunk);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    parts[i] = kernels.sum(rows + i * kChunk, std::min(kChunk, size - i * kChunk), rule);
  });
  LatticeTotal all{0, false};
  for (const LatticeTotal& part : parts) all.sum += part.sum;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const auto rows = std::make_shared<OwnedRows<double>>(AtomType::f64, size);
  std::uint64_t state = 1;  // test data, some of it missing or out of bounds
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    rows->cells()[i] = state >> 58 == 0 ? std::nan("") : static_cast<double>(state >> 40);
  }

  const double lower = 1000;
  const double upper = 15000000;
  const double fill = 50000;
  const Metric metric = symmetric_distance();
  const auto impute =
      make_impute_constant(vector_of(default_atom(AtomType::f64)), metric, Scalar(fill));
  const auto clamp = make_clamp(impute.output_domain(), metric, {Scalar(lower), Scalar(upper)});
  const auto sum = make_lattice_sum(clamp.output_domain(), metric);
  const auto chain = make_chain_tt(sum, make_chain_tt(clamp, impute));
  const LatticeRule rule{lower, upper, lattice_for(lower, upper).reciprocal(), fill};

  volatile std::uint64_t sink = 0;
  for (const std::size_t threads :
       {std::size_t{1}, std::size_t{std::thread::hardware_concurrency()}}) {
    set_thread_count(threads);
    std::vector<bench::Contender> contenders = {
        {"read pass", [&] { sink = read_pass(rows->cells(), size, threads); }, size},
        {"chain",
         [&] {
           sink = static_cast<std::uint64_t>(element_in<int128_t>(chain.invoke(RowsPtr(rows))));
         },
         size}};
    for (const LatticeKernels& kernels : available_lattice_kernels()) {
      contenders.push_back({kernels.name,
                            [&, kernels] {
                              sink = static_cast<std::uint64_t>(
                                  kernel_pass(kernels, rule, rows->cells(), size, threads).sum);
                            },
                            size});
    }
    bench::compare(std::to_string(size) + " rows, " + std::to_string(threads) + " thread(s)",
                   contenders,
                   rounds);
  }
}

// Question: do exact sums of clamped, imputed doubles, and of their squares, run at the speed of
// memory?
//
//   impute_constant -> clamp -> lattice sum, as one chain, and the kernels alone, against a plain
//   read pass (exclusive or of all words) on the same number of threads, in the same run. Prints
//   ns per element and the median of the ratios of paired rounds.
//
//   lattice_sum_bench [rows] [rounds]
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/combinators/chain.h"
#include "core/runtime/parallel.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/sums/lattice_kernels.h"
#include "core/transformations/sums/lattice_sum.h"

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

// The sum over all chunks of what `kernel` makes of one.
template <class Kernel>
std::uint64_t kernel_pass(Kernel kernel,
                          const LatticeRule& rule,
                          const double* rows,
                          std::size_t size,
                          std::size_t threads) {
  std::vector<std::uint64_t> parts((size + kChunk - 1) / kChunk);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    const auto part = kernel(rows + i * kChunk, std::min(kChunk, size - i * kChunk), rule);
    parts[i] = static_cast<std::uint64_t>(part.sum);
  });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const auto rows = std::make_shared<OwnedColumn<double>>(AtomType::f64, size);
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
           sink = static_cast<std::uint64_t>(element_in<int128_t>(chain.invoke(ColumnPtr(rows))));
         },
         size}};
    for (const LatticeKernels& kernels : available_lattice_kernels()) {
      const std::string name = kernels.name;
      contenders.push_back(
          {"sum, " + name,
           [&, kernels] { sink = kernel_pass(kernels.sum, rule, rows->cells(), size, threads); },
           size});
      contenders.push_back({"sum and sum of squares, " + name,
                            [&, kernels] {
                              sink =
                                  kernel_pass(kernels.moments, rule, rows->cells(), size, threads);
                            },
                            size});
    }
    const auto ratios =
        bench::compare(std::to_string(size) + " rows, " + std::to_string(threads) + " thread(s)",
                       contenders,
                       rounds);
    if (threads == 1) {
      const std::string rival = "reading the memory once, 1 thread";
      const std::string area = "clamped, imputed sum of 1e8 doubles, 1 thread";
      bench::print_target(area, rival, ratios[1], bench::at_most(1.4));
      bench::print_target(area + ", portable kernel", rival, ratios[2], bench::at_most(2));
      bench::print_target("sum and sum of squares in one pass, 1 thread",
                          rival,
                          ratios[contenders.size() - 1],
                          bench::at_most(1.5));
    } else {
      bench::print_target("clamped, imputed sum of 1e8 doubles, all cores",
                          "reading the memory once, all cores",
                          ratios[1],
                          bench::at_most(1.3));
    }
  }
}

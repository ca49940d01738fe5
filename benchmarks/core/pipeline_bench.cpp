// Question: what does a chain of four independent operators cost, next to a hand-written loop for
// the same chain, and next to a vector after each step?
//
//   scale -> impute_constant -> clamp -> lattice sum over doubles
//
//   pipeline_bench [rows] [rounds]
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/combinators/chain.h"
#include "core/runtime/parallel.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/row_wise.h"
#include "core/transformations/sums/lattice_sum.h"

#if defined(__x86_64__)
#define DP_TARGET_AVX2 __attribute__((target("avx2")))
#else
#define DP_TARGET_AVX2
#endif

namespace {

using namespace dp;

constexpr std::size_t kChunk = std::size_t{1} << 17;
constexpr double kScale = 1.5;
constexpr double kLower = 1000;
constexpr double kUpper = 15000000;
constexpr double kFill = 50000;
constexpr double kMagic = 0x1.8p52;  // adding it leaves the nearest integer in the low bits

// All four steps at once, 32 bytes at a time.
DP_TARGET_AVX2 std::uint64_t fused_chunk(const double* rows, std::size_t size, double reciprocal) {
  typedef double Lane __attribute__((vector_size(32)));
  typedef std::int64_t Word __attribute__((vector_size(32)));
  Word acc{};
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    Lane x;
    std::memcpy(&x, rows + i, sizeof(x));
    x = x * kScale;
    x = x != x ? Lane{kFill, kFill, kFill, kFill} : x;
    x = x < kLower ? Lane{kLower, kLower, kLower, kLower} : x;
    x = x > kUpper ? Lane{kUpper, kUpper, kUpper, kUpper} : x;
    acc += (Word)(x * reciprocal + kMagic);
  }
  Word magic = (Word)(Lane{kMagic, kMagic, kMagic, kMagic});
  acc -= magic * static_cast<std::int64_t>(size / 4);
  return static_cast<std::uint64_t>(acc[0] + acc[1] + acc[2] + acc[3]);
}

std::uint64_t fused_pass(const double* rows,
                         std::size_t size,
                         double reciprocal,
                         std::size_t threads) {
  std::vector<std::uint64_t> parts((size + kChunk - 1) / kChunk);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    parts[i] = fused_chunk(rows + i * kChunk, std::min(kChunk, size - i * kChunk), reciprocal);
  });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

// A new vector after each step, as R makes them.
std::uint64_t stepwise(const std::vector<double>& rows, double reciprocal) {
  const std::size_t size = rows.size();
  const auto step = [size](const std::vector<double>& in, auto&& f) {
    std::vector<double> out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = f(in[i]);
    return out;
  };
  const auto scaled = step(rows, [](double x) { return x * kScale; });
  const auto filled = step(scaled, [](double x) { return x == x ? x : kFill; });
  const auto raised = step(filled, [](double x) { return x < kLower ? kLower : x; });
  const auto clamped = step(raised, [](double x) { return x > kUpper ? kUpper : x; });
  std::uint64_t sum = 0;
  for (const double x : clamped) sum += static_cast<std::uint64_t>(std::llrint(x * reciprocal));
  return sum;
}

// A number of MiB that Linux knows of this process.
double status(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(field, 0) == 0) return std::atof(line.c_str() + field.size()) / 1024;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  auto owned = std::make_shared<OwnedColumn<double>>(AtomType::f64, size);
  std::uint64_t state = 1;  // test data, some of it missing or out of bounds
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    owned->cells()[i] = state >> 58 == 0 ? std::nan("") : static_cast<double>(state >> 40);
  }
  const ColumnPtr rows = owned;

  const Metric metric = symmetric_distance();
  const Domain doubles = vector_of(default_atom(AtomType::f64));
  const auto scale =
      make_row_wise(doubles,
                    metric,
                    default_atom(AtomType::f64),
                    row_map<double, double>(AtomType::f64, [](double x) { return x * kScale; }));
  const auto impute = make_impute_constant(doubles, metric, Scalar(kFill));
  const auto clamp = make_clamp(impute.output_domain(), metric, {Scalar(kLower), Scalar(kUpper)});
  const auto sum = make_lattice_sum(clamp.output_domain(), metric);
  const auto chain = make_chain_tt(sum, make_chain_tt(clamp, make_chain_tt(impute, scale)));
  const double reciprocal = lattice_for(kLower, kUpper).reciprocal();
  const auto sum_of_chain = [&] {
    return static_cast<std::uint64_t>(element_in<int128_t>(chain.invoke(rows)));
  };

  std::ofstream("/proc/self/clear_refs") << "5";  // from here on the peak counts anew
  const double before = status("VmRSS:");
  set_thread_count(std::thread::hardware_concurrency());
  volatile std::uint64_t sink = sum_of_chain();
  const double growth = status("VmHWM:") - before;
  if (sink != fused_pass(owned->cells(), size, reciprocal, 1)) {
    std::printf("the loop by hand does not compute what the chain does\n");
    return 1;
  }

  for (const std::size_t threads :
       {std::size_t{1}, std::size_t{std::thread::hardware_concurrency()}}) {
    set_thread_count(threads);
    const std::string with = threads == 1 ? "1 thread" : "all cores";
    const auto ratios =
        bench::compare(std::to_string(size) + " rows, " + with,
                       {{"fused by hand",
                         [&] { sink = fused_pass(owned->cells(), size, reciprocal, threads); },
                         size},
                        {"chain", [&] { sink = sum_of_chain(); }, size}},
                       rounds);
    bench::print_target("pipeline of four operators, " + with,
                        "the same loop fused by hand, " + with,
                        ratios[1],
                        bench::at_most(threads == 1 ? 1.6 : 1.4));
  }

  set_thread_count(1);
  const std::size_t fewer = std::min(size, std::size_t{20000000});
  const std::vector<double> some(owned->cells(), owned->cells() + fewer);
  const ColumnPtr some_rows = make_column(AtomType::f64, some);
  const auto ratios = bench::compare(
      std::to_string(fewer) + " rows, 1 thread",
      {{"chain", [&] { sink = element_in<int128_t>(chain.invoke(some_rows)) != 0; }, fewer},
       {"each step in a new vector", [&] { sink = stepwise(some, reciprocal); }, fewer}},
      std::min(rounds, 3));
  bench::print_target(
      "pipeline of four operators", "each step in a new vector", ratios[1], bench::at_least(15));
  bench::print_target(
      "pipeline of four operators, growth of memory", "the rows alone", growth, bench::at_most(64));
}

// Question: how much faster are the exact samplers than the plain rational algorithm of the same
// law, and how often do they need arbitrary precision?
//
//   Discrete Laplace and Gaussian draws, in bulk and one at a time with a fresh scale, against the
//   rejection samplers of Canonne, Kamath and Steinke (2020) in GMP's exact rationals, which use
//   the same bit source. Prints ns per draw and the median of the ratios of paired rounds.
//   The target is for the worst of all scales.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/core/compare.h"
#include "benchmarks/core/plain_sampler.h"
#include "core/numeric/instruction_set.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"
#include "core/random/lazy_uniform.h"
#include "core/runtime/parallel.h"

namespace {

using namespace dp;

constexpr std::size_t kBulk = 1000000;
constexpr std::size_t kFew = 2000;
constexpr int kRounds = 9;
constexpr const char* kRational = "rational rejection with GMP, the same bits";

// How many times faster than the rival.
struct Gain {
  double bulk = std::numeric_limits<double>::infinity();
  double single = std::numeric_limits<double>::infinity();

  void worst_with(const Gain& other) {
    bulk = std::min(bulk, other.bulk);
    single = std::min(single, other.single);
  }
};

template <class Sampler, class Plain>
Gain gain(const std::string& law, Plain plain, const Rational& scale) {
  const mpq_class rival_scale(scale.str());
  std::vector<std::int64_t> out(kBulk);
  volatile std::int64_t sink = 0;
  BitSource& bits = secure_bits();
  const Sampler sampler(scale);
  const auto ratios =
      bench::compare(law + ", scale " + scale.str(),
                     {{"in bulk", [&] { sampler.fill(out.data(), kBulk, bits); }, kBulk},
                      {"one by one, a fresh scale each",
                       [&] {
                         for (std::size_t i = 0; i < kFew; ++i) {
                           sink = sink + static_cast<std::int64_t>(Sampler(scale).draw(bits));
                         }
                       },
                       kFew},
                      {"plain rational rejection",
                       [&] {
                         for (std::size_t i = 0; i < kFew; ++i) {
                           sink = sink + plain(rival_scale, bits).get_si();
                         }
                       },
                       kFew}},
                     kRounds);
  return {ratios[2], ratios[2] / ratios[1]};
}

template <class Sampler, class Plain>
Gain worst_gain(const std::string& law, Plain plain) {
  Gain worst;
  for (const Rational& scale :
       {Rational(1), Rational(37, 10), Rational(1000), Rational(1000000), Rational(1 << 26)}) {
    worst.worst_with(gain<Sampler>(law, plain, scale));
  }
  return worst;
}

// Decisions of arbitrary precision for each draw, in bulk and one by one.
template <class Sampler>
double decided_share(const Rational& scale) {
  constexpr std::size_t kDraws = 10000000;
  const Sampler sampler(scale);
  std::vector<std::int64_t> out(kDraws / 2);
  const std::uint64_t before = arbitrary_precision_decisions;
  sampler.fill(out.data(), out.size(), secure_bits());
  for (std::int64_t& x : out) x = sampler.draw_int64(secure_bits());
  return static_cast<double>(arbitrary_precision_decisions - before) / kDraws;
}

double worst_decided_share(const Rational& scale) {
  return std::max(decided_share<DiscreteLaplace>(scale), decided_share<DiscreteGaussian>(scale));
}

// How many times longer one thread takes than four for the same draws.
double gain_of_threads() {
  constexpr std::size_t kChunks = 64;
  const DiscreteGaussian sampler(Rational(1000));
  std::vector<std::int64_t> out(kChunks * kBulk / 4);
  const auto draw = [&](std::size_t threads) {
    parallel_for(kChunks, threads, [&](std::size_t chunk) {
      const std::size_t size = out.size() / kChunks;
      sampler.fill(out.data() + chunk * size, size, secure_bits());
    });
  };
  const auto ratios = bench::compare(
      "discrete Gaussian in bulk, scale 1000, on several threads",
      {{"4 threads", [&] { draw(4); }, out.size()}, {"1 thread", [&] { draw(1); }, out.size()}},
      kRounds);
  return ratios[1];
}

}  // namespace

int main() {
  const Gain laplace = worst_gain<DiscreteLaplace>("discrete Laplace", bench::discrete_laplace);
  const Gain gaussian = worst_gain<DiscreteGaussian>("discrete Gaussian", bench::discrete_gaussian);
  force_instruction_set(InstructionSet::portable);
  const Gain portable =
      worst_gain<DiscreteLaplace>("discrete Laplace, portable", bench::discrete_laplace);
  force_instruction_set(available_instruction_sets().back());

  const auto faster = [](const std::string& area, double times, double target) {
    bench::print_target(area, kRational, times, bench::at_least(target));
  };
  faster("discrete Laplace in bulk", laplace.bulk, 300);
  faster("discrete Laplace in bulk, portable", portable.bulk, 150);
  faster("discrete Gaussian in bulk", gaussian.bulk, 300);
  faster("one discrete Laplace draw with a fresh scale", laplace.single, 25);
  faster("one discrete Gaussian draw with a fresh scale", gaussian.single, 25);

  const auto seldom = [](const std::string& scale, double share, double target) {
    bench::print_target("draws decided by arbitrary precision, scale " + scale,
                        "all draws",
                        share,
                        bench::at_most(target));
  };
  seldom("2^20", worst_decided_share(Rational(1 << 20)), 1e-6);
  seldom("2^45", worst_decided_share(Rational(Integer(1) << 45)), 1e-3);
  bench::print_target(
      "noise on 4 threads", "noise on 1 thread", gain_of_threads(), bench::at_least(2.2));
}

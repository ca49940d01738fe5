// Question: how much faster are the exact samplers than the plain rational algorithm of the same
// law?
//
//   Discrete Laplace and Gaussian draws, in bulk and one at a time with a fresh scale, against the
//   rejection samplers of Canonne, Kamath and Steinke (2020) in GMP's exact rationals, which use
//   the same bit source. Prints ns per draw and the median of the ratios of paired rounds.
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/core/compare.h"
#include "benchmarks/core/plain_sampler.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"

namespace {

using namespace dp;

constexpr std::size_t kBulk = 1000000;
constexpr std::size_t kFew = 2000;

template <class Sampler, class Plain>
void run(const std::string& law, Plain plain, const Rational& scale) {
  const mpq_class rival_scale(scale.str());
  static std::vector<std::int64_t> out(kBulk);
  volatile std::int64_t sink = 0;
  BitSource& bits = secure_bits();
  const Sampler sampler(scale);
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
                 9);
}

}  // namespace

int main() {
  for (const Rational& scale :
       {Rational(1), Rational(37, 10), Rational(1000), Rational(1000000), Rational(1 << 26)}) {
    run<DiscreteLaplace>("discrete Laplace", bench::discrete_laplace, scale);
    run<DiscreteGaussian>("discrete Gaussian", bench::discrete_gaussian, scale);
  }
}

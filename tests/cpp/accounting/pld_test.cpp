#include "core/accounting/pld.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <functional>
#include <map>

#include "core/measurements/noise_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/measures/profile_loss_law.h"
#include "core/numeric/rational.h"
#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"

namespace dp::test::pld_test {
namespace {

using Exact = std::function<Wide(const Wide& epsilon)>;

LossPair repeated(LossPair pair, std::uint64_t times) {
  pair.times = times;
  return pair;
}

// Smallest and largest excess of a claim over the truth, relative to the truth.
struct Excess {
  double least;
  double most;
};
Excess excess(const PrivacyProfile& claim, const Exact& truth, std::vector<double> epsilons) {
  Excess found{kInf, -kInf};
  for (double epsilon : epsilons) {
    const auto over = static_cast<double>(Wide(claim.delta(epsilon) / truth(epsilon) - 1));
    found = {std::min(found.least, over), std::max(found.most, over)};
  }
  return found;
}

std::vector<double> range(double from, double to, int count) {
  std::vector<double> points;
  for (int i = 0; i <= count; ++i) points.push_back(from + (to - from) * i / count);
  return points;
}

Wide normal_below(const Wide& x) { return boost::math::erfc(Wide(-x / sqrt(Wide(2)))) / 2; }

// Balle and Wang (2018), "Improving the Gaussian Mechanism for Differential Privacy", Theorem 8.
Exact gaussian_delta(double shift, std::uint64_t times) {
  const Wide total = Wide(shift) * sqrt(Wide(times));
  return [total](const Wide& epsilon) -> Wide {
    return normal_below(total / 2 - epsilon / total) -
           exp(epsilon) * normal_below(-total / 2 - epsilon / total);
  };
}

LossPair gaussian_pair(double shift, std::uint64_t times) {
  const Rational fine = power_of_two(1074);
  return repeated(gaussian_shift_loss(fine, 1)(exact_rational(shift) * fine), times);
}

TEST(Pld, AThousandGaussianReleasesAreWithinTenThousandthsOfTheClosedForm) {
  for (double shift : {0.001, 0.03125, 1.0}) {
    const PrivacyProfile profile = compose_loss_pairs({gaussian_pair(shift, 1000)});
    const double total = shift * std::sqrt(1000.0);
    const std::vector<double> epsilons =
        range(std::max(0.0, total * total / 2 - 2 * total), total * total / 2 + 9.5 * total, 60);
    const Excess off = excess(profile, gaussian_delta(shift, 1000), epsilons);
    EXPECT_GE(off.least, 0) << shift;
    EXPECT_LE(off.most, 1e-4) << shift;
  }
}

TEST(Pld, GaussianReleasesOfDifferentScalesAddInSquares) {
  const PrivacyProfile profile = compose_loss_pairs(
      {gaussian_pair(0.25, 64), gaussian_pair(0.125, 320), gaussian_pair(0.5, 4)});
  const Exact truth = gaussian_delta(std::sqrt(64 / 16.0 + 320 / 64.0 + 4 / 4.0), 1);
  const Excess off = excess(profile, truth, range(0, 40, 50));
  EXPECT_GE(off.least, 0);
  EXPECT_LE(off.most, 1e-4);
}

TEST(Pld, TwoReleasesNeedNoTransform) {
  const PrivacyProfile profile =
      compose_loss_pairs({gaussian_pair(0.25, 1), gaussian_pair(0.5, 1)});
  const Excess off = excess(profile, gaussian_delta(std::sqrt(0.3125), 1), range(0, 8, 40));
  EXPECT_LT(static_cast<double>(gaussian_delta(std::sqrt(0.3125), 1)(8)), 1e-40);
  EXPECT_GE(off.least, 0);
  EXPECT_LE(off.most, 1e-4);
}

TEST(Pld, EqualReleasesMayBeListedApart) {
  const LossPair laplace = laplace_shift_loss(8, 1)(1);
  const PrivacyProfile together =
      compose_loss_pairs({gaussian_pair(0.25, 60), repeated(laplace, 9)});
  const PrivacyProfile apart = compose_loss_pairs({gaussian_pair(0.25, 20),
                                                   repeated(laplace, 4),
                                                   gaussian_pair(0.25, 40),
                                                   repeated(laplace_shift_loss(8, 1)(1), 5)});
  for (double epsilon : range(0, 12, 24)) {
    EXPECT_NEAR(apart.delta(epsilon) / together.delta(epsilon), 1, 1e-14) << epsilon;
  }
}

TEST(Pld, LawsAreEqualOnlyIfTheyAreTheSameOnEveryGrid) {
  const auto laws = [] {
    return std::vector<LossLawPtr>{
        gaussian_pair(0.25, 1).forward,
        gaussian_pair(0.5, 1).forward,
        gaussian_shift_loss(8, 1)(1).forward,
        gaussian_shift_loss(8, 1)(2).forward,
        laplace_shift_loss(8, 1)(1).forward,
        laplace_shift_loss(8, 1)(2).forward,
        laplace_shift_loss(9, 1)(1).forward,
        approximate_dp_pair(Epsilon(1), Delta(0)).forward,
        approximate_dp_pair(Epsilon(1), Delta(0.125)).forward,
        profile_loss_pair(PrivacyProfile([](double x) { return std::exp(-x) / 2; })).forward,
        profile_loss_pair(PrivacyProfile([](double x) { return std::exp(-x) / 4; })).forward,
    };
  };
  const std::vector<LossLawPtr> first = laws();
  const std::vector<LossLawPtr> second = laws();
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      EXPECT_EQ(first[i]->equals(*second[j]), i == j) << i << ' ' << j;
    }
  }
}

TEST(Pld, AMillionReleasesKeepTheirPrecision) {
  const double shift = 0x1p-10;
  const PrivacyProfile profile = compose_loss_pairs({gaussian_pair(shift, 1000000)});
  const Exact truth = gaussian_delta(shift, 1000000);
  const Excess off = excess(profile, truth, range(0, 9, 40));
  EXPECT_GE(off.least, 0);
  EXPECT_LE(off.most, 1e-3);
}

TEST(Pld, FarTailsAreResolvedByTilting) {
  const PrivacyProfile profile = compose_loss_pairs({gaussian_pair(0.1, 100)});
  const Excess off = excess(profile, gaussian_delta(0.1, 100), range(9, 16, 20));
  EXPECT_LT(static_cast<double>(gaussian_delta(0.1, 100)(16)), 1e-50);
  EXPECT_GE(off.least, 0);
  EXPECT_LE(off.most, 1e-3);
}

// Law on integer multiples of a unit loss, and its powers by direct convolution.
using UnitLaw = std::map<long, Wide>;

UnitLaw power(const UnitLaw& law, std::uint64_t times) {
  UnitLaw sum{{0, Wide(1)}};
  for (std::uint64_t k = 0; k < times; ++k) {
    UnitLaw next;
    for (const auto& [a, p] : sum) {
      for (const auto& [b, q] : law) next[a + b] += p * q;
    }
    sum = std::move(next);
  }
  return sum;
}

Exact delta_of(const UnitLaw& law, const Wide& unit) {
  return [=](const Wide& epsilon) {
    Wide delta = 0;
    for (const auto& [count, mass] : law) {
      if (count * unit > epsilon) delta += mass * (1 - exp(epsilon - count * unit));
    }
    return delta;
  };
}

// Discrete Laplace of scale b and shift d: the loss is (|z - d| - |z|) / b.
UnitLaw laplace_units(long shift, const Wide& scale) {
  const Wide t = exp(-1 / scale);
  UnitLaw law;
  law[shift] = 1 / (1 + t);
  for (long z = 1; z < shift; ++z) law[shift - 2 * z] += (1 - t) / (1 + t) * pow(t, z);
  law[-shift] += pow(t, shift) / (1 + t);
  return law;
}

TEST(Pld, LaplaceReleasesAreThoseOfTheConvolutionByHand) {
  for (std::uint64_t times : {1u, 2u, 7u, 40u}) {
    for (long shift : {1L, 3L}) {
      const Exact truth = delta_of(power(laplace_units(shift, 4), times), Wide(0.25));
      const PrivacyProfile profile =
          compose_loss_pairs({repeated(laplace_shift_loss(4, 1)(shift), times)});
      const double most = 0.25 * static_cast<double>(shift * static_cast<long>(times));
      const Excess off = excess(profile, truth, range(0, most * 0.9, 41));
      EXPECT_GE(off.least, 0) << times << ' ' << shift;
      EXPECT_LE(off.most, 2e-3) << times << ' ' << shift;
      EXPECT_EQ(profile.delta(most + 1e-3), 0) << "no more can be lost than all at once";
    }
  }
}

TEST(Pld, RandomizedResponseIsBinomial) {
  const Rational truth(3, 4);
  const LossPair pair = finite_loss_pair({{truth, 1 - truth}, {1 - truth, truth}});
  EXPECT_EQ(pair.forward, pair.backward) << "both directions are one";
  for (std::uint64_t times : {1u, 10u, 100u, 500u}) {
    const UnitLaw law = power({{1, Wide(0.75)}, {-1, Wide(0.25)}}, times);
    const double unit = std::log(3);
    const double n = static_cast<double>(times);
    const double end = std::min(n * 0.9, n / 2 + 9 * std::sqrt(n)) * unit;
    const Excess off = excess(compose_loss_pairs({repeated(pair, times)}),
                              delta_of(law, log(Wide(3))),
                              range(0, end, 53));
    EXPECT_GE(off.least, 0) << times;
    EXPECT_LE(off.most, 1e-2) << times;
  }
}

TEST(Pld, HundredsOfMixedReleasesAreAboveTheirExactLaw) {
  const Rational truth(5, 8);
  const LossPair response = finite_loss_pair({{truth, 1 - truth}, {1 - truth, truth}});
  const PrivacyProfile profile = compose_loss_pairs(
      {repeated(laplace_shift_loss(8, 1)(1), 40), repeated(response, 10), gaussian_pair(0.1, 200)});
  // Law of the discrete part. Between its atoms, a normal loss spreads it.
  const UnitLaw laplace = power(laplace_units(1, 8), 40);
  const UnitLaw coins = power({{1, Wide(0.625)}, {-1, Wide(0.375)}}, 10);
  const Exact normal = gaussian_delta(0.1, 200);
  const Exact truly = [&](const Wide& epsilon) {
    Wide delta = 0;
    for (const auto& [a, p] : laplace) {
      for (const auto& [b, q] : coins) {
        const Wide rest = epsilon - a * Wide(0.125) - b * log(Wide(5) / 3);
        delta += p * q * normal(rest);
      }
    }
    return delta;
  };
  const Excess off = excess(profile, truly, {0, 2, 6});
  EXPECT_GE(off.least, 0);
  EXPECT_LE(off.most, 1e-4);
}

// P has an outcome that is impossible under Q, so (P, Q) loses more at large epsilon. Q has an
// outcome that is much likelier than under P, so (Q, P) loses more at small epsilon.
const std::vector<OutcomePair> kLopsided = {
    {Rational(1, 100), 0}, {Rational(1, 20), Rational(1, 4)}, {Rational(94, 100), Rational(3, 4)}};

Wide lopsided_delta(bool backward, std::uint64_t times, const Wide& epsilon) {
  // All sequences of outcomes, grouped by their counts.
  Wide delta = 0;
  std::function<void(std::size_t, std::uint64_t, Wide, Wide)> visit =
      [&](std::size_t outcome, std::uint64_t left, Wide p, Wide q) {
        if (outcome == kLopsided.size()) {
          if (left == 0) delta += std::max(Wide(p - exp(epsilon) * q), Wide(0));
          return;
        }
        Rational a = kLopsided[outcome].p;
        Rational b = kLopsided[outcome].q;
        if (backward) std::swap(a, b);
        Wide ways = 1;
        for (std::uint64_t k = 0; k <= left; ++k) {
          const Wide factor_p = pow(Wide(to_double_nearest(a)), static_cast<int>(k));
          const Wide factor_q = pow(Wide(to_double_nearest(b)), static_cast<int>(k));
          visit(outcome + 1, left - k, p * ways * factor_p, q * ways * factor_q);
          ways = ways * Wide(left - k) / Wide(k + 1);
        }
      };
  visit(0, times, 1, 1);
  return delta;
}

// Whether a profile bounds the truth in both directions, and the second direction to within 1e-15.
bool covers_lopsided(const std::function<PrivacyProfile(const LossPair&)>& compose) {
  for (std::uint64_t times : {1u, 3u, 6u}) {
    const PrivacyProfile profile = compose(finite_loss_pair(kLopsided, times));
    for (double epsilon : range(0, 6, 24)) {
      for (bool backward : {false, true}) {
        if (profile.delta(epsilon) < lopsided_delta(backward, times, epsilon) - 1e-15) return false;
      }
    }
  }
  return true;
}

// Mutant: a law on the grid of `step` with an error.
class Mistaken final : public LossLaw {
 public:
  Mistaken(LossLawPtr law, std::function<void(const LossGrid&, LossGrid&)> copy)
      : law_(std::move(law)), copy_(std::move(copy)) {}
  LossExtent extent() const override { return law_->extent(); }
  double most() const override { return law_->most(); }
  void add_to(LossGrid& grid) const override {
    LossGrid right(grid.step(), extent().reach);
    law_->add_to(right);
    copy_(right, grid);
  }

 private:
  LossLawPtr law_;
  std::function<void(const LossGrid&, LossGrid&)> copy_;
};

TEST(Pld, BothDirectionsCountAndMistakesAreFound) {
  EXPECT_TRUE(covers_lopsided([](const LossPair& pair) { return compose_loss_pairs({pair}); }));
  EXPECT_FALSE(covers_lopsided([](const LossPair& pair) {
    return compose_loss_pairs({{pair.forward, pair.forward, pair.times}});
  })) << "one direction only";
  EXPECT_FALSE(covers_lopsided([](const LossPair& pair) {
    return compose_loss_pairs({{pair.backward, pair.backward, pair.times}});
  })) << "the other only";
  const auto mistaken = [](auto copy) {
    return [copy](const LossPair& pair) {
      return compose_loss_pairs({{std::make_shared<Mistaken>(pair.forward, copy),
                                  std::make_shared<Mistaken>(pair.backward, copy),
                                  pair.times}});
    };
  };
  const auto copied = [](double masses, double infinite, double steps) {
    return [=](const LossGrid& from, LossGrid& to) {
      for (std::size_t i = 0; i < from.masses().size(); ++i) {
        const auto point = static_cast<double>(from.first() + static_cast<std::int64_t>(i));
        to.add(from.masses()[i] * masses, (point + steps) * from.step());
      }
      to.add(from.infinite() * infinite, kInf);
    };
  };
  EXPECT_TRUE(covers_lopsided(mistaken(copied(1, 1, 0))));
  EXPECT_FALSE(covers_lopsided(mistaken(copied(1, 0, 0)))) << "truncated mass is lost";
  EXPECT_FALSE(covers_lopsided(mistaken(copied(1, 1, -1)))) << "losses rounded down";
  EXPECT_FALSE(covers_lopsided(mistaken(copied(1 - 1e-6, 1, 0)))) << "masses rounded down";
}

TEST(Pld, AnyStepIsSoundAndAFinerOneTighter) {
  const Exact truth = gaussian_delta(0.5, 30);
  double before = kInf;
  for (double step : {4.0, 1.0, 0.3, 0.0625, 0.01}) {
    const PrivacyProfile profile = compose_loss_pairs({gaussian_pair(0.5, 30)}, step);
    const Excess off = excess(profile, truth, range(0, 16, 33));
    EXPECT_GE(off.least, 0) << step;
    EXPECT_LT(off.most, before) << step;
    before = off.most;
  }
  EXPECT_LT(before, 1e-2);
}

TEST(Pld, ProfilesDoNotRiseAndBracketTheirInverse) {
  const PrivacyProfile profile =
      compose_loss_pairs({gaussian_pair(0.2, 50), repeated(laplace_shift_loss(5, 1)(1), 20)});
  double before = 1;
  for (double epsilon : range(0, 12, 4001)) {
    const double delta = profile.delta(epsilon);
    EXPECT_LE(delta, before) << epsilon;
    before = delta;
  }
  for (double delta : {0.3, 1e-3, 1e-9, 1e-15}) {
    const double epsilon = profile.epsilon(delta);
    EXPECT_LE(profile.delta(epsilon), delta);
    EXPECT_GT(profile.delta(epsilon * (1 - 1e-6)), delta);
  }
}

TEST(Pld, EndsAreTrivial) {
  const auto at = [](const std::vector<LossPair>& pairs, double epsilon) {
    return compose_loss_pairs(pairs).delta(epsilon);
  };
  EXPECT_EQ(at({}, 0), 0);
  EXPECT_EQ(at({finite_loss_pair({{1, 1}}, 1000)}, 0), 0);
  EXPECT_EQ(at({total_loss_pair()}, 1e9), 1);
  EXPECT_EQ(at({total_loss_pair(), gaussian_pair(1, 1)}, 0), 1);
  EXPECT_EQ(at({repeated(total_loss_pair(), 0), repeated(gaussian_pair(1, 1), 0)}, 0), 0);
  EXPECT_GT(at({gaussian_pair(1, 1)}, kInf), 0) << "a tail that is not resolved";
  EXPECT_LT(at({gaussian_pair(1, 1)}, 1e300), 1e-100);
}

TEST(Pld, StepsAreRefusedThatAreNoneOrTooSmall) {
  for (double step : {0.0, -1.0, kInf, std::nan(""), 0x1p-60, 0x1p-20}) {
    expect_error(ErrorKind::invalid_distance,
                 [&] { compose_loss_pairs({gaussian_pair(1, 10)}, step); });
  }
  const LossPair coin =
      finite_loss_pair({{Rational(3, 4), Rational(1, 4)}, {Rational(1, 4), Rational(3, 4)}});
  expect_error(ErrorKind::invalid_distance,
               [&] { compose_loss_pairs({repeated(coin, 1000000)}, 0x1p-20); });
}

}  // namespace
}  // namespace dp::test::pld_test

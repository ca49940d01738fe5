#include "core/measures/subsampled_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "core/accounting/pld.h"
#include "core/measurements/noise_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/measures/smooth_loss.h"
#include "core/numeric/rational.h"
#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/tier.h"

namespace dp::test::subsampled_law_test {
namespace {

constexpr double kRates[] = {1e-4, 1e-2, 0.3, 0.9};

// Accurate enough to detect a claim that is off by 1e-7, and fast enough for integrals.
using Quad = FloatOfDigits<38>;

// Divergence of a release from a sample in one direction. `d` is the divergence of the release
// itself at exp() of any number, including negative ones.
template <class Real>
using Divergence = std::function<Real(const Real& epsilon)>;

template <class Real>
Divergence<Real> removal(const Divergence<Real>& d, const Real& q) {
  return [=](const Real& epsilon) -> Real {
    const Real a = exp(epsilon);
    if (a <= 1 - q) return 1 - a;
    return q * d(log((a - 1 + q) / q));
  };
}
template <class Real>
Divergence<Real> addition(const Divergence<Real>& d, const Real& q) {
  return [=](const Real& epsilon) -> Real {
    const Real a = exp(epsilon);
    const Real rest = 1 - a * (1 - q);
    return rest <= 0 ? Real(0) : Real(rest * d(log(a * q / rest)));
  };
}

// Balle and Wang (2018), "Improving the Gaussian Mechanism for Differential Privacy", Theorem 8.
template <class Real>
Divergence<Real> gaussian_divergence(double shift) {
  return [shift](const Real& epsilon) -> Real {
    const auto below = [](const Real& x) {
      return Real(boost::math::erfc(Real(-x / sqrt(Real(2)))) / 2);
    };
    const Real total(shift);
    return below(total / 2 - epsilon / total) - exp(epsilon) * below(-total / 2 - epsilon / total);
  };
}

LossLawPtr gaussian(double shift) {
  const Rational fine = power_of_two(1074);
  return gaussian_shift_loss(fine, 1)(exact_rational(shift) * fine).forward;
}

PrivacyProfile composed(const LossPair& pair, std::uint64_t times) {
  return compose_loss_pairs({{pair.forward, pair.backward, times}});
}

struct Excess {
  double least = kInf;
  double most = -kInf;
  void add(double over) {
    least = std::min(least, over);
    most = std::max(most, over);
  }
};

// Epsilons that a claim is compared at, from 0 until delta is about 1e-14.
std::vector<double> epsilons_of(const PrivacyProfile& claim, int count) {
  const double end = claim.epsilon(1e-14);
  std::vector<double> points;
  for (int i = 0; i <= count; ++i) points.push_back(end * std::pow(i / (count + 0.5), 3));
  return points;
}

template <class Real>
double over(double claim, const Real& truth) {
  return static_cast<double>(Real(Real(claim) / truth - 1));
}

TEST(SubsampledLaw, OneGaussianReleaseIsThatOfTheClosedForm) {
  for (double shift : {0.25, 1.0, 2.0}) {
    const Divergence<Wide> whole = gaussian_divergence<Wide>(shift);
    for (double q : kRates) {
      const PrivacyProfile claim = composed(subsampled_pair(*gaussian(shift), q), 1);
      const auto there = removal<Wide>(whole, q);
      const auto back = addition<Wide>(whole, q);
      Excess found;
      for (double epsilon : epsilons_of(claim, in_tier(6, 40))) {
        found.add(over<Wide>(claim.delta(epsilon), std::max(there(epsilon), back(epsilon))));
      }
      EXPECT_GE(found.least, 0) << shift << ' ' << q;
      EXPECT_LE(found.most, 1e-5) << shift << ' ' << q;
    }
  }
}

// Losses beyond the reach of a fine grid count as infinite. If most losses are small and a few are
// large, the least epsilon lies between two grids.
TEST(SubsampledLaw, OfSeldomRowsUnderLittleNoiseTheLeastEpsilonsAreLessTight) {
  constexpr double kRate = 1e-4;
  constexpr double kShift = 2;
  const PrivacyProfile claim = composed(subsampled_pair(*gaussian(kShift), kRate), 1);
  const auto truth = removal<Wide>(gaussian_divergence<Wide>(kShift), kRate);
  Excess small, large;
  for (double epsilon : epsilons_of(claim, in_tier(150, 1500))) {
    (epsilon < 2e-3 ? small : large).add(over<Wide>(claim.delta(epsilon), truth(epsilon)));
  }
  EXPECT_GE(small.least, 0);
  EXPECT_LE(small.most, 1e-3);
  EXPECT_GE(large.least, 0);
  EXPECT_LE(large.most, 1e-5);
}

// Divergence of two releases: the mean, over the first release's loss, of the second one's
// divergence. The trapezoidal rule is nearly exact for analytic functions that vanish at both ends.
// This is the part of the noise around `center`, with probability `share`.
Quad mean_over_noise(double center,
                     double share,
                     double shift,
                     bool removed,
                     const Quad& q,
                     const std::function<Quad(const Quad& loss)>& of) {
  const Quad step = Quad(1) / 32;
  const Quad scale = step / sqrt(2 * boost::math::constants::pi<Quad>());
  Quad sum = 0;
  for (int i = -14 * 32; i <= 14 * 32; ++i) {
    const Quad x = center + i * step;
    const Quad ratio = exp(Quad(shift) * x - Quad(shift) * shift / 2);  // of shift against none
    const Quad mixed = 1 - q + q * ratio;
    sum += share * scale * exp(-(x - center) * (x - center) / 2) *
           of(removed ? Quad(log(mixed)) : Quad(-log(mixed)));
  }
  return sum;
}

Divergence<Quad> twice_gaussian(double shift, double q, bool removed) {
  const Divergence<Quad> whole = gaussian_divergence<Quad>(shift);
  const Divergence<Quad> once = removed ? removal<Quad>(whole, q) : addition<Quad>(whole, q);
  return [=](const Quad& epsilon) -> Quad {
    const auto rest = [&](const Quad& loss) { return once(epsilon - loss); };
    if (!removed) return mean_over_noise(0, 1, shift, false, q, rest);
    return mean_over_noise(0, 1 - q, shift, true, q, rest) +
           mean_over_noise(shift, q, shift, true, q, rest);
  };
}

// In the quick tier, each epsilon is compared for two of the four laws.
TEST(SubsampledLaw, TwoGaussianReleasesAreThoseOfTheIntegral) {
  std::size_t place = 0;
  for (double shift : in_tier<std::vector<double>>({1.0}, {0.5, 1.0})) {
    for (double q : {0.3, 0.9}) {
      const PrivacyProfile claim = composed(subsampled_pair(*gaussian(shift), q), 2);
      const auto there = twice_gaussian(shift, q, true);
      const auto back = twice_gaussian(shift, q, false);
      Excess found;
      for (double epsilon : epsilons_of(claim, in_tier(2, 8))) {
        if (place++ % in_tier(2u, 1u) != 0) continue;
        found.add(over<Quad>(claim.delta(epsilon), std::max(there(epsilon), back(epsilon))));
      }
      EXPECT_GE(found.least, 0) << shift << ' ' << q;
      EXPECT_LE(found.most, 1e-5) << shift << ' ' << q;
    }
  }
}

// delta = integral over t of M(s) e^(-s epsilon) / (s (s + 1)) / (2 pi), s = theta + i t. M is the
// moment generating function of the summed losses under the first dataset; theta > 0 is arbitrary.
// This is the Laplace transform of E max(0, 1 - e^(epsilon - L)). At the saddle point it is
// accurate to many digits, however small delta is. M comes from the trapezoidal rule for one loss,
// raised to a power.
class Transform {
 public:
  Transform(double shift, double q, std::uint64_t times, bool removed) : times_(times) {
    constexpr double kStep = 1.0 / 64;
    for (double x = -10; x <= 10 + shift; x += kStep) {
      const double near = std::exp(-x * x / 2);
      const double far = std::exp(-(x - shift) * (x - shift) / 2);
      const double mixed = std::log1p(q * std::expm1(shift * x - shift * shift / 2));
      masses_.push_back((removed ? (1 - q) * near + q * far : near) * kStep / std::sqrt(2 * kPi));
      losses_.push_back(removed ? mixed : -mixed);
    }
  }

  double delta(double epsilon) const {
    const double theta = saddle(epsilon);
    const double width = 1 / std::sqrt(curvature(theta));
    const double scale = exponent(theta).real() - theta * epsilon;
    const double step = width / 24;
    double sum = integrand(theta, 0, epsilon, scale) / 2;
    for (double t = step; t < 200000 * step; t += step) {
      const double part = integrand(theta, t, epsilon, scale);
      sum += part;
      if (t > 8 * width && envelope(theta, t, scale, epsilon) < 1e-14 * std::fabs(sum)) break;
    }
    return sum * step / kPi * std::exp(scale);
  }

 private:
  static constexpr double kPi = 3.14159265358979323846;

  std::complex<double> exponent(std::complex<double> s) const {
    std::complex<double> mean = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i) mean += masses_[i] * std::exp(s * losses_[i]);
    return static_cast<double>(times_) * std::log(mean);
  }
  double tilted(double theta, int power) const {
    double total = 0;
    double mean = 0;
    double squares = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      const double mass = masses_[i] * std::exp(theta * losses_[i]);
      total += mass;
      mean += mass * losses_[i];
      squares += mass * losses_[i] * losses_[i];
    }
    mean /= total;
    return static_cast<double>(times_) * (power == 1 ? mean : squares / total - mean * mean);
  }
  double slope(double theta, double epsilon) const {
    return tilted(theta, 1) - epsilon - 1 / theta - 1 / (theta + 1);
  }
  double curvature(double theta) const {
    return tilted(theta, 2) + 1 / (theta * theta) + 1 / ((theta + 1) * (theta + 1));
  }
  // Stays away from the wide tail, where the integrand would decay slowly.
  double saddle(double epsilon) const {
    double low = 1e-6;
    double high = 600 / *std::max_element(losses_.begin(), losses_.end());
    for (int i = 0; i < 100; ++i) {
      const double middle = std::sqrt(low * high);
      const bool wide = tilted(middle, 2) > 3 * tilted(0, 2);
      (wide || slope(middle, epsilon) > 0 ? high : low) = middle;
    }
    return low;
  }
  double integrand(double theta, double t, double epsilon, double scale) const {
    const std::complex<double> s(theta, t);
    return (std::exp(exponent(s) - s * epsilon - scale) / (s * (s + 1.0))).real();
  }
  double envelope(double theta, double t, double scale, double epsilon) const {
    const std::complex<double> s(theta, t);
    return std::abs(std::exp(exponent(s).real() - theta * epsilon - scale) / (s * (s + 1.0)));
  }

  std::uint64_t times_;
  std::vector<double> masses_;
  std::vector<double> losses_;
};

struct Case {
  double shift;
  double q;
  std::uint64_t times;
};

TEST(SubsampledLaw, ManyGaussianReleasesAreThoseOfTheTransform) {
  for (const Case& each : {Case{1, 0.1, 10}, Case{1, 0.9, 10}, Case{0.25, 0.3, 1000}}) {
    const PrivacyProfile claim =
        composed(subsampled_pair(*gaussian(each.shift), each.q), each.times);
    const Transform there(each.shift, each.q, each.times, true);
    const Transform back(each.shift, each.q, each.times, false);
    Excess found;
    for (double delta : {0.01, 1e-5, 1e-8}) {
      const double epsilon = claim.epsilon(delta);
      if (epsilon == 0) continue;
      const double truth = std::max(there.delta(epsilon), back.delta(epsilon));
      found.add(claim.delta(epsilon) / truth - 1);
    }
    SCOPED_TRACE(testing::Message() << each.shift << ' ' << each.q << ' ' << each.times);
    EXPECT_LE(found.least, found.most) << "nothing was compared";
    EXPECT_GE(found.least, -1e-10) << "the transform is that precise";
    EXPECT_LE(found.most, 1e-4);
  }
}

// Three outcomes with losses that fit no grid, composed `times` times, by the multinomial law.
struct Three {
  Wide p[3];
  Wide loss[3];
};

Wide delta_of(const Three& law, int times, const Wide& epsilon) {
  std::vector<Wide> factorial{1};
  for (int i = 1; i <= times; ++i) factorial.push_back(factorial.back() * i);
  std::vector<Wide> powers[3];
  std::vector<Wide> ratios[3];
  for (int j = 0; j < 3; ++j) {
    const Wide ratio = exp(-law.loss[j]);
    powers[j] = {1};
    ratios[j] = {1};
    for (int i = 1; i <= times; ++i) {
      powers[j].push_back(powers[j].back() * law.p[j] / i);
      ratios[j].push_back(ratios[j].back() * ratio);
    }
  }
  const Wide a = exp(epsilon);
  Wide sum = 0;
  for (int i = 0; i <= times; ++i) {
    for (int j = 0; i + j <= times; ++j) {
      const int k = times - i - j;
      const Wide gain = 1 - a * ratios[0][i] * ratios[1][j] * ratios[2][k];
      if (gain > 0) sum += powers[0][i] * powers[1][j] * powers[2][k] * gain;
    }
  }
  return sum * factorial.back();
}

// Discrete Laplace noise of scale 2, moved by 2. Its losses are 1, 0 and -1.
Three laplace_sample(const Wide& q, bool removed) {
  const Wide t = exp(Wide(-1) / 2);
  const Wide p[] = {1 / (1 + t), (1 - t) / (1 + t) * t, t * t / (1 + t)};
  Three law;
  for (int j = 0; j < 3; ++j) {
    const Wide other = p[2 - j];
    law.p[j] = removed ? Wide((1 - q) * other + q * p[j]) : p[j];
    law.loss[j] =
        removed ? Wide(log(1 - q + q * p[j] / other)) : Wide(-log(1 - q + q * other / p[j]));
  }
  return law;
}

// Excess of a pair of laws over the truth.
Excess laplace_excess(const std::function<LossPair(const LossLaw&, double q)>& sampled,
                      double q,
                      int times,
                      const std::vector<double>& deltas = {0.5, 0.05, 1e-3, 1e-6, 1e-10, 1e-14}) {
  const LossLawPtr inner = laplace_shift_loss(2, 1)(2).forward;
  const PrivacyProfile claim = composed(sampled(*inner, q), static_cast<std::uint64_t>(times));
  Excess found;
  for (double delta : deltas) {
    // Stays below the last atom, where delta vanishes and nothing can be compared.
    const double epsilon = claim.epsilon(delta) * 0.99;
    if (epsilon == 0 && found.least < kInf) continue;
    const Wide truth = std::max(delta_of(laplace_sample(q, true), times, epsilon),
                                delta_of(laplace_sample(q, false), times, epsilon));
    if (truth > 0) found.add(over<Wide>(claim.delta(epsilon), truth));
  }
  return found;
}

TEST(SubsampledLaw, LaplaceReleasesAreThoseOfTheMultinomialLaw) {
  for (double q : kRates) {
    for (int times : {1, 2, 10, 300}) {
      const Excess found = laplace_excess(subsampled_pair, q, times);
      EXPECT_GE(found.least, 0) << q << ' ' << times;
      EXPECT_LE(found.most, times <= 10 ? 1e-5 : 1e-3) << q << ' ' << times;
    }
  }
}

TEST(SubsampledLaw, MistakesAreFound) {
  const auto found = [](auto sampled) { return laplace_excess(sampled, 0.3, 10); };
  EXPECT_GE(found(subsampled_pair).least, 0);
  EXPECT_GT(found([](const LossLaw&, double) {
              const LossPair whole = laplace_shift_loss(2, 1)(2);
              return LossPair{whole.forward, whole.backward};
            }).most,
            0.1)
      << "the rate is forgotten";
  EXPECT_LT(found([](const LossLaw& law, double q) {
              const LossPair pair = subsampled_pair(law, q);
              return LossPair{pair.backward, pair.backward};
            }).least,
            -1e-3)
      << "one direction only";
  EXPECT_LT(found([](const LossLaw& law, double q) {
              return subsampled_pair(law, q * (1 - 1e-9));
            }).least,
            0)
      << "a rate that is rounded down";
}

// Two outcomes: everything is binomial, and exact on the atoms.
TEST(SubsampledLaw, RandomizedResponseHasTwoAtomsWithTheRightMasses) {
  const LossLawPtr inner =
      finite_loss_pair({{Rational(3, 4), Rational(1, 4)}, {Rational(1, 4), Rational(3, 4)}})
          .forward;
  for (double q : {1e-9, 0.125, 0.999}) {
    const LossPair pair = subsampled_pair(*inner, q);
    const std::vector<LossAtom> there = pair.forward->atoms();
    const std::vector<LossAtom> back = pair.backward->atoms();
    double total = 0;
    for (const LossAtom& atom : there) total += atom.mass;
    EXPECT_GE(total, 1);
    EXPECT_LE(total, 1 + 1e-12);
    EXPECT_NEAR(there[1].mass, q * 0.75 + (1 - q) * 0.25, 1e-13);
    EXPECT_NEAR(there[1].loss, std::log1p(2 * q), 1e-13 * q);
    EXPECT_NEAR(back[1].mass, 0.75, 1e-13);
    EXPECT_NEAR(back[1].loss, -std::log1p(-q * 2 / 3), 1e-13 * q);
  }
}

TEST(SubsampledLaw, WhatIsLostAltogetherIsSoWithTheProbabilityOfTheRow) {
  const PrivacyProfile profile = composed(subsampled_pair(*total_loss_pair().forward, 0.25), 1);
  EXPECT_NEAR(profile.delta(0), 0.25, 1e-12);
  EXPECT_NEAR(profile.delta(100), 0.25, 1e-12);
  EXPECT_GE(profile.delta(100), 0.25);
}

// A release from a sample of fixed size with one replaced row, on both sides of 0.
Divergence<Wide> replacement(const Divergence<Wide>& d, const Wide& q) {
  return [=](const Wide& epsilon) -> Wide {
    const auto above = [&](const Wide& e) { return Wide(q * d(log1p((exp(e) - 1) / q))); };
    return epsilon >= 0 ? above(epsilon) : Wide(1 - exp(epsilon) + exp(epsilon) * above(-epsilon));
  };
}

// Divergence of a law, including at negative epsilons, and its excess over another law.
Wide divergence_of(const LossLaw& law, const Wide& epsilon) {
  Wide sum = 0;
  for (const LossAtom& atom : law.atoms()) {
    const bool is_endless = std::isinf(atom.loss);
    const Wide gain = is_endless ? Wide(1) : Wide(1 - exp(epsilon - Wide(atom.loss)));
    if (gain > 0) sum += Wide(atom.mass) * gain;
  }
  return sum;
}

// Randomized response. Some answers have infinite loss.
LossLawPtr failing_response() {
  return finite_loss_pair({{Rational(5, 8), Rational(1, 4)},
                           {Rational(1, 4), Rational(5, 8)},
                           {Rational(1, 8), 0}})
      .forward;
}

Excess replacement_excess(const LossLawPtr& inner,
                          const std::function<LossLawPtr(const LossLaw&, double q)>& sampled,
                          double q) {
  const auto truth =
      replacement([&](const Wide& epsilon) { return divergence_of(*inner, epsilon); }, q);
  const LossLawPtr law = sampled(*inner, q);
  Excess found;
  for (double epsilon : {-40.0, -1.0, -0.3, -0.02, -1e-6, 0.0, 1e-6, 0.02, 0.3, 0.6, 30.0}) {
    const Wide exact = truth(epsilon);
    if (exact > 0) found.add(over<Wide>(static_cast<double>(divergence_of(*law, epsilon)), exact));
  }
  return found;
}

LossLawPtr replaced(const LossLaw& law, double q) { return replaced_pair(law, q).forward; }

TEST(ReplacedLaw, HasTheDivergenceOfItsProofOnBothSides) {
  for (const LossLawPtr& inner :
       {laplace_shift_loss(2, 1)(2).forward, failing_response(), total_loss_pair().forward}) {
    for (double q : {1e-9, 1e-4, 0.3, 0.5, 0.999}) {
      const Excess found = replacement_excess(inner, replaced, q);
      EXPECT_GE(found.least, -1e-16) << q << ", but for the last rounding of the test";
      EXPECT_LE(found.most, 1e-11) << q;
    }
  }
}

TEST(ReplacedLaw, MistakesAreFound) {
  const LossLawPtr inner = laplace_shift_loss(2, 1)(2).forward;
  const auto least = [&](auto sampled) { return replacement_excess(inner, sampled, 0.3).least; };
  EXPECT_GE(least(replaced), -1e-16);
  EXPECT_LT(least([](const LossLaw& law, double q) { return replaced(law, q / 2); }), -0.1)
      << "half of the rate";
  EXPECT_LT(least([](const LossLaw& law, double q) { return replaced(law, q * (1 - 1e-9)); }),
            -1e-11)
      << "a rate that is rounded down";
  EXPECT_LT(least([](const LossLaw& law, double q) { return subsampled_pair(law, q).backward; }),
            -0.01)
      << "the rate on the other side";
  EXPECT_LT(least([](const LossLaw& law, double q) { return subsampled_pair(law, q).forward; }),
            -1e-3)
      << "no mirror image: the epsilons below 0 claim too little";
}

// The pair of a replaced row also has three atoms: the loss above 0, its mirror image, and the
// rest.
Three laplace_replacement(const Wide& q) {
  const Three removed = laplace_sample(q, true);
  Three law;
  law.p[0] = removed.p[0];
  law.loss[0] = removed.loss[0];
  law.p[2] = removed.p[0] * exp(-removed.loss[0]);
  law.loss[2] = -removed.loss[0];
  law.p[1] = 1 - law.p[0] - law.p[2];
  law.loss[1] = 0;
  return law;
}

Excess replacement_of_many(double rate, double claimed, int times) {
  const LossLawPtr inner = laplace_shift_loss(2, 1)(2).forward;
  const PrivacyProfile claim =
      composed(replaced_pair(*inner, claimed), static_cast<std::uint64_t>(times));
  Excess found;
  for (double delta : {0.5, 0.05, 1e-3, 1e-6, 1e-10}) {
    const double epsilon = claim.epsilon(delta) * 0.99;
    if (epsilon == 0 && found.least < kInf) continue;
    const Wide truth = delta_of(laplace_replacement(rate), times, epsilon);
    if (truth > 0) found.add(over<Wide>(claim.delta(epsilon), truth));
  }
  return found;
}

TEST(ReplacedLaw, LaplaceReleasesAreThoseOfTheMultinomialLaw) {
  for (double q : kRates) {
    for (int times : {1, 2, 10, 300}) {
      const Excess found = replacement_of_many(q, q, times);
      EXPECT_GE(found.least, 0) << q << ' ' << times;
      EXPECT_LE(found.most, times <= 10 ? 1e-5 : 1e-3) << q << ' ' << times;
    }
  }
  EXPECT_LT(replacement_of_many(0.3, 0.15, 10).least, -0.1) << "half of the rate";
  EXPECT_LT(replacement_of_many(0.3, 0.3 * (1 - 1e-9), 10).least, 0) << "rounded down";
}

TEST(ReplacedLaw, OneGaussianReleaseIsThatOfTheClosedForm) {
  for (double shift : {0.25, 1.0, 2.0}) {
    const Divergence<Wide> whole = gaussian_divergence<Wide>(shift);
    for (double q : kRates) {
      const PrivacyProfile claim = composed(replaced_pair(*gaussian(shift), q), 1);
      const auto truth = replacement(whole, q);
      // Below this, laws of rare rows under little noise lie between two grids.
      Excess small, large;
      for (double epsilon : epsilons_of(claim, in_tier(12, 40))) {
        (epsilon < 0.01 ? small : large).add(over<Wide>(claim.delta(epsilon), truth(epsilon)));
      }
      EXPECT_GE(std::min(small.least, large.least), 0) << shift << ' ' << q;
      EXPECT_LE(small.most, 1e-3) << shift << ' ' << q;
      EXPECT_LE(large.most, 1e-5) << shift << ' ' << q;
    }
  }
}

// Mean of the second release's divergence over the first release's loss. It combines the part above
// 0 (the mixture against no row), its mirror image, and the rest at 0.
Quad twice_replaced_gaussian(double shift, const Quad& q, const Quad& epsilon) {
  const Divergence<Quad> whole = gaussian_divergence<Quad>(shift);
  const auto once = [&](const Quad& e) -> Quad {
    const auto above = [&](const Quad& x) { return Quad(q * whole(log1p(expm1(x) / q))); };
    return e >= 0 ? above(e) : Quad(1 - exp(e) + exp(e) * above(-e));
  };
  const auto density = [](const Quad& x) {
    return Quad(exp(-x * x / 2) / sqrt(2 * boost::math::constants::pi<Quad>()));
  };
  struct Part {
    Quad sum = 0;
    Quad covered = 0;
  } all;
  const Quad half = Quad(shift) * shift / 2;
  const auto add = [&](const Quad& begin, const Quad& end) {
    using Rule = boost::math::quadrature::gauss<Quad, 30>;
    const auto mixed = [&](const Quad& ratio) -> Quad { return 1 - q + q * ratio; };
    const auto ratio_at = [&](const Quad& x) -> Quad { return exp(Quad(shift) * x - half); };
    all.sum += Rule::integrate(
        [&](const Quad& x) -> Quad {
          const Quad loss = log(mixed(ratio_at(x)));
          return density(x) * (mixed(ratio_at(x)) * once(epsilon - loss) + once(epsilon + loss));
        },
        begin,
        end);
    all.covered += Rule::integrate(
        [&](const Quad& x) -> Quad { return density(x) * (mixed(ratio_at(x)) + 1); }, begin, end);
  };
  // Splits the integral at the middle, where losses begin, and where the loss is epsilon, because
  // the divergence has a kink there.
  const Quad middle = Quad(shift) / 2;
  const Quad bend = (log1p(expm1(epsilon) / q) + half) / Quad(shift);
  for (Quad x = middle; x < bend; x += 1) add(x, std::min(Quad(x + 1), bend));
  for (int i = 0; i < 14; ++i) add(bend + i, bend + i + 1);
  return all.sum + (1 - all.covered) * once(epsilon);
}

TEST(ReplacedLaw, TwoGaussianReleasesAreThoseOfTheIntegral) {
  for (double shift : in_tier<std::vector<double>>({0.5}, {0.5, 1.0})) {
    for (double q : {0.05, 0.9}) {
      const PrivacyProfile claim = composed(replaced_pair(*gaussian(shift), q), 2);
      Excess found;
      for (double epsilon : {0.0, 0.3 * q * shift, 2 * q * shift}) {
        found.add(over<Quad>(claim.delta(epsilon), twice_replaced_gaussian(shift, q, epsilon)));
      }
      EXPECT_GE(found.least, 0) << shift << ' ' << q;
      EXPECT_LE(found.most, 1e-5) << shift << ' ' << q;
    }
  }
}

}  // namespace
}  // namespace dp::test::subsampled_law_test

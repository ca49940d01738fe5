#include "core/accounting/loss_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/accounting/pld.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/geometric.h"
#include "core/measurements/laplace.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/randomized_response_bitvec.h"
#include "core/measures/cdp_delta.h"
#include "core/measures/profile_loss_law.h"
#include "core/transformations/sums/sum.h"
#include "support/expect_error.h"

namespace dp::test::loss_pairs_test {
namespace {

Measurement laplace(double scale) {
  return make_laplace(non_nan_atom(AtomType::i32), absolute_distance(AtomType::i32), scale);
}
Measurement gaussian(double scale) {
  return make_gaussian(non_nan_atom(AtomType::f64), absolute_distance(AtomType::f64), scale);
}

PrivacyProfile profile(const Measurement& measurement, const Distance& d_in) {
  return compose_pld({{measurement, 1}}, d_in);
}

double delta(const Measurement& measurement, const Distance& d_in, double epsilon) {
  return profile(measurement, d_in).delta(epsilon);
}

// A measurement without a known law, like interactive and user measurements.
Measurement opaque(const Measurement& m) {
  return Measurement(
      m.input_domain(), m.input_metric(), m.output_measure(), m.function(), m.privacy_map());
}

const Distance kOne = Scalar(std::int32_t{1});
const Distance kStep = Scalar(1.0);
const Distance kChanged = Scalar(std::uint32_t{1});

TEST(LossPairs, D_EPS_5_NoPrivacyMapPromisesLessThanTheLawOfItsLoss) {
  for (double scale : {0.5, 1.0, 4.0, 30.0}) {
    const Measurement pure = laplace(scale);
    const double epsilon = number_in<double>(pure.map(kOne));
    EXPECT_EQ(delta(pure, kOne, epsilon * (1 + 1e-11)), 0) << scale;
    EXPECT_GT(delta(pure, kOne, epsilon * 0.99), 0) << scale;

    const Measurement cdp = gaussian(scale);
    const Rho rho(number_in<double>(cdp.map(kStep)));
    const PrivacyProfile law = profile(cdp, kStep);
    for (double at : {0.0, 0.1, 1.0, 4.0}) {
      EXPECT_LE(law.delta(at), cdp_delta(rho, Epsilon(at)) * 1.00001 + 1e-100);
    }
  }
}

TEST(LossPairs, WithoutALawTheWorstOfTheMapStandsIn) {
  const Distance four = Scalar(std::int32_t{4});
  const PrivacyProfile pure = profile(opaque(laplace(8)), four);
  const PrivacyProfile pure_law = profile(laplace(8), four);
  EXPECT_EQ(pure.delta(0.51), 0);
  for (double at : {0.0, 0.2, 0.45}) {
    // Randomized response with odds exp(1/2) : 1.
    const double truth = 1 / (1 + std::exp(-0.5));
    EXPECT_NEAR(pure.delta(at), truth - std::exp(at) * (1 - truth), 1e-9);
    EXPECT_GT(pure.delta(at), pure_law.delta(at));
  }
  const PrivacyProfile cdp = profile(opaque(gaussian(2)), kStep);
  const PrivacyProfile cdp_law = profile(gaussian(2), kStep);
  for (double at : {0.0, 0.3, 1.0, 3.0}) {
    EXPECT_GE(cdp.delta(at), cdp_law.delta(at));
    // The result must not use a bound that holds only for Gaussian noise, which has two thirds of
    // this at 0.
    EXPECT_GE(cdp.delta(at), 0.9 * cdp_delta(Rho(0.125), Epsilon(at))) << at;
    EXPECT_LE(cdp.delta(at), cdp_delta(Rho(0.125), Epsilon(at)) * 1.001);
  }
}

TEST(LossPairs, PairsOfEpsilonAndDeltaKeepTheirDelta) {
  const Measurement fixed =
      opaque(make_fix_delta(make_zCDP_to_approxDP(opaque(gaussian(4))), Delta(1e-5)));
  const PrivacyProfile twice = compose_pld({{fixed, 2}}, kStep);
  const auto parts = *fixed.map(kStep).as<Distance::Tuple>();
  const double epsilon = number_in<double>(parts[0]);
  EXPECT_GE(twice.delta(2 * epsilon + 0.01), 2e-5 - 1e-10);
  EXPECT_LE(twice.delta(2 * epsilon + 0.01), 2.0001e-5);
  const Measurement approximate = make_approximate(opaque(gaussian(4)));
  EXPECT_NEAR(delta(approximate, kStep, 0.5), delta(opaque(gaussian(4)), kStep, 0.5), 1e-6);
}

TEST(LossPairs, ChainsAndCastsCarryTheLawAlong) {
  const Measurement noise = gaussian(4);
  const double expected = delta(noise, kStep, 0.5);
  EXPECT_EQ(delta(make_chain_pm(Function(), noise), kStep, 0.5), expected);
  EXPECT_EQ(delta(make_zCDP_to_approxDP(noise), kStep, 0.5), expected);
  EXPECT_EQ(delta(make_approximate(noise), kStep, 0.5), expected);
  EXPECT_EQ(delta(make_pureDP_to_zCDP(laplace(2)), kOne, 0.2), delta(laplace(2), kOne, 0.2));
  const Measurement both = make_composition({noise, noise});
  EXPECT_EQ(delta(both, kStep, 0.5), compose_pld({{noise, 2}}, kStep).delta(0.5));
  const Measurement mixed = make_composition({noise, opaque(noise)});
  EXPECT_GT(delta(mixed, kStep, 0.5), delta(both, kStep, 0.5));
}

TEST(LossPairs, RandomizedResponseIsItself) {
  const Measurement response = make_randomized_response_bool(0.75);
  for (double at : {0.0, 0.5, 1.0}) {
    EXPECT_NEAR(delta(response, kChanged, at), 0.75 - std::exp(at) * 0.25, 1e-9);
  }
  EXPECT_EQ(delta(response, Scalar(std::uint32_t{0}), 0), 0);

  const Measurement categories = make_randomized_response(
      {Scalar(std::int32_t{1}), Scalar(std::int32_t{2}), Scalar(std::int32_t{3})},
      AtomType::i32,
      0.5);
  EXPECT_NEAR(delta(categories, kChanged, 0.2), 0.5 - std::exp(0.2) * 0.25, 1e-9);

  // Vectors with two set bits may differ in four bits.
  const Domain bits = Domain(BitVectorDomain{2, 8});
  const Measurement flipped = make_randomized_response_bitvec(bits, discrete_distance(), 0.5);
  const PrivacyProfile four = compose_pld({{response, 4}}, kChanged);
  EXPECT_EQ(delta(flipped, kChanged, 0.7), four.delta(0.7));
}

TEST(LossPairs, AFartherMoveCostsMore) {
  for (double at : {0.0, 0.3}) {
    double before = 0;
    for (std::int32_t d = 0; d < 6; ++d) {
      const double now = delta(laplace(4), Scalar(d), at);
      EXPECT_GE(now, before * (1 - 1e-9));
      if (d > 1) {
        EXPECT_GT(now, before);
      }
      before = now;
    }
    EXPECT_GT(before, 0);
  }
}

TEST(LossPairs, ReleasesOfDifferentMetricsAreRefusedAndOfDifferentDomainsAddUp) {
  expect_error(ErrorKind::failed_function, [] { compose_pld({}, kOne); });
  expect_error(ErrorKind::metric_mismatch, [] {
    compose_pld({{laplace(1), 1}, {gaussian(1), 1}}, kOne);
  });
  const Measurement bounded =
      make_laplace(closed_atom(AtomType::i32, std::int32_t{0}, std::int32_t{9}),
                   absolute_distance(AtomType::i32),
                   1);
  const PrivacyProfile both = compose_pld({{laplace(1), 1}, {bounded, 1}}, kOne);
  EXPECT_EQ(both.delta(0.5), compose_pld({{laplace(1), 2}}, kOne).delta(0.5));
  const Measurement other =
      make_laplace(non_nan_atom(AtomType::i32), absolute_distance(AtomType::f64), 1);
  expect_error(ErrorKind::metric_mismatch, [&] {
    compose_pld({{laplace(1), 1}, {other, 1}}, kOne);
  });
}

TEST(LossPairs, MeasuresWithoutAKnownPairAreRefused) {
  const Measurement renyi(non_nan_atom(AtomType::i32),
                          absolute_distance(AtomType::i32),
                          renyi_divergence(),
                          Function(),
                          [](const Distance&) -> Distance {
                            return Distance::Curve([](double alpha) { return alpha; });
                          });
  expect_error(ErrorKind::type, [&] { compose_pld({{renyi, 1}}, kOne); });
}

TEST(ProfileLossLaw, IsAboveEveryPairThatTheProfileHoldsForAndNoHigherThanTheProfile) {
  for (const Measurement& real : {laplace(2), gaussian(2)}) {
    const Distance& d_in = real.input_metric() == absolute_distance(AtomType::i32) ? kOne : kStep;
    const PrivacyProfile profile = compose_pld({{real, 3}}, d_in);
    const PrivacyProfile law = compose_loss_pairs({profile_loss_pair(profile)});
    for (double at : {0.0, 0.1, 0.4, 1.0, 1.4, 3.0}) {
      EXPECT_GE(law.delta(at), profile.delta(at)) << at;
      EXPECT_LE(law.delta(at), profile.delta(at) * 1.001 + 1e-5) << at;
    }
  }
  const PrivacyProfile flat([](double) { return 0.125; });
  const PrivacyProfile law = compose_loss_pairs({profile_loss_pair(flat)});
  for (double at : {0.0, 1.0, 1e4}) EXPECT_NEAR(law.delta(at), 0.125, 1e-9);
  EXPECT_GE(law.delta(0), 0.125);
  const PrivacyProfile nothing([](double) { return 0.0; });
  EXPECT_EQ(compose_loss_pairs({profile_loss_pair(nothing)}).delta(0), 0);
}

}  // namespace
}  // namespace dp::test::loss_pairs_test

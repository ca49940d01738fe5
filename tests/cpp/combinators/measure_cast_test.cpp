#include "core/combinators/measure_cast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/accounting/pld.h"
#include "core/combinators/composition.h"
#include "core/measurements/user_measurement.h"
#include "core/measures/loss.h"
#include "core/measures/renyi.h"
#include "core/numeric/directed.h"
#include "measurements/noise_support.h"
#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"

namespace dp::test::measure_cast_test {
namespace {

Measurement laplace(double scale) {
  return make_laplace(scalars(AtomType::f64), absolute_distance(AtomType::f64), scale);
}

Measurement gaussian(double scale) {
  return make_gaussian(scalars(AtomType::f64), absolute_distance(AtomType::f64), scale);
}

const PrivacyProfile& profile_of(const Distance& loss) { return profile_in(loss); }

double scale_in(const std::string& inner) {
  return std::stod(inner.substr(inner.find("scale=") + 6));
}

TEST(ZcdpToApproxDp, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_zCDP_to_approxDP");
  ASSERT_EQ(rows.size(), 38u);
  for (const OracleRow& row : rows) {
    SCOPED_TRACE("line " + std::to_string(row.line));
    const Distance loss = make_zCDP_to_approxDP(gaussian(scale_in(*row.arg("inner"))))
                              .map(Scalar(std::stod(row.d_in)));
    const PrivacyProfile& profile = profile_of(loss);
    const bool for_epsilon = *row.arg("solve_for") == "epsilon";
    const double at = oracle_number(*row.arg(for_epsilon ? "at_delta" : "at_epsilon"));
    if (row.is_error()) {  // of -0, which is 0 here
      ASSERT_EQ(at, 0);
      EXPECT_EQ(profile.epsilon(at), profile.epsilon(0));
      continue;
    }
    const double expected = oracle_number(row.d_out);
    const double found = for_epsilon ? profile.epsilon(at) : profile.delta(at);
    if (std::isinf(expected)) {
      EXPECT_EQ(found, expected);
    } else {
      const double absolute = for_epsilon || expected < 1e-15 ? 0 : 3e-16;
      EXPECT_NEAR(found, expected, 1e-9 * expected + absolute);
    }
  }
}

TEST(ZcdpToApproxDp, WorkedValues) {
  const Distance loss = make_zCDP_to_approxDP(gaussian(4)).map(Scalar(1.0));
  const PrivacyProfile& profile = profile_of(loss);
  EXPECT_EQ(profile.epsilon(0), kInf);
  EXPECT_EQ(profile.epsilon(1e-3), 0.6880024554878085);
  EXPECT_EQ(profile.epsilon(1), 0);
  EXPECT_EQ(profile.delta(0), 0.1508457845622862);
  EXPECT_EQ(profile.epsilon(0.1508457845622862), 0);
  EXPECT_EQ(profile.delta(0.6880024554878085), 1e-3);
  const Distance none = make_zCDP_to_approxDP(gaussian(4)).map(Scalar(0.0));
  for (double x : {0.0, 1e-300, 0.5, 1.0}) {
    EXPECT_EQ(profile_of(none).epsilon(x), 0);
    EXPECT_EQ(profile_of(none).delta(x), 0);
  }
  const Distance all = make_zCDP_to_approxDP(gaussian(0)).map(Scalar(1.0));
  EXPECT_EQ(profile_of(all).epsilon(0), kInf);
  EXPECT_EQ(profile_of(all).epsilon(0.999), kInf);
  EXPECT_EQ(profile_of(all).epsilon(1), 0);
  EXPECT_EQ(profile_of(all).delta(1e300), 1);
}

TEST(ZcdpToApproxDp, CarriesAFixedDeltaAlong) {
  const Measurement cast = make_zCDP_to_approxDP(make_approximate(gaussian(4)));
  EXPECT_EQ(cast.output_measure(), approximate(smoothed_max_divergence()));
  const ApproximateLoss loss = approximate_in(cast.map(Scalar(1.0)));
  EXPECT_EQ(loss.delta, 0);
  EXPECT_EQ(profile_of(loss.inner).delta(0), 0.1508457845622862);
}

TEST(Approximate, AddsADeltaOfZero) {
  const ApproximateLoss rho = approximate_in(make_approximate(gaussian(1)).map(Scalar(1.0)));
  EXPECT_EQ(number_in<double>(rho.inner), 0.5);
  EXPECT_EQ(rho.delta, 0);
  const Measurement pure = make_approximate(laplace(10));
  EXPECT_EQ(pure.output_measure(), approximate(max_divergence()));
  EXPECT_EQ(number_in<double>(approximate_in(pure.map(Scalar(1.0))).inner), 0.1);
}

TEST(FixedApproxDpToApproxDp, IsAStep) {
  const Measurement cast = make_fixed_approxDP_to_approxDP(make_approximate(laplace(10)));
  EXPECT_EQ(cast.output_measure(), smoothed_max_divergence());
  const Distance loss = cast.map(Scalar(1.0));
  EXPECT_EQ(profile_of(loss).epsilon(1e-7), 0.1);
  EXPECT_EQ(profile_of(loss).delta(0.1), 0);
  EXPECT_EQ(profile_of(loss).delta(std::nextafter(0.1, 0)), 1);
}

TEST(PureDpToZcdp, AgreesWithTheOracle) {
  int tested = 0;
  for (const OracleRow& row : oracle_rows("make_pureDP_to_zCDP")) {
    if (row.arg("inner")->find("composed") != std::string::npos) continue;
    ++tested;
    EXPECT_EQ(loss(make_pureDP_to_zCDP(laplace(scale_in(*row.arg("inner")))), 1.0),
              oracle_number(row.d_out))
        << row.args;
  }
  EXPECT_EQ(tested, 4);
  EXPECT_THROW(make_pureDP_to_zCDP(laplace(0)).map(Scalar(1.0)), Error);
}

// Whether rho = `claim(epsilon)` bounds the Renyi divergence of discrete Laplace noise.
bool covers_laplace(const std::function<double(double)>& claim) {
  for (double scale : {0.5, 1.0, 3.0}) {
    for (double alpha : {1.01, 2.0, 8.0, 64.0}) {
      const long reach = static_cast<long>((alpha + 120) * scale) + 10;
      const Wide divergence = renyi_divergence_of(laplace_law(scale, reach), 1, alpha);
      if (divergence > alpha * Wide(claim(1 / scale)) + slack()) return false;
    }
  }
  return true;
}

TEST(PureDpToZcdp, D_EPS_5_CoversTheRenyiCurveOfLaplace) {
  EXPECT_TRUE(covers_laplace(
      [](double epsilon) { return loss(make_pureDP_to_zCDP(laplace(1 / epsilon)), 1.0); }));
  // epsilon^2 / 8 holds for mechanisms of bounded range, such as the exponential mechanism, but not
  // for noise.
  EXPECT_FALSE(covers_laplace([](double epsilon) { return epsilon * epsilon / 8; }));
}

double at_order(const Measurement& measurement, double d_in, double alpha) {
  const Distance loss = measurement.map(Scalar(d_in));
  return (*loss.as<Distance::Curve>())(alpha);
}

TEST(CastToRdp, AgreesWithTheFormulas) {
  const Measurement pure = make_pureDP_to_RDP(laplace(2));
  const Measurement concentrated = make_zCDP_to_RDP(gaussian(2));
  EXPECT_EQ(pure.output_measure(), renyi_divergence());
  EXPECT_EQ(concentrated.output_measure(), renyi_divergence());
  for (double alpha : {1.5, 4.0, 100.0}) {
    EXPECT_EQ(at_order(pure, 1, alpha), pure_renyi(Epsilon(0.5), RenyiOrder(alpha)));
    EXPECT_EQ(at_order(concentrated, 1, alpha), alpha / 8);
    EXPECT_EQ(at_order(pure, 0, alpha), 0);
    EXPECT_EQ(at_order(concentrated, 0, alpha), 0);
  }
  expect_error(ErrorKind::invalid_distance, [&] { at_order(pure, 1, 1); });
}

TEST(CastToRdp, CurvesOfAComposedReleaseAddUp) {
  const Measurement both =
      make_composition({make_pureDP_to_RDP(laplace(2)), make_zCDP_to_RDP(gaussian(2))});
  for (double alpha : {1.5, 4.0, 100.0}) {
    EXPECT_EQ(at_order(both, 1, alpha),
              add_up(pure_renyi(Epsilon(0.5), RenyiOrder(alpha)), alpha / 8));
  }
}

// The exact bound for additive noise is never worse than its Renyi curve. The bound derived from a
// curve is never worse than the curve.
TEST(RdpToApproxDp, LossDistributionsAreNeverWorse) {
  const Measurement bare = make_user_measurement(
      scalars(AtomType::f64),
      absolute_distance(AtomType::f64),
      max_divergence(),
      [](const Value& arg) { return arg; },
      [](const Distance& d_in) -> Distance { return d_in; });
  for (const Measurement& one :
       {make_pureDP_to_RDP(laplace(2)), make_zCDP_to_RDP(gaussian(2)), make_pureDP_to_RDP(bare)}) {
    for (std::size_t times : {1u, 8u}) {
      const Measurement all = make_composition(std::vector<Measurement>(times, one));
      const Distance loss = make_RDP_to_approxDP(all).map(Scalar(0.5));
      const PrivacyProfile exact = compose_pld({{all, 1}}, Scalar(0.5));
      for (double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0}) {
        EXPECT_LE(exact.delta(epsilon), profile_of(loss).delta(epsilon)) << times << ' ' << epsilon;
      }
    }
  }
}

TEST(RdpToApproxDp, ACurveOfRhoGivesTheProfileOfRho) {
  const Distance direct = make_zCDP_to_approxDP(gaussian(4)).map(Scalar(1.0));
  const Distance found = make_RDP_to_approxDP(make_zCDP_to_RDP(gaussian(4))).map(Scalar(1.0));
  for (double delta : {1e-12, 1e-6, 1e-3}) {
    EXPECT_NEAR(profile_of(found).epsilon(delta), profile_of(direct).epsilon(delta), 1e-10);
  }
  const Distance none = make_RDP_to_approxDP(make_zCDP_to_RDP(gaussian(4))).map(Scalar(0.0));
  EXPECT_EQ(profile_of(none).delta(0), 0);
}

TEST(MeasureCast, KeepsSpaceAndFunction) {
  const Measurement exact = laplace(0);
  for (const Measurement& cast : {make_approximate(exact), make_pureDP_to_zCDP(exact)}) {
    EXPECT_EQ(cast.input_domain(), exact.input_domain());
    EXPECT_EQ(cast.input_metric(), exact.input_metric());
    EXPECT_EQ(release(cast, 0.25), 0.25);
  }
}

TEST(MeasureCast, RefusesOtherMeasures) {
  const Measurement smoothed = make_zCDP_to_approxDP(gaussian(1));
  const auto expect_type_error = [](Measurement (*cast)(const Measurement&), const Measurement& m) {
    try {
      cast(m);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::type) << error.what();
    }
  };
  expect_type_error(make_approximate, smoothed);
  expect_type_error(make_approximate, make_approximate(laplace(1)));
  expect_type_error(make_pureDP_to_zCDP, gaussian(1));
  expect_type_error(make_zCDP_to_approxDP, laplace(1));
  expect_type_error(make_zCDP_to_approxDP, make_approximate(laplace(1)));
  expect_type_error(make_fixed_approxDP_to_approxDP, laplace(1));
  expect_type_error(make_fixed_approxDP_to_approxDP, make_approximate(gaussian(1)));
  expect_type_error(make_pureDP_to_RDP, gaussian(1));
  expect_type_error(make_pureDP_to_RDP, make_approximate(laplace(1)));
  expect_type_error(make_zCDP_to_RDP, laplace(1));
  expect_type_error(make_RDP_to_approxDP, laplace(1));
}

}  // namespace
}  // namespace dp::test::measure_cast_test

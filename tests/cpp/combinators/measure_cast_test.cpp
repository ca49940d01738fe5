#include "core/combinators/measure_cast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/measures/loss.h"
#include "measurements/noise_support.h"
#include "support/doubles.h"
#include "support/exact_laws.h"
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
    if (row.is_error()) {
      EXPECT_THROW(profile.epsilon(at), Error);
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

// Whether `claim(epsilon)` as rho bounds the Renyi divergence of discrete Laplace noise.
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
  // epsilon^2 / 8 holds for mechanisms of bounded range, such as the exponential one, not for
  // noise.
  EXPECT_FALSE(covers_laplace([](double epsilon) { return epsilon * epsilon / 8; }));
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
}

}  // namespace
}  // namespace dp::test::measure_cast_test

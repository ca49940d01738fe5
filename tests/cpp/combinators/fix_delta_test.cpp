#include "core/combinators/fix_delta.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/combinators/measure_cast.h"
#include "core/measures/loss.h"
#include "measurements/noise_support.h"
#include "support/oracle_rows.h"

namespace dp::test::fix_delta_test {
namespace {

Measurement gaussian(double scale) {
  return make_gaussian(scalars(AtomType::f64), absolute_distance(AtomType::f64), scale);
}

Measurement with_loss(const Measure& measure, const Distance& fixed) {
  return Measurement(scalars(AtomType::i32),
                     absolute_distance(AtomType::i32),
                     measure,
                     Function(),
                     [fixed](const Distance&) { return fixed; });
}

Distance exponential_profile() {
  return std::make_shared<const PrivacyProfile>([](double e) { return std::exp(-e); });
}

TEST(FixDelta, AgreesWithTheOracle) {
  int tested = 0;
  for (const OracleRow& row : oracle_rows("make_fix_delta")) {
    const std::string inner = *row.arg("inner");
    const std::string shape = "make_zCDP_to_approxDP(make_gaussian(scale=";
    if (inner.compare(0, shape.size(), shape) != 0) continue;
    ++tested;
    const double delta = std::stod(*row.arg("delta"));
    const Measurement fixed = make_fix_delta(
        make_zCDP_to_approxDP(gaussian(std::stod(inner.substr(shape.size())))), Delta(delta));
    EXPECT_EQ(fixed.output_measure(), approximate(max_divergence()));
    const ApproximateLoss loss = approximate_in(fixed.map(Scalar(1.0)));
    const double expected = std::stod(row.d_out.substr(1));
    EXPECT_NEAR(number_in<double>(loss.inner), expected, 1e-9 * expected) << row.args;
    EXPECT_EQ(loss.delta, delta);
  }
  EXPECT_EQ(tested, 3);
}

TEST(FixDelta, TakesACarriedDeltaOff) {
  const ApproximateLoss plain = approximate_in(
      make_fix_delta(with_loss(smoothed_max_divergence(), exponential_profile()), Delta(1e-7))
          .map(Scalar(1)));
  EXPECT_EQ(number_in<double>(plain.inner), 16.11809565095832);
  const Measurement carried = with_loss(approximate(smoothed_max_divergence()),
                                        Distance::Tuple{exponential_profile(), Scalar(1e-7)});
  const ApproximateLoss loss = approximate_in(make_fix_delta(carried, Delta(2e-7)).map(Scalar(1)));
  EXPECT_EQ(number_in<double>(loss.inner), 16.11809565095832);
  EXPECT_EQ(loss.delta, 2e-7);
}

TEST(FixDelta, RefusesADeltaBelowTheCarriedOne) {
  const Measurement carried = with_loss(approximate(smoothed_max_divergence()),
                                        Distance::Tuple{exponential_profile(), Scalar(1e-7)});
  const Measurement fixed = make_fix_delta(carried, Delta(0.5e-7));
  try {
    fixed.map(Scalar(1));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::failed_map);
  }
}

TEST(FixDelta, RefusesMeasuresWithoutAProfile) {
  EXPECT_THROW(make_fix_delta(gaussian(1), Delta(1e-7)), Error);
  EXPECT_THROW(make_fix_delta(make_approximate(gaussian(1)), Delta(1e-7)), Error);
}

TEST(FixDelta, D_EPS_5_MoreDeltaNeverCostsMoreEpsilon) {
  double last = HUGE_VAL;
  for (double delta : {0.0, 1e-300, 1e-9, 0.5, 1.0}) {
    const Measurement fixed = make_fix_delta(make_zCDP_to_approxDP(gaussian(1)), Delta(delta));
    const double epsilon = number_in<double>(approximate_in(fixed.map(Scalar(1.0))).inner);
    EXPECT_GE(epsilon, 0);
    EXPECT_LE(epsilon, last);
    if (0 < delta && delta < 1) {
      EXPECT_GT(epsilon, 0);
      EXPECT_LT(epsilon, last);
    }
    last = epsilon;
  }
  EXPECT_EQ(last, 0);
}

}  // namespace
}  // namespace dp::test::fix_delta_test

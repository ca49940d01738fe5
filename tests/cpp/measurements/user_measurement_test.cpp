#include "core/measurements/user_measurement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/combinators/chain.h"
#include "core/measures/loss.h"
#include "core/transformations/rows/identity.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"

namespace dp::test::user_measurement_test {
namespace {

Measurement constant(const Measure& measure, const Distance& loss) {
  return make_user_measurement(
      scalars(AtomType::i32),
      absolute_distance(AtomType::i32),
      measure,
      [](const Value& arg) -> Value { return Scalar(element_in<std::int32_t>(arg) * 0 + 7); },
      [loss](const Distance&) { return loss; });
}

TEST(UserMeasurement, RunsAndMapsAsTold) {
  const Measurement seven = constant(max_divergence(), Scalar(0.25));
  EXPECT_EQ(element_in<std::int32_t>(seven.invoke(Scalar(1))), 7);
  EXPECT_EQ(loss(seven, 3), 0.25);
  EXPECT_TRUE(seven.check(Scalar(3), Scalar(0.25)));
  EXPECT_EQ(constant(approximate(max_divergence()), Distance::Tuple{Scalar(1.0), Scalar(0.0)})
                .map(Scalar(1))
                .as<Distance::Tuple>()
                ->size(),
            2u);
}

TEST(UserMeasurement, RefusesALossOfAnotherType) {
  const auto expect = [](const Measure& measure, const Distance& loss) {
    expect_error(ErrorKind::failed_function, [&] { constant(measure, loss).map(Scalar(1)); });
  };
  expect(max_divergence(), Scalar(1));
  expect(max_divergence(), Distance::Tuple{Scalar(1.0), Scalar(0.0)});
  expect(zero_concentrated_divergence(), Scalar(std::string("1")));
  expect(approximate(max_divergence()), Scalar(1.0));
  expect(approximate(max_divergence()), Distance::Tuple{Scalar(1.0)});
  expect(approximate(max_divergence()), Distance::Tuple{Scalar(1.0), Scalar(1)});
  expect(smoothed_max_divergence(), Scalar(1.0));
  expect(renyi_divergence(), Scalar(1.0));
}

TEST(UserMeasurement, D_CMP_1_RefusesALossThatIsNegativeOrNaNInAnyPart) {
  const auto pair = [](double inner, double delta) -> Distance {
    return Distance::Tuple{Scalar(inner), Scalar(delta)};
  };
  const auto expect = [](const Measure& measure, const Distance& loss) {
    expect_error(ErrorKind::failed_map, [&] { constant(measure, loss).map(Scalar(1)); });
  };
  for (double wrong : {-1.0, -5e-324, -HUGE_VAL, std::nan("")}) {
    expect(max_divergence(), Scalar(wrong));
    expect(zero_concentrated_divergence(), Scalar(wrong));
    for (const Measure& inner : {max_divergence(), zero_concentrated_divergence()}) {
      expect(approximate(inner), pair(wrong, 0));
      expect(approximate(inner), pair(0, wrong));
    }
    const Distance profile = std::make_shared<const PrivacyProfile>([=](double) { return wrong; });
    expect(approximate(smoothed_max_divergence()), Distance::Tuple{profile, Scalar(wrong)});
    const Distance loss = constant(smoothed_max_divergence(), profile).map(Scalar(1));
    expect_error(ErrorKind::failed_map, [&] { profile_in(loss).delta(1); });
    const Distance curve = Distance::Curve([=](double) { return wrong; });
    const Distance renyi = constant(renyi_divergence(), curve).map(Scalar(1));
    expect_error(ErrorKind::failed_map, [&] { (*renyi.as<Distance::Curve>())(2); });
  }
}

TEST(UserMeasurement, RefusesAPairThatIsNoMetricSpace) {
  expect_error(ErrorKind::metric_space, [] {
    make_user_measurement(
        scalars(AtomType::i32),
        symmetric_distance(),
        max_divergence(),
        [](const Value& arg) { return arg; },
        [](const Distance&) -> Distance { return Scalar(0.0); });
  });
}

}  // namespace
}  // namespace dp::test::user_measurement_test

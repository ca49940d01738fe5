#include "core/measurements/moments_by_position.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::moments_by_position_test {
namespace {

JointPlan plan_of(Gaps gaps, double epsilon) { return {gaps, true, 1, Epsilon(epsilon), 0}; }

Value rows_of(const Doubles& numbers) { return make_column(AtomType::f64, numbers); }

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(MomentsByPosition, AreThoseOfEachGroup) {
  const Value frame = rows_of({0, 10, 6, 9, kNaN});
  const auto imputing =
      make_moments_by_position({"x", 0, 10, 5, 5, false}, plan_of(Gaps::imputed, 1e15), {2, 3});
  expect_near(doubles_in(imputing.invoke(frame)), {0, 50, 5, 17});
  const auto dropping = make_moments_by_position(column("x"), plan_of(Gaps::dropped, 1e15), {2, 3});
  expect_near(doubles_in(dropping.invoke(frame)), {2, 0, 50, 2, 5, 17});
}

TEST(MomentsByPosition, LoseWhatOneGroupLosesUnderADistanceThatKeepsPlaces) {
  const auto measurement =
      make_moments_by_position(column("x"), plan_of(Gaps::imputed, 0.75), {2, 3});
  EXPECT_EQ(measurement.input_metric(), hamming_distance());
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.75);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 2.25);
}

// How far a row moves the moments of u in one position, over their noise scales. The groups keep
// their rows; in the mutant, a row may also be counted with the other group.
double greatest_loss(double epsilon, bool moves) {
  const JointPlan plan = plan_of(Gaps::imputed, epsilon);
  Doubles scales;
  for (const JointMoment& moment : joint_moments(1, plan))
    scales.push_back(to_double_nearest(joint_scale(moment, 1, plan)));
  double greatest = 0;
  for (double u = -1; u <= 1; u += 0.25) {
    for (double v = -1; v <= 1; v += 0.25) {
      const double kept = std::fabs(u - v) / scales[0] + std::fabs(u * u - v * v) / scales[1];
      const double moved = (std::fabs(u) + std::fabs(v)) / scales[0] + (u * u + v * v) / scales[1];
      greatest = std::max(greatest, moves ? moved : kept);
    }
  }
  return greatest;
}

TEST(MomentsByPosition, D_SEN_1_OnlyRowsThatKeepTheirGroupLoseEpsilonAtMost) {
  EXPECT_NEAR(greatest_loss(0.5, false), 0.5, 1e-12);
  EXPECT_GT(greatest_loss(0.5, true), 0.7);
}

TEST(MomentsByPosition, RefusesOtherNumbersOfRowsAndOfGroups) {
  const JointPlan plan = plan_of(Gaps::imputed, 1);
  const auto measurement = make_moments_by_position(column("x"), plan, {2, 3});
  expect_error(ErrorKind::failed_function, [&] { measurement.invoke(rows_of({1, 2, 3, 4})); });
  for (const std::vector<std::uint64_t>& sizes :
       {std::vector<std::uint64_t>{}, {1, 3}, std::vector<std::uint64_t>(1001, 2)}) {
    expect_error(ErrorKind::make_measurement,
                 [&] { make_moments_by_position(column("x"), plan, sizes); });
  }
}

}  // namespace
}  // namespace dp::test::moments_by_position_test

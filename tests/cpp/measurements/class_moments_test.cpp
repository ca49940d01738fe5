#include "core/measurements/class_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/accounting/pld.h"
#include "core/measurements/laplace_path_loss.h"
#include "core/numeric/rational.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/outcomes.h"
#include "support/tier.h"

namespace dp::test::class_moments_test {
namespace {

ClassPlan plan_of(Gaps gaps, std::uint64_t n, double epsilon = 1, std::uint64_t classes = 2) {
  return {"y", classes, gaps, Epsilon(epsilon), n};
}

Doubles released(const ClassPlan& plan, const std::vector<ColumnSpec>& columns, const Value& rows) {
  return doubles_in(make_class_moments(columns, plan).invoke(rows));
}

void expect_near(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(ClassMoments, ConvergeToBernsteinSumsOfEachClass) {
  // u is -1, 0, a gap and 1 in the first class, and 0.5 in the second. The other rows are in no
  // class.
  const Value frame =
      frame_of({-3, 5, kNaN, 10, 7.5, 1, 2, 3, 4}, {1, 1, 1, 1, 2, 0, 3, 1.5, kNaN});
  expect_near(released(plan_of(Gaps::dropped, 9, 1e15), {column("x")}, frame),
              {1.25, 0.5, 1.25, 1, 0.0625, 0.375, 0.5625, 0, 4});
  const std::vector<ColumnSpec> imputing = {{"x", 0, 10, 10, 10, false}};
  expect_near(released(plan_of(Gaps::imputed, 9, 1e15), imputing, frame),
              {1.25, 0.5, 2.25, 0.0625, 0.375, 0.5625, 4});
}

TEST(ClassMoments, OfWholeColumnsFractionsAreCutOff) {
  expect_near(released(plan_of(Gaps::dropped, 3, 1e15, 1),
                       {column("x", 0, 1, true)},
                       frame_of({0.9, 1.2, kInf}, {1, 1, 1})),
              {1, 0, 1, 1, 0});
}

TEST(ClassMoments, LackingRowsAreInNoClassAndSuperfluousOnesAreDropped) {
  const Value frame = frame_of({0, 0}, {1, 1});
  expect_near(released(plan_of(Gaps::imputed, 5, 1e15, 1), {column("x")}, frame), {2, 0, 0, 3});
  const Value three = frame_of({0, 0, 0}, {1, 1, 1});
  expect_near(released(plan_of(Gaps::imputed, 2, 1e15, 1), {column("x")}, three), {2, 0, 0, 0});
}

// Every contribution of a row to the cells of one column, in parts of a row.
using Cells = std::vector<Rational>;

std::vector<Cells> all_rows(const ClassPlan& plan, std::int64_t width) {
  std::vector<Cells> rows;
  const auto add = [&](std::uint64_t in_class, std::optional<std::int64_t> q) {
    Cells cells(cells_of_column(plan));
    for (const CellShare& each : cell_shares(in_class, q, width, plan))
      cells[each.cell] += Rational(to_integer(each.share)) / Rational(width * width);
    rows.push_back(cells);
  };
  for (std::uint64_t in_class = 0; in_class < plan.classes; ++in_class) {
    for (std::int64_t q = 0; q <= width; ++q) add(in_class, q);
    if (plan.gaps == Gaps::dropped) add(in_class, std::nullopt);
  }
  add(plan.classes, std::nullopt);
  return rows;
}

// Greatest loss of one replaced row with `columns` identical columns, at this noise scale. A row
// that is worst for one column is worst for all.
Rational greatest_loss(const ClassPlan& plan, std::size_t columns, const Rational& scale) {
  const std::vector<Cells> rows = all_rows(plan, 6);
  Rational greatest(0);
  for (const Cells& here : rows) {
    for (const Cells& there : rows) {
      Rational moved(0);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const Rational change = here[i] - there[i];
        moved += change < 0 ? Rational(-change) : change;
      }
      greatest = std::max(greatest, Rational(moved * Rational(Integer(columns)) / scale));
    }
  }
  return greatest;
}

TEST(ClassMoments, D_SEN_1_NoReplacedRowLosesMoreThanEpsilonAndSomeLoseIt) {
  for (const Gaps gaps : {Gaps::dropped, Gaps::imputed}) {
    for (const std::uint64_t classes : {1, 2, 3}) {
      const ClassPlan plan = plan_of(gaps, 9, 0.75, classes);
      for (const std::size_t columns : {1, 4}) {
        const Rational scale = class_scale(columns, plan);
        EXPECT_EQ(greatest_loss(plan, columns, scale), Rational(3, 4)) << classes << columns;
      }
    }
  }
}

TEST(ClassMoments, D_SEN_1_TheSameCheckRejectsLessNoise) {
  const ClassPlan plan = plan_of(Gaps::imputed, 9);
  const Rational right = class_scale(2, plan);
  EXPECT_LE(greatest_loss(plan, 2, right), Rational(1));
  // Mutants: a row cannot change its class, and columns cost nothing.
  EXPECT_GT(greatest_loss(plan, 2, right * Rational(3, 4)), Rational(1));
  EXPECT_GT(greatest_loss(plan, 2, right / 2), Rational(1));
}

TEST(ClassMoments, WhatARowAddsIsOneInAll) {
  for (const Gaps gaps : {Gaps::dropped, Gaps::imputed}) {
    for (const Cells& row : all_rows(plan_of(gaps, 9), 5)) {
      Rational sum(0);
      for (const Rational& cell : row) {
        EXPECT_GE(cell, Rational(0));
        sum += cell;
      }
      EXPECT_EQ(sum, Rational(1));
    }
  }
}

TEST(ClassMoments, LossIsEpsilonForEachRow) {
  const auto measurement = make_class_moments({column("x")}, plan_of(Gaps::dropped, 5, 0.75));
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{0}))), 0);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.75);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 2.25);
}

// Worst delta among all pairs of rows of one column, in steps of 1 / width^2 of a row.
Wide worst_delta(const ClassPlan& plan, std::int64_t width, double epsilon) {
  const Rational parts(width * width);
  const Rational scale = class_scale(1, plan) * parts;
  const Wide wide = Wide(numerator(scale)) / Wide(denominator(scale));
  const std::vector<Cells> rows = all_rows(plan, width);
  Wide worst = 0;
  for (const Cells& here : rows) {
    for (const Cells& there : rows) {
      Outcomes all = {{1, 1}};
      for (std::size_t i = 0; i < here.size(); ++i) {
        const long moved = std::lround(to_double_nearest((here[i] - there[i]) * parts));
        all = product(all, laplace_outcomes(wide, std::labs(moved)));
      }
      worst = std::max(worst, delta_of(all, epsilon));
    }
  }
  return worst;
}

TEST(ClassMoments, D_EPS_2_NoRowLosesMoreThanAPathOfItsSteps) {
  const ClassPlan plan = plan_of(Gaps::dropped, 5, 2);
  for (const int width : in_tier<std::vector<int>>({1, 2}, {1, 2, 4})) {
    const Rational step = 1 / (class_scale(1, plan) * Rational(width * width));
    const PrivacyProfile right = compose_loss_pairs({laplace_path_pair(Rational(2), step)});
    const PrivacyProfile less = compose_loss_pairs({laplace_path_pair(Rational(9, 5), step)});
    bool is_below = false;
    for (double epsilon = 0; epsilon < 2; epsilon += 0.125) {
      const Wide worst = worst_delta(plan, width, epsilon);
      EXPECT_GE(Wide(right.delta(epsilon)), worst) << width << ' ' << epsilon;
      is_below = is_below || Wide(less.delta(epsilon)) < worst;
    }
    EXPECT_TRUE(is_below) << width;
  }
}

TEST(ClassMoments, D_EPS_2_TheLawOfAMeasurementCoversThatOfItsRows) {
  const ClassPlan plan = plan_of(Gaps::imputed, 5, 2);
  const auto measurement = make_class_moments({column("x")}, plan);
  const PrivacyProfile profile = compose_pld({{measurement, 1}}, Scalar(std::uint32_t{1}));
  for (double epsilon = 0.25; epsilon < 2; epsilon += 0.25)
    EXPECT_GE(Wide(profile.delta(epsilon)), worst_delta(plan, 4, epsilon)) << epsilon;
}

TEST(ClassMoments, NoiseHasTheSpreadOfItsScale) {
  constexpr int kDraws = 20000;
  const ClassPlan plan = plan_of(Gaps::dropped, 2, 0.5);
  const auto measurement = make_class_moments({column("x")}, plan);
  const Value frame = frame_of({0, 0}, {1, 1});
  const double scale = to_double_nearest(class_scale(1, plan));
  Doubles totals(cells_of_column(plan), 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(frame));
    for (std::size_t c = 0; c < found.size(); ++c) totals[c] += std::fabs(found[c] - (c ? 0 : 2));
  }
  // 9 means of kDraws draws, each within 6.5 standard errors.
  for (const double total : totals)
    EXPECT_NEAR(total / kDraws, scale, 6.5 * scale / std::sqrt(double{kDraws}));
}

TEST(ClassMoments, RefusesWhatItMust) {
  const auto refused = [](const std::vector<ColumnSpec>& columns, const ClassPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_class_moments(columns, plan); });
  };
  const ClassPlan right = plan_of(Gaps::dropped, 5);
  refused({column("x")}, plan_of(Gaps::dropped, 1));
  refused({column("x")}, plan_of(Gaps::dropped, std::uint64_t{1} << 40));
  refused({column("x")}, plan_of(Gaps::dropped, 5, kInf));
  refused({column("x")}, plan_of(Gaps::dropped, 5, 1e-320));
  refused({column("x")}, plan_of(Gaps::dropped, 5, 1, 0));
  refused({column("x")}, plan_of(Gaps::dropped, 5, 1, 1001));
  refused({}, right);
  refused({column("x", 1, 1)}, right);
  refused({column("x"), column("x")}, right);
  refused({column("x"), column("y")}, right);
  std::vector<ColumnSpec> many;
  for (int i = 0; i < 65; ++i) many.push_back(column(std::to_string(i)));
  refused(many, right);
}

}  // namespace
}  // namespace dp::test::class_moments_test

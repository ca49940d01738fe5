// The law of joint moments, checked against the exact laws of all replacements of one row.
#include "core/measurements/laplace_path_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/accounting/pld.h"
#include "core/measurements/joint_moments.h"
#include "core/measurements/noise_loss.h"
#include "core/numeric/rational.h"
#include "support/centred_rows.h"
#include "support/frames.h"
#include "support/outcomes.h"
#include "support/tier.h"

namespace dp::test::laplace_path_loss_test {
namespace {

// Contribution of a row: (1, v / N), or a gap.
using Row = std::vector<int>;

struct Case {
  JointPlan plan;
  std::vector<int> steps;  // of each column
  int finer = 1;           // steps of the released integers in each of these
};

// Rows of integer columns from 0 to `steps`, in steps of v from -N to N. They include a gap unless
// gaps are imputed.
std::vector<Row> all_rows(const Case& each) {
  std::vector<Row> rows = centred_rows({1}, each.steps);
  if (each.plan.gaps == Gaps::dropped) rows.emplace_back(each.steps.size() + 1, 0);
  return rows;
}

Measurement measurement_of(const Case& each) {
  std::vector<ColumnSpec> columns;
  for (const int n : each.steps)
    columns.push_back(column("x" + std::to_string(columns.size()), 0, n, true));
  return make_joint_moments(columns, each.plan);
}

using Moments = std::vector<long>;  // in steps of the released integers

Moments moments_of(const Case& each, const std::vector<Row>& rows) {
  Moments sums;
  const auto factor = [&](const Row& row, std::size_t place) {
    return place ? long{row[place]} * each.finer : long{row[place]};
  };
  for (const JointMoment& moment : joint_moments(each.steps.size(), each.plan)) {
    sums.push_back(0);
    for (const Row& row : rows)
      sums.back() += factor(row, moment.first) * factor(row, moment.second);
  }
  return sums;
}

// Noise scale of each moment.
std::vector<Rational> scales_of(const Case& each) {
  const auto steps = [&](std::size_t place) {
    return place ? each.steps[place - 1] * each.finer : 1;
  };
  std::vector<Rational> scales;
  for (const JointMoment& moment : joint_moments(each.steps.size(), each.plan)) {
    scales.push_back(joint_scale(moment, each.steps.size(), each.plan) *
                     Rational(steps(moment.first) * steps(moment.second)));
  }
  return scales;
}

// Distance of each moment between two rows.
Moments moved(const Case& each, const std::vector<Row>& here, const std::vector<Row>& there) {
  Moments steps = moments_of(each, here);
  const Moments to = moments_of(each, there);
  for (std::size_t m = 0; m < steps.size(); ++m) steps[m] = std::labs(steps[m] - to[m]);
  return steps;
}

// Releases of the moments, and of moments moved by these steps.
Outcomes released(const Case& each, const Moments& steps) {
  Outcomes all = {{1, 1}};
  const std::vector<Rational> scales = scales_of(each);
  for (std::size_t m = 0; m < scales.size(); ++m) {
    const Wide wide = Wide(numerator(scales[m])) / Wide(denominator(scales[m]));
    all = product(all, laplace_outcomes(wide, steps[m]));
  }
  return all;
}

std::vector<double> shares_of(double most) {
  std::vector<double> epsilons;
  for (int i = 0; i < 12; ++i) epsilons.push_back(most * i / 12);
  return epsilons;
}

// Worst delta of `times` releases among all pairs of rows, at each epsilon.
std::vector<Wide> worst_deltas(const Case& each,
                               const std::vector<double>& epsilons,
                               std::uint64_t times) {
  const std::vector<Row> rows = all_rows(each);
  std::set<Moments> different;
  for (const Row& here : rows)
    for (const Row& there : rows) different.insert(moved(each, {here}, {there}));
  std::vector<Wide> worst(epsilons.size(), Wide(0));
  for (const Moments& steps : different) {
    const Outcomes one = released(each, steps);
    Outcomes all = one;
    for (std::uint64_t i = 1; i < times; ++i) all = product(all, one);
    for (std::size_t i = 0; i < epsilons.size(); ++i)
      worst[i] = std::max(worst[i], delta_of(all, epsilons[i]));
  }
  return worst;
}

const Distance kOne = Scalar(std::uint32_t{1});

JointPlan plan_of(bool products, double epsilon, std::uint64_t weight = 1) {
  return {Gaps::dropped, products, weight, Epsilon(epsilon), 5};
}

JointPlan imputed_plan(double epsilon) { return {Gaps::imputed, true, 1, Epsilon(epsilon), 5}; }

// All kinds: a count with a small or dominant share, coarse lattices and fine ones.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double epsilon : in_tier<std::vector<double>>({2}, {0.3, 2})) {
    for (const int n : {1, 2, 5}) {
      all.push_back({plan_of(false, epsilon), {n}});
      for (const std::uint64_t weight : {1, 2, 20})
        all.push_back({plan_of(true, epsilon, weight), {n}});
    }
    all.push_back({plan_of(false, epsilon), {1, 2}});
    all.push_back({plan_of(true, epsilon, 3), {1, 1}});
  }
  return all;
}

TEST(LaplacePathLoss, D_EPS_2_NoRowLosesMoreThanTheLawOfJointMoments) {
  for (const Case& each : cases()) {
    const double epsilon = each.plan.epsilon.value();
    const Measurement measurement = measurement_of(each);
    for (const std::uint64_t times : {1, 2}) {
      const PrivacyProfile profile = compose_pld({{measurement, times}}, kOne);
      const auto epsilons = shares_of(epsilon * static_cast<double>(times));
      const std::vector<Wide> worst = worst_deltas(each, epsilons, times);
      for (std::size_t i = 0; i < epsilons.size(); ++i)
        EXPECT_GE(Wide(profile.delta(epsilons[i])), worst[i]) << epsilon << ' ' << epsilons[i];
    }
  }
}

TEST(LaplacePathLoss, D_EPS_2_NorDoTwoRows) {
  for (const bool products : {false, true}) {
    const Case each{plan_of(products, 1, 2), {2}};
    const PrivacyProfile profile =
        compose_pld({{measurement_of(each), 1}}, Scalar(std::uint32_t{2}));
    const std::vector<Row> rows = all_rows(each);
    Wide most = -1;
    for (std::size_t pair = 0; pair < rows.size() * rows.size(); ++pair) {
      const std::vector<Row> here = {rows[pair / rows.size()], rows[pair % rows.size()]};
      for (const Row& first : rows) {
        for (const Row& second : rows) {
          const Outcomes all = released(each, moved(each, here, {first, second}));
          for (const double epsilon : shares_of(2)) {
            const Wide excess = delta_of(all, epsilon) - Wide(profile.delta(epsilon));
            most = std::max(most, excess);
          }
        }
      }
    }
    EXPECT_LE(most, 0) << products;
    EXPECT_GT(most, -0.1) << products;
  }
}

// Whether the bound of a path of `total` in steps of `step` is below the truth for some pair of
// rows.
bool is_below(const Case& each, const Rational& total, const Rational& step) {
  const PrivacyProfile profile = compose_loss_pairs({laplace_path_pair(total, step)});
  const auto epsilons = shares_of(each.plan.epsilon.value());
  const std::vector<Wide> worst = worst_deltas(each, epsilons, 1);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    if (Wide(profile.delta(epsilons[i])) < worst[i]) return true;
  }
  return false;
}

// The steps of imputed rows are too fine to enumerate. The test uses coarser steps and refines
// them.
TEST(LaplacePathLoss, D_EPS_2_NoImputedRowLosesMoreThanAPathOfItsSteps) {
  for (const int finer : in_tier<std::vector<int>>({1, 2}, {1, 2, 3, 5})) {
    for (const std::vector<int>& steps : {std::vector<int>{1}, {2}, {1, 1}}) {
      const Case each{imputed_plan(2), steps, finer};
      const std::vector<Rational> scales = scales_of(each);
      const Rational step = 1 / *std::min_element(scales.begin(), scales.end());
      EXPECT_FALSE(is_below(each, Rational(2), step)) << finer << ' ' << steps.size();
      // Two columns of two values do not have rows as far apart as the moments allow.
      if (steps.size() > 1) continue;
      EXPECT_TRUE(is_below(each, Rational(19, 10), step)) << finer;
    }
  }
}

TEST(LaplacePathLoss, TheSameCheckRejectsALittleLess) {
  const Case sums{plan_of(false, 2), {1}};  // the sum makes two steps of 1
  EXPECT_FALSE(is_below(sums, Rational(2), Rational(1)));
  EXPECT_TRUE(is_below(sums, Rational(199, 100), Rational(1)));
  EXPECT_TRUE(is_below(sums, Rational(2), Rational(9, 10)));
  const Case heavy{plan_of(true, 2, 20), {1}};  // the count makes one of 2 * 400 / 441
  EXPECT_FALSE(is_below(heavy, Rational(2), Rational(800, 441)));
  EXPECT_TRUE(is_below(heavy, Rational(2), Rational(1)));
}

TEST(LaplacePathLoss, OfOneStepIsRandomizedResponse) {
  const PrivacyProfile profile =
      compose_loss_pairs({laplace_path_pair(Rational(3, 2), Rational(3, 2))});
  for (const double epsilon : shares_of(1.5)) {
    const double exact = (std::exp(1.5) - std::exp(epsilon)) / (1 + std::exp(1.5));
    EXPECT_GE(profile.delta(epsilon), exact * (1 - 1e-12));
    EXPECT_NEAR(profile.delta(epsilon), exact, 1e-6 * exact);
  }
}

TEST(LaplacePathLoss, OfSmallStepsIsLaplaceNoise) {
  const PrivacyProfile profile =
      compose_loss_pairs({laplace_path_pair(Rational(3, 2), power_of_two(-30))});
  for (const double epsilon : shares_of(1.5)) {
    const double exact = -std::expm1((epsilon - 1.5) / 2);
    EXPECT_GE(profile.delta(epsilon), exact * (1 - 1e-12));
    EXPECT_NEAR(profile.delta(epsilon), exact, 1e-5 * exact);
  }
}

TEST(LaplacePathLoss, OfJointMomentsComposesBelowThatOfTheirEpsilon) {
  const auto measurement = make_joint_moments({column("x", 0, 1)}, plan_of(true, 1, 2));
  const auto one = [&](const LossPair& pair) {
    return compose_loss_pairs({{pair.forward, pair.backward, 100}}).epsilon(1e-3);
  };
  const double ours = compose_pld({{measurement, 100}}, kOne).epsilon(1e-3);
  const double noise = one(laplace_shift_loss(power_of_two(30), 1)(power_of_two(30)));
  EXPECT_NEAR(ours, noise, 1e-4 * noise);
  EXPECT_LT(ours, 0.9 * one(laplace_path_pair(Rational(1), Rational(1))));
}

TEST(LaplacePathLoss, EndsWhereDoublesDo) {
  EXPECT_EQ(compose_loss_pairs({laplace_path_pair(Rational(0), Rational(1))}).delta(0), 0);
  EXPECT_EQ(compose_loss_pairs({laplace_path_pair(Rational(701), Rational(1))}).delta(5), 1);
  EXPECT_GE(compose_loss_pairs({laplace_path_pair(Rational(700), Rational(1))}).delta(5), 1 - 1e-9);
}

}  // namespace
}  // namespace dp::test::laplace_path_loss_test

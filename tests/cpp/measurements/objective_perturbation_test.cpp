#include "core/measurements/objective_perturbation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <random>

#include "core/measurements/glm_objective.h"
#include "core/measurements/laplace.h"
#include "core/measurements/weighted_squares.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/frames.h"
#include "support/recorded_bits.h"
#include "support/tier.h"

namespace dp::test::objective_perturbation_test {
namespace {

GlmPlan plan_of(GlmFamily family, std::uint64_t n, double epsilon = 1e12) {
  return {family, true, n, 1, 0, Epsilon(epsilon)};
}

// Losses of steps 1 to 3 from their definitions, exact except for a logarithm.
double spent(const GlmPlan& plan, std::size_t d, const GlmBudget& budget) {
  const GlmLoss& loss = glm_loss(plan.family);
  const double size = static_cast<double>(d);
  const double apart = 2 * std::sqrt(size) * budget.gap / budget.ridge;
  return 2 * loss.slope_bound * budget.noise_rate +
         std::log1p(size * loss.curvature_bound / budget.ridge) +
         std::ldexp(apart, kCoefficientBits) / budget.release_scale + budget.variance_epsilon;
}

TEST(ObjectivePerturbation, D_EPS_1_PartsOfTheLossAddUpToEpsilon) {
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    for (const double epsilon : {1e-4, 0.1, 1.0, 7.0, 1e6}) {
      for (const std::size_t d : {std::size_t{1}, std::size_t{4}, std::size_t{20}}) {
        for (const double lambda : {0.0, 0.01, 3.0}) {
          GlmPlan plan = plan_of(family, 1000, epsilon);
          plan.lambda = lambda;
          const GlmBudget budget = glm_budget(plan, d);
          EXPECT_LE(spent(plan, d, budget), epsilon * (1 + 1e-12));
          EXPECT_GE(spent(plan, d, budget), epsilon * (1 - 1e-12));
          EXPECT_GE(budget.ridge, lambda * 1000);
          EXPECT_GE(budget.gap,
                    4 * std::sqrt(static_cast<double>(d)) * gradient_error(glm_loss(family), 1000));
          GlmBudget careless = budget;
          careless.noise_rate *= 1.01;
          EXPECT_GT(spent(plan, d, careless), epsilon);
        }
      }
    }
  }
}

TEST(ObjectivePerturbation, ConvergesToTheModelOfClampedRows) {
  // Two groups. A third of the first and two thirds of the second are 1, so the logits at the ends
  // of x are -log 2 and log 2.
  const Doubles y = {0, 0, 1, 0, 1, 9};
  const Doubles x = {2, 2, 2, 6, 6, 60};
  const auto measurement = make_objective_perturbation({column("y", 0, 1), column("x", 2, 6)},
                                                       plan_of(GlmFamily::logit, 6));
  const auto found = doubles_in(measurement.invoke(frame_of(x, y)));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], std::log(2.0), 1e-4);
}

TEST(ObjectivePerturbation, LeastSquaresComeWithTheirMeanSquare) {
  // In scaled units: x -1, 0, 1 and y -1, 1, 0: slope 1/2, residuals -1/2, 1, -1/2.
  const auto measurement = make_objective_perturbation({column("y", 0, 2), column("x", 10, 20)},
                                                       plan_of(GlmFamily::ols, 3));
  const auto found = doubles_in(measurement.invoke(frame_of({10, 15, 20}, {0, 2, 1})));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0], 0, 1e-4);
  EXPECT_NEAR(found[1], 0.5, 1e-4);
  EXPECT_NEAR(found[2], 0.5, 1e-4);
}

TEST(ObjectivePerturbation, WithoutInterceptColumnsAreNotCentred) {
  GlmPlan plan = plan_of(GlmFamily::ols, 2);
  plan.intercept = false;
  const auto measurement =
      make_objective_perturbation({column("y", -4, 2), column("x", 0, 8)}, plan);
  // y = x / 4, in units of 4 and 8.
  const auto found = doubles_in(measurement.invoke(frame_of({4, 8}, {1, 2})));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], 0.5, 1e-4);
  EXPECT_NEAR(found[1], 0, 1e-4);
}

TEST(ObjectivePerturbation, OffsetsAreAddedToLinearPredictors) {
  // In each row's group two of three are 1: logits of log 2 minus an offset of 1/2.
  GlmPlan plan = plan_of(GlmFamily::logit, 3);
  plan.has_offset = true;
  const auto measurement =
      make_objective_perturbation({column("y", 0, 1), column("x", -2, 2)}, plan);
  const auto found = doubles_in(measurement.invoke(frame_of({0.5, 0.5, 0.5}, {0, 1, 1})));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], std::log(2.0) - 0.5, 1e-4);
  // Counts up to 4 with means of 2: log 2 minus an offset of log 1/2.
  plan = plan_of(GlmFamily::poisson, 2);
  plan.has_offset = true;
  const auto counts = make_objective_perturbation({column("y", 0, 4), column("x", -2, 2)}, plan);
  const double half = std::log(0.5);
  EXPECT_NEAR(doubles_in(counts.invoke(frame_of({half, half}, {1, 3})))[0], std::log(4.0), 1e-3);
}

TEST(ObjectivePerturbation, D_EPS_1_AnOffsetChangesNothingOfTheBudget) {
  GlmPlan plan = plan_of(GlmFamily::poisson, 100, 0.7);
  const GlmBudget without = glm_budget(plan, 2);
  plan.has_offset = true;
  const GlmBudget with = glm_budget(plan, 2);
  EXPECT_EQ(with.noise_rate, without.noise_rate);
  EXPECT_EQ(with.ridge, without.ridge);
  EXPECT_EQ(with.release_scale, without.release_scale);
  // Slopes and curvatures stay within their bounds at every point.
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    const GlmLoss& loss = glm_loss(family);
    for (const double t : {-1048576.0, -1e3, -2.5, 0.0, 2.5, 1e3, 1048576.0}) {
      for (const double y : {0.0, 0.5, 1.0}) {
        EXPECT_LE(std::fabs(loss.slope(t, y)), loss.slope_bound);
        EXPECT_LE(loss.curvature(t, y), loss.curvature_bound);
        EXPECT_GE(loss.curvature(t, y), 0);
      }
    }
  }
}

TEST(ObjectivePerturbation, PartsAreDisjoint) {
  // All rows but one are equal, so two of three parts do not contain it.
  GlmPlan plan = plan_of(GlmFamily::ols, 9);
  plan.parts = 3;
  const auto measurement =
      make_objective_perturbation({column("y", -1, 1), column("x", -1, 1)}, plan);
  for (int i = 0; i < 20; ++i) {
    Doubles y(9, 0.0);
    y[4] = 1;
    const auto found = doubles_in(measurement.invoke(frame_of(Doubles(9, 0.0), y)));
    ASSERT_EQ(found.size(), 9u);
    Doubles intercepts = {found[0], found[3], found[6]};
    std::sort(intercepts.begin(), intercepts.end());
    EXPECT_NEAR(intercepts[1], 0, 1e-4);
    EXPECT_NEAR(intercepts[2], 1.0 / 3, 1e-4);
  }
}

TEST(ObjectivePerturbation, NoiseHasTheLawOfItsRate) {
  // One coefficient and a constant row. The ridge is so large that theta is -(slope + noise) /
  // ridge.
  GlmPlan plan = plan_of(GlmFamily::logit, 1, 1);
  plan.lambda = 250;
  const auto measurement = make_objective_perturbation({column("y", 0, 1)}, plan);
  const GlmBudget budget = glm_budget(plan, 1);
  const Value frame = std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{
          {Scalar(std::string("y")), make_column(AtomType::f64, Doubles{0.5})}});
  double total = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    total += std::fabs(doubles_in(measurement.invoke(frame))[0]) * (budget.ridge + 0.25);
  }
  // For one coefficient the density is Laplace, with mean magnitude and deviation 1 / rate.
  const double mean = total / kDraws * budget.noise_rate;
  EXPECT_NEAR(mean, 1, 6 / std::sqrt(double{kDraws}) + 1e-3);
}

// Noise of step 1 for d coefficients. Rows are constant and have no predictors. The ridge is so
// large that theta is -(noise) / ridge. Each row adds a quarter to the intercept's slope.
std::vector<Doubles> objective_noises(std::size_t d, int count, double& rate) {
  ReplayedBits bits(63);
  const ScopedBitSource scope(bits);
  GlmPlan plan = plan_of(GlmFamily::logit, d, 1);
  plan.lambda = 250;
  std::vector<ColumnSpec> columns = {column("y", 0, 1)};
  std::vector<NamedColumn> rows = {
      {Scalar(std::string("y")), make_column(AtomType::f64, Doubles(d, 0.5))}};
  for (std::size_t j = 1; j < d; ++j) {
    const std::string name = "x" + std::to_string(j);
    columns.push_back(column(name, -1, 1));
    rows.push_back({Scalar(name), make_column(AtomType::f64, Doubles(d, 0.0))});
  }
  const Measurement measurement = make_objective_perturbation(columns, plan);
  const Value frame = std::make_shared<const Frame>(AtomType::string, rows);
  const GlmBudget budget = glm_budget(plan, d);
  rate = budget.noise_rate;
  std::vector<Doubles> noises;
  for (int i = 0; i < count; ++i) {
    noises.push_back(doubles_in(measurement.invoke(frame)));
    for (std::size_t j = 0; j < d; ++j) {
      const double curvature = j == 0 ? 0.25 * static_cast<double>(d) : 0;
      noises.back()[j] *= -(budget.ridge + curvature);
    }
  }
  return noises;
}

// Probability of a worse fit to the density proportional to exp(-rate max|b_j|). Three quantities
// are independent. max|b_j| has a gamma law with this rate. The vector points at one of the 2 d
// faces of a cube. The other elements, over the largest, are uniform between -1 and 1; the test
// checks the next one.
double fit_of_noise(const std::vector<Doubles>& noises, double shape, double rate) {
  constexpr int kSizes = 6;
  constexpr int kPlaces = 4;
  const std::size_t d = noises[0].size();
  const boost::math::gamma_distribution<> sizes(shape, 1 / rate);
  Doubles ends;
  for (int i = 1; i < kSizes; ++i) ends.push_back(quantile(sizes, static_cast<double>(i) / kSizes));
  Doubles counts(kSizes * 2 * d * kPlaces);
  for (const Doubles& b : noises) {
    std::size_t largest = 0;
    for (std::size_t j = 1; j < d; ++j) {
      if (std::fabs(b[j]) > std::fabs(b[largest])) largest = j;
    }
    const double size = std::fabs(b[largest]);
    const auto cell = std::upper_bound(ends.begin(), ends.end(), size) - ends.begin();
    const std::size_t face = 2 * largest + (b[largest] < 0 ? 1 : 0);
    const double next = b[(largest + 1) % d] / size;
    const auto place = std::min(kPlaces - 1, static_cast<int>((next + 1) / 2 * kPlaces));
    counts[(static_cast<std::size_t>(cell) * 2 * d + face) * kPlaces +
           static_cast<std::size_t>(place)] += 1;
  }
  return fit(counts, FiniteLaw(counts.size(), Wide(1) / counts.size()));
}

TEST(ObjectivePerturbation, D_EPS_2_NoiseHasItsLawInAnyDimension) {
  for (const std::size_t d : {2u, 3u, 6u}) {
    double rate = 0;
    auto noises = objective_noises(d, in_tier(7000, 12000), rate);
    const double shape = static_cast<double>(d);
    EXPECT_GT(fit_of_noise(noises, shape, rate), 1e-6 / 3) << d;
    // Mutants: one exponential variable too few or too many, or a radius that is 15% too small.
    EXPECT_LT(fit_of_noise(noises, shape - 1, rate), 1e-6);
    EXPECT_LT(fit_of_noise(noises, shape + 1, rate), 1e-6);
    EXPECT_LT(fit_of_noise(noises, shape, rate * 1.15), 1e-6);
    // Mutant: each element has independent noise with the law of one coefficient.
    std::mt19937_64 random(5);
    std::exponential_distribution<> alone(rate);
    for (Doubles& b : noises) {
      for (double& each : b) each = random() % 2 == 0 ? alone(random) : -alone(random);
    }
    EXPECT_LT(fit_of_noise(noises, shape, rate), 1e-6);
  }
}

TEST(ObjectivePerturbation, D_EPS_1_SharesOfInferenceAddUpToEpsilon) {
  for (const double epsilon : {1e-3, 0.1, 0.3, 1.0, 7.0}) {
    for (const double share : {0.01, 0.2, 0.3, 0.5, 0.7, 0.99}) {
      for (const bool sandwich : {false, true}) {
        GlmPlan plan = plan_of(GlmFamily::ols, 1000, epsilon);
        plan.inference = {share, sandwich};
        const GlmShares shares = glm_shares(plan);
        const Rational sum = exact_rational(shares.objective) + exact_rational(shares.curvature) +
                             exact_rational(shares.slopes);
        EXPECT_LE(sum, exact_rational(epsilon));
        EXPECT_GE(to_double_nearest(sum), epsilon * (1 - 1e-15));
        EXPECT_NEAR(shares.curvature + shares.slopes, share * epsilon, 1e-15 * epsilon);
        EXPECT_EQ(shares.slopes, sandwich ? shares.curvature : 0);
        // The first stage equals a release with only its share.
        GlmPlan alone = plan_of(GlmFamily::ols, 1000, shares.objective);
        EXPECT_EQ(glm_budget(plan, 3).noise_rate, glm_budget(alone, 3).noise_rate);
        EXPECT_EQ(glm_budget(plan, 3).ridge, glm_budget(alone, 3).ridge);
      }
    }
  }
}

// Noise of steps 4 and 5. One row at 0 adds only noise to either sum.
TEST(ObjectivePerturbation, D_EPS_2_SumsOfInferenceHaveNoiseOfTheirShares) {
  constexpr int kDraws = 4000;
  GlmPlan plan = plan_of(GlmFamily::logit, 1, 10);
  plan.intercept = false;
  plan.lambda = 250;
  plan.inference = {0.2, true};
  const auto measurement =
      make_objective_perturbation({column("y", 0, 1), column("x", -1, 1)}, plan);
  const Value frame = frame_of({0}, {0.5});
  double curvatures = 0;
  double slopes = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Doubles found = doubles_in(measurement.invoke(frame));
    ASSERT_EQ(found.size(), 3u);
    curvatures += std::fabs(found[1]);
    slopes += std::fabs(found[2]);
  }
  const GlmShares shares = glm_shares(plan);
  const auto expected = [](double epsilon) {
    return 2 * to_double_nearest(square_scale(1, Epsilon(epsilon)));
  };
  const double six = 6 / std::sqrt(double{kDraws});
  EXPECT_NEAR(curvatures / kDraws / expected(shares.curvature), 1, six);
  EXPECT_NEAR(slopes / kDraws / expected(shares.slopes), 1, six);
}

// Noise of step 2 is far below the noise of step 1. If two releases share the words that step 1
// reads, they differ only by the noise of step 2.
TEST(ObjectivePerturbation, D_EPS_2_WhatIsFoundHasNoiseOfItsOwn) {
  constexpr int kDraws = 500;
  constexpr std::size_t kWords = 400;
  GlmPlan plan = plan_of(GlmFamily::logit, 1, 1);
  plan.lambda = 250;
  const auto measurement = make_objective_perturbation({column("y", 0, 1)}, plan);
  const Value frame = std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{
          {Scalar(std::string("y")), make_column(AtomType::f64, Doubles{0.5})}});
  const double unit = glm_budget(plan, 1).release_scale * 0x1p-60;
  std::vector<double> apart;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto released = [&](std::size_t same) {
      std::vector<std::uint64_t> words = replayed_words(seed, kWords);
      const auto others = replayed_words(seed + kDraws, kWords);
      std::copy(others.begin() + static_cast<long>(same),
                others.end(),
                words.begin() + static_cast<long>(same));
      RecordedBits bits(std::move(words));
      const ScopedBitSource scope(bits);
      return doubles_in(measurement.invoke(frame))[0] / unit;
    };
    const double whole = released(kWords);
    double by = HUGE_VAL;
    for (std::size_t same = 1; by > 1000; ++same) {
      ASSERT_LT(same, kWords);
      by = std::fabs(released(same) - whole);
    }
    apart.push_back(by);
  }
  std::nth_element(apart.begin(), apart.begin() + kDraws / 2, apart.end());
  // Two Laplace variables are more than t apart with probability (1 + t / 2) exp(-t).
  EXPECT_NEAR(apart[kDraws / 2], 1.146, 0.2);
}

// Sums at the released coefficients, from their definitions.
Doubles squares_at(const Doubles& theta,
                   const Doubles& z,
                   const Doubles& y,
                   double (*rho)(double t, double y)) {
  Doubles sums(3, 0.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double weight = std::clamp(rho(theta[0] + theta[1] * z[i], y[i]), 0.0, 1.0);
    sums[0] += weight;
    sums[1] += weight * z[i];
    sums[2] += weight * z[i] * z[i];
  }
  return sums;
}

double share_of(double t) { return 1 / (1 + std::exp(-t)); }

TEST(ObjectivePerturbation, WeightedSquaresAreThoseAtTheReleasedCoefficients) {
  const Doubles y = {0, 0, 1, 0, 1, 1};
  const Doubles x = {2, 3, 2, 6, 6, 5};
  Doubles z;
  for (const double each : x) z.push_back((each - 4) / 2);
  GlmPlan plan = plan_of(GlmFamily::logit, 6);
  plan.inference = {0.2, true};
  const auto measurement =
      make_objective_perturbation({column("y", 0, 1), column("x", 2, 6)}, plan);
  const auto found = doubles_in(measurement.invoke(frame_of(x, y)));
  ASSERT_EQ(found.size(), 8u);
  const Doubles curvatures =
      squares_at(found, z, y, [](double t, double) { return 4 * share_of(t) * (1 - share_of(t)); });
  const Doubles slopes = squares_at(found, z, y, [](double t, double response) {
    return (share_of(t) - response) * (share_of(t) - response);
  });
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(found[2 + m], curvatures[m], 1e-5) << m;
    EXPECT_NEAR(found[5 + m], slopes[m], 1e-5) << m;
  }
  plan.inference.sandwich = false;
  const auto classical = make_objective_perturbation({column("y", 0, 1), column("x", 2, 6)}, plan);
  EXPECT_EQ(doubles_in(classical.invoke(frame_of(x, y))).size(), 5u);
}

// Bounds of curvatures that are lower than c do not affect the release.
TEST(ObjectivePerturbation, CurvaturesAreThoseOfMeanResponsesAndInUnitsOfTheirBound) {
  const Doubles x = {2, 3, 2, 6, 6, 5};
  Doubles z;
  for (const double each : x) z.push_back((each - 4) / 2);
  const auto squares = [&](GlmFamily family, double largest, const Doubles& y) {
    GlmPlan plan = plan_of(family, 6);
    plan.lambda = 0.1;
    plan.inference = {0.2, false};
    const auto measurement =
        make_objective_perturbation({column("y", 0, largest), column("x", 2, 6)}, plan);
    return doubles_in(measurement.invoke(frame_of(x, y)));
  };
  const auto counted = squares(GlmFamily::poisson, 16, {1, 0, 2, 2, 1, 3});
  // With the opposite slope, the largest mean is at the other end.
  const auto mirrored = squares(GlmFamily::poisson, 16, {3, 2, 2, 0, 1, 0});
  const auto shared = squares(GlmFamily::probit, 1, {0, 0, 1, 0, 1, 1});
  const auto mean = [](double t, double) { return std::exp(t) / 16; };
  const auto information = [](double t, double) {
    const double below = 0.5 * std::erfc(-t * std::sqrt(0.5));
    const double density = std::exp(-t * t / 2) / std::sqrt(8 * std::atan(1.0));
    return density * density / (below * (1 - below));
  };
  EXPECT_GT(counted[1], 0.05);
  EXPECT_LT(mirrored[1], -0.05);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(counted[2 + m], squares_at(counted, z, x, mean)[m], 1e-5) << m;
    EXPECT_NEAR(mirrored[2 + m], squares_at(mirrored, z, x, mean)[m], 1e-5) << m;
    EXPECT_NEAR(shared[2 + m], squares_at(shared, z, x, information)[m], 1e-5) << m;
  }
}

TEST(ObjectivePerturbation, RowsWithAGapHaveNoWeight) {
  for (const GlmFamily family :
       {GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols}) {
    GlmPlan plan = plan_of(family, 4);
    plan.lambda = 1;
    plan.drops = true;
    plan.inference = {0.2, true};
    const std::vector<ColumnSpec> columns = {column("y", 0, 1), column("x", -1, 1)};
    const Doubles y = {0, 1, 1, kNaN};
    const Doubles x = {0.5, 0.25, kNaN, -1};
    const auto found =
        doubles_in(make_objective_perturbation(columns, plan).invoke(frame_of(x, y)));
    const std::size_t first = family == GlmFamily::ols ? 4 : 2;
    ASSERT_EQ(found.size(), first + 6);
    // Two rows remain. Their predictors have the mean square (1/4 + 1/16) / 2.
    EXPECT_GT(found[first], 0.1);
    EXPECT_LT(found[first], 2.0001);
    EXPECT_GT(found[first + 2] / found[first], 0.0624);
    EXPECT_LT(found[first + 2] / found[first], 0.2501);
  }
}

TEST(ObjectivePerturbation, LossGrowsWithReplacedRows) {
  const auto measurement = make_objective_perturbation({column("y", 0, 1), column("x", 0, 1)},
                                                       plan_of(GlmFamily::logit, 10, 0.5));
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{0}))), 0);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{1}))), 0.5);
  EXPECT_EQ(number_in<double>(measurement.map(Scalar(std::uint32_t{3}))), 1.5);
  GlmPlan plan = plan_of(GlmFamily::logit, 10, 0.5);
  plan.inference = {0.3, true};
  const auto staged = make_objective_perturbation({column("y", 0, 1), column("x", 0, 1)}, plan);
  EXPECT_EQ(number_in<double>(staged.map(Scalar(std::uint32_t{1}))), 0.5);
  EXPECT_EQ(number_in<double>(staged.map(Scalar(std::uint32_t{3}))), 1.5);
}

TEST(ObjectivePerturbation, RefusesWhatItMust) {
  const std::vector<ColumnSpec> columns = {column("y", 0, 1), column("x", 0, 1)};
  const auto refused = [](const std::vector<ColumnSpec>& made_of, const GlmPlan& plan) {
    expect_error(ErrorKind::make_measurement, [&] { make_objective_perturbation(made_of, plan); });
  };
  const GlmPlan good = plan_of(GlmFamily::logit, 10, 1);
  make_objective_perturbation(columns, good);
  refused({}, good);
  refused({columns[0], columns[0]}, good);
  refused({columns[0], column("x", 1, 1)}, good);
  refused(std::vector<ColumnSpec>(70, columns[0]), good);
  refused({column("y", -1, 1), columns[1]}, plan_of(GlmFamily::poisson, 10, 1));
  GlmPlan bad = good;
  bad.epsilon = Epsilon(1e-14);
  refused(columns, bad);
  bad = good;
  bad.epsilon = Epsilon(0);
  refused(columns, bad);
  bad = good;
  bad.lambda = -1;
  refused(columns, bad);
  bad = good;
  bad.parts = 6;
  refused(columns, bad);
  bad = good;
  bad.parts = 0;
  refused(columns, bad);
  for (const double share : {-0.1, 1.0, kNaN}) {
    bad = good;
    bad.inference.share = share;
    refused(columns, bad);
  }
  bad = good;
  bad.has_offset = true;
  bad.intercept = false;
  refused(columns, bad);  // no coefficient is left
  bad.intercept = true;
  make_objective_perturbation(columns, bad);
  refused({columns[0], column("x", 0, 0x1.1p20)}, bad);
  refused({columns[0]}, bad);
  bad = good;
  bad.parts = 2;
  bad.inference.share = 0.2;
  refused(columns, bad);
}

}  // namespace
}  // namespace dp::test::objective_perturbation_test

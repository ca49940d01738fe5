#include "core/accounting/optimal_composition.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "core/accounting/composed_loss.h"
#include "numeric/oracle.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::optimal_composition_test {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_100;
using Losses = std::vector<ReleaseLoss>;

Losses pure(const std::vector<double>& epsilons) {
  Losses losses;
  for (const double epsilon : epsilons) losses.push_back({Epsilon(epsilon), Delta(0)});
  return losses;
}

Losses equal(std::size_t count, double epsilon, double delta = 0) {
  return Losses(count, {Epsilon(epsilon), Delta(delta)});
}

// The definition: all 2^k subsets of truths.
template <class Number>
class Definition {
 public:
  explicit Definition(const std::vector<double>& epsilons) {
    using std::exp;
    for (const double epsilon : epsilons) weight_ *= 1 + exp(Number(epsilon));
    for (std::size_t set = 0; set < std::size_t{1} << epsilons.size(); ++set) {
      Number inside = 0;
      Number outside = 0;
      for (std::size_t i = 0; i < epsilons.size(); ++i) {
        (set >> i & 1 ? inside : outside) += epsilons[i];
      }
      subsets_.emplace_back(exp(inside), exp(outside));
    }
  }

  Number delta(const Number& target) const {
    using std::exp;
    const Number factor = exp(target);
    Number total = 0;
    for (const auto& [inside, outside] : subsets_) {
      const Number term = inside - factor * outside;
      if (term > 0) total += term;
    }
    return total / weight_;
  }

 private:
  Number weight_ = 1;
  std::vector<std::pair<Number, Number>> subsets_;
};

using Claim = std::function<double(const std::vector<double>&, double)>;

double claimed(const std::vector<double>& epsilons, double target) {
  return ComposedLoss(epsilons).delta(Epsilon(target));
}

const std::vector<std::vector<double>> kFew = {{1},
                                               {0.1, 0.2, 0.3},
                                               {0.5, 0.5, 0.5, 0.5},
                                               {3, 0.001, 0.7, 0.7, 2},
                                               {1e-9, 1e-9, 1e-9},
                                               {20, 30, 0.1}};

// Number of claims below the truth, and their largest excess over it.
struct Verdict {
  int below = 0;
  double excess = 0;
};

Verdict judge(const Claim& claim) {
  Verdict verdict;
  for (const auto& epsilons : kFew) {
    double sum = 0;
    for (const double epsilon : epsilons) sum += epsilon;
    const Definition<Wide> definition(epsilons);
    for (double share = 0; share < 1.1; share += 0.0625) {
      const Wide truth = definition.delta(share * sum);
      const Wide value = claim(epsilons, share * sum);
      if (value < truth) ++verdict.below;
      verdict.excess = std::max(verdict.excess, static_cast<double>(value - truth));
    }
  }
  return verdict;
}

TEST(OptimalComposition, DeltaIsAtOrAboveTheDefinitionAndNextToIt) {
  const Verdict verdict = judge(claimed);
  EXPECT_EQ(verdict.below, 0);
  EXPECT_LT(verdict.excess, 1e-12);
}

TEST(OptimalComposition, TheCheckRejectsAClaimWithoutItsLastDigits) {
  const Verdict verdict = judge([](const std::vector<double>& epsilons, double target) {
    return claimed(epsilons, target) * (1 - 1e-11);
  });
  EXPECT_GT(verdict.below, 50);
}

TEST(OptimalComposition, EqualReleasesAgreeWithSixtyDigits) {
  struct Row {
    std::size_t count;
    double epsilon, delta, target, expected;
  };
  for (const Row& row : {Row{800, 1, 0, 1e-5, 473.065151412281},
                         Row{1000, 0.1, 0, 1e-6, 19.344671447993},
                         Row{5000, 0.01, 0, 1e-6, 3.30637827278499},
                         Row{10, 0.1, 1e-6, 1e-5, 0.999999971699452},
                         Row{20, 0.05, 1e-8, 1e-6, 0.878863286771355}}) {
    const double epsilon =
        optimal_epsilon(equal(row.count, row.epsilon, row.delta), Delta(row.target));
    EXPECT_GE(epsilon, row.expected * (1 - 2e-15));
    EXPECT_NEAR(epsilon, row.expected, 1e-10 * row.expected);
  }
}

TEST(OptimalComposition, OnAGridTheLossIsAboveTheExactOneByLittle) {
  // Epsilons that differ enough to need the grid, but not enough to matter.
  for (const std::size_t count : {20u, 300u, 2000u}) {
    Losses losses;
    std::vector<double> epsilons;
    for (std::size_t i = 0; i < count; ++i) {
      epsilons.push_back(0.1 + 1e-12 * static_cast<double>(i));
      losses.push_back({Epsilon(epsilons.back()), Delta(0)});
    }
    EXPECT_FALSE(ComposedLoss(epsilons).is_exact());
    const double exact = optimal_epsilon(equal(count, 0.1), Delta(1e-6));
    const double on_grid = optimal_epsilon(losses, Delta(1e-6));
    EXPECT_GE(on_grid, exact * (1 - 1e-12));
    EXPECT_LT(on_grid, exact * 1.001);
  }
}

TEST(OptimalComposition, OnAGridTheWholeCurveIsAboveTheDefinition) {
  std::vector<double> epsilons;
  for (int i = 0; i < 18; ++i) epsilons.push_back(0.05 * (i + 1) / 1.7);
  ASSERT_FALSE(ComposedLoss(epsilons).is_exact());
  const Definition<double> definition(epsilons);
  for (const double target : {0.0, 0.5, 1.0, 2.0, 4.0}) {
    const double truth = definition.delta(target);
    const double value = claimed(epsilons, target);
    EXPECT_GE(value, truth * (1 - 1e-12));
    EXPECT_LT(value, truth * 1.0001 + 1e-12);
  }
}

// Least epsilon whose delta, by definition, is at most `delta`.
Wide least_epsilon(const std::vector<double>& epsilons, double delta) {
  const Definition<Wide> definition(epsilons);
  Wide low = 0;
  Wide high = 0;
  for (const double epsilon : epsilons) high += epsilon;
  if (definition.delta(low) <= delta) return 0;
  for (int i = 0; i < 200; ++i) {
    const Wide middle = (low + high) / 2;
    (definition.delta(middle) <= delta ? high : low) = middle;
  }
  return high;
}

TEST(OptimalComposition, TheLossIsNextToTheLeastOfTheDefinition) {
  for (const auto& epsilons : kFew) {
    for (const double delta : {1e-300, 1e-12, 1e-6, 0.1, 0.9}) {
      const Losses losses = pure(epsilons);
      const Wide least = least_epsilon(epsilons, delta);
      const double optimal = optimal_epsilon(losses, Delta(delta));
      EXPECT_GE(Wide(optimal), least * (1 - Wide(1e-90)));
      EXPECT_LE(Wide(optimal), least * (1 + Wide(1e-6)) + Wide(1e-12));
      // The function that allows releases and the one that refuses them agree with the definition.
      const auto within = [&](const Wide& factor) {
        const auto epsilon = static_cast<double>(Wide(least * factor));
        return composes_within(losses, {Epsilon(epsilon), Delta(delta)});
      };
      EXPECT_TRUE(within(1 + Wide(1e-5)) || least == 0);
      EXPECT_FALSE(within(1 - Wide(1e-5)) && least > 0);
    }
  }
}

// Closed form of Kairouz, Oh and Viswanath (2015), Theorem 3.5, to a hundred digits. Deltas may be
// 0.
Wide formula(const Losses& losses, double target) {
  Wide sum = 0, mean = 0, squares = 0, intact = 1;
  for (const ReleaseLoss& loss : losses) {
    const Wide epsilon = loss.epsilon.value();
    sum += epsilon;
    mean += epsilon * tanh(epsilon / 2);
    squares += epsilon * epsilon;
    intact *= 1 - Wide(loss.delta.value());
  }
  const Wide left = 1 - (1 - Wide(target)) / intact;
  const auto spread = [&](const Wide& logarithm) -> Wide {
    return mean + sqrt(2 * squares * std::max(logarithm, Wide(0)));
  };
  const Wide first = spread(log(exp(Wide(1)) + sqrt(squares) / left));
  const Wide second = spread(-log(left));
  return std::min({sum, first, second});
}

constexpr int kTrials = in_tier(600, 3000);

// Number of claims for random releases below the formula, and the largest relative excess.
Verdict judge_formula(const std::function<double(const Losses&, double)>& claim) {
  std::mt19937_64 random(8);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  Verdict verdict;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double typical = std::exp(30 * uniform() - 28);
    Losses losses;
    for (std::uint64_t i = 0, n = 1 + random() % 40; i < n; ++i) {
      const double delta = trial % 3 == 0 ? 1e-9 * uniform() : 0;
      losses.push_back({Epsilon(typical * uniform()), Delta(delta)});
    }
    // Far above the summed deltas of the releases.
    const double target = trial % 7 == 0 ? uniform() : std::exp(-15 * uniform());
    const Wide truth = formula(losses, target);
    const Wide value = claim(losses, target);
    if (value < truth) ++verdict.below;
    if (truth > 0) {
      verdict.excess = std::max(verdict.excess, static_cast<double>((value - truth) / truth));
    }
  }
  return verdict;
}

TEST(OptimalComposition, D_FLT_3_TheClosedFormIsAtOrAboveItsFormulaByLittle) {
  const Verdict verdict = judge_formula([](const Losses& losses, double target) {
    return closed_form_epsilon(losses, Delta(target));
  });
  EXPECT_EQ(verdict.below, 0);
  EXPECT_LT(verdict.excess, 1e-6);
}

TEST(OptimalComposition, D_FLT_3_TheCheckRejectsOneThatIsRoundedToNearest) {
  const Verdict verdict = judge_formula([](const Losses& losses, double target) {
    return static_cast<double>(formula(losses, target));
  });
  EXPECT_GT(verdict.below, kTrials / 6);
}

TEST(OptimalComposition, DeltasOfReleasesAreCountedOnce) {
  // If the epsilons add up, only 1 - (1 - 1e-7)^3 remains.
  const Losses losses = equal(3, 0.2, 1e-7);
  EXPECT_NEAR(optimal_delta(losses, Epsilon(0.61)), 2.99999970000001e-7, 1e-20);
  EXPECT_TRUE(composes_within(losses, {Epsilon(0.61), Delta(3e-7)}));
  EXPECT_FALSE(composes_within(losses, {Epsilon(100), Delta(2.9e-7)}));
}

TEST(OptimalComposition, ADeltaThatIsSpentAlreadyIsRefused) {
  expect_error(ErrorKind::invalid_distance,
               [] { optimal_epsilon(equal(10, 0.1, 1e-5), Delta(1e-5)); });
  expect_error(ErrorKind::invalid_distance,
               [] { closed_form_epsilon(equal(2, 0.1, 1), Delta(0.5)); });
  EXPECT_FALSE(composes_within(equal(2, 0.1, 1e-3), {Epsilon(0.9), Delta(1e-5)}));
  // A single release keeps its loss.
  EXPECT_EQ(optimal_epsilon(equal(1, 0.3, 1e-5), Delta(1e-5)), 0.3);
  EXPECT_EQ(optimal_epsilon({}, Delta(0)), 0);
  EXPECT_EQ(optimal_epsilon(equal(3, 0.5), Delta(1)), 0);
}

TEST(OptimalComposition, ThousandsOfLargeLossesFallBackOnAFormula) {
  const double epsilon = optimal_epsilon(equal(2000, 1), Delta(1e-5));
  EXPECT_EQ(epsilon, closed_form_epsilon(equal(2000, 1), Delta(1e-5)));
  EXPECT_LT(epsilon, 1200);
  EXPECT_GT(epsilon, 1089.67) << "the optimum itself";
}

TEST(OptimalComposition, ABudgetIsSplitInProportionAndUsedUp) {
  const ReleaseLoss budget{Epsilon(1), Delta(1e-5)};
  for (const std::size_t count : {1u, 2u, 20u, 400u}) {
    Losses free = equal(count, 1, 1e-9);
    free[0] = {Epsilon(2), Delta(1e-9)};
    const std::vector<double> split = scale_to_budget(free, {}, budget);
    Losses result;
    Losses larger;
    for (const double epsilon : split) {
      result.push_back({Epsilon(epsilon), Delta(1e-9)});
      larger.push_back({Epsilon(epsilon * 1.0001), Delta(1e-9)});
      EXPECT_NEAR(epsilon / split.back(), epsilon == split[0] && count > 1 ? 2 : 1, 1e-12);
    }
    EXPECT_TRUE(composes_within(result, budget));
    EXPECT_FALSE(composes_within(larger, budget));
  }
  EXPECT_GT(scale_to_budget(equal(20, 1, 1e-7), {}, budget)[0], 0.0631);
  expect_error(ErrorKind::invalid_distance,
               [&] { scale_to_budget(equal(2, 1), equal(1, 1.5), budget); });
  // The search also ends for the smallest budgets.
  const ReleaseLoss tiny{Epsilon(1000 * 0x1p-1074), Delta(0)};
  EXPECT_LE(scale_to_budget(equal(3, 1), {}, tiny)[0], 333 * 0x1p-1074);
  expect_error(ErrorKind::invalid_distance, [] {
    scale_to_budget(equal(3, 1), {}, {Epsilon(0x1p-1074), Delta(0)});
  });
  expect_error(ErrorKind::invalid_distance,
               [&] { scale_to_budget(equal(3, 1, 1e-5), {}, budget); });
}

using Formula = std::function<double(std::uint64_t, double, double)>;

double ours(std::uint64_t count, double epsilon, double slack) {
  return advanced_composition(count, Epsilon(epsilon), Delta(slack));
}

double to_nearest(std::uint64_t count, double epsilon, double slack) {
  const auto k = static_cast<double>(count);
  return std::sqrt(2 * k * std::log(1 / slack)) * epsilon + k * epsilon * std::expm1(epsilon);
}

// Number of times a formula is below the truth, and its largest relative excess.
struct Excess {
  int below = 0;
  double most = 0;
};

Excess advanced_excess(const Formula& formula) {
  oracle::Words words(1);
  Excess excess;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t count = 1 + words.below(1000);
    const double epsilon = std::ldexp(1 + static_cast<double>(words.below(1 << 20)) * 0x1p-20,
                                      static_cast<int>(words.below(12)) - 10);
    const double slack = std::ldexp(1 + static_cast<double>(words.below(1 << 20)) * 0x1p-20,
                                    -1 - static_cast<int>(words.below(60)));
    const Wide k = count;
    const Wide e = epsilon;
    const Wide truth = sqrt(Wide(-2 * k * log(Wide(slack)))) * e + k * e * (exp(e) - 1);
    const Wide claim = formula(count, epsilon, slack);
    excess.below += claim < truth;
    excess.most = std::max(excess.most, static_cast<double>(Wide(claim / truth - 1)));
  }
  return excess;
}

TEST(AdvancedComposition, IsNeverBelowItsFormulaAndAboveByRoundingAlone) {
  const Excess excess = advanced_excess(ours);
  EXPECT_EQ(excess.below, 0);
  EXPECT_LT(excess.most, 2e-15);
}

TEST(AdvancedComposition, RoundedToNearestWouldBeBelowItInAThirdOfAllCases) {
  EXPECT_GT(advanced_excess(to_nearest).below, 600);
}

TEST(AdvancedComposition, IsInfiniteWhereNothingIsLeftToSay) {
  EXPECT_EQ(ours(1, 1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ours(1, 1e5, 0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ours(1, 0, 0.5), 0);
}

}  // namespace
}  // namespace dp::test::optimal_composition_test

#include "core/accounting/shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/accounting/compose.h"
#include "core/measures/measure.h"
#include "core/numeric/rational.h"
#include "numeric/oracle.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::shares_test {
namespace {

using Shares = std::function<std::vector<double>(double, const std::vector<double>&)>;

std::vector<double> ours(double budget, const std::vector<double>& weights) {
  return share_epsilon(Epsilon(budget), weights);
}

// Each share rounded to nearest, as a user would write it.
std::vector<double> to_nearest(double budget, const std::vector<double>& weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<double> shares;
  for (const double weight : weights) shares.push_back(budget * weight / total);
  return shares;
}

double composed(const std::vector<double>& epsilons) {
  std::vector<Distance> losses;
  for (const double epsilon : epsilons) losses.push_back(Scalar(epsilon));
  return number_in<double>(compose(max_divergence(), losses));
}

struct Split {
  double budget;
  std::vector<double> weights;
};

Split random_split(oracle::Words& words) {
  const auto number = [&] {
    return std::ldexp(1 + static_cast<double>(words.below(1 << 20)) * 0x1.3p-20,
                      static_cast<int>(words.below(40)) - 30);
  };
  Split split{number(), {}};
  const std::size_t count = 1 + words.below(60);
  const bool equal = words.below(2) == 0;
  for (std::size_t i = 0; i < count; ++i) split.weights.push_back(equal ? 1 : number());
  return split;
}

constexpr int kSplits = in_tier(1500, 5000);

// Number of random splits that exceed the budget.
int splits_above(const Shares& shares) {
  oracle::Words words(1);
  int above = 0;
  for (int i = 0; i < kSplits; ++i) {
    const Split split = random_split(words);
    above += composed(shares(split.budget, split.weights)) > split.budget;
  }
  return above;
}

TEST(Shares, ComposeWithinTheBudgetWhateverTheWeights) { EXPECT_EQ(splits_above(ours), 0); }

TEST(Shares, RoundedToNearestWouldExceedTheBudgetOften) {
  EXPECT_GT(splits_above(to_nearest), kSplits / 10);
}

TEST(Shares, AreInProportionAndLeaveLittleMoreThanRounding) {
  oracle::Words words(2);
  for (int i = 0; i < 500; ++i) {
    const auto [budget, weights] = random_split(words);
    Rational total(0);
    for (const double weight : weights) total += exact_rational(weight);
    const std::vector<double> shares = ours(budget, weights);
    const Rational slack = 1 - Rational(4 * weights.size()) * power_of_two(-53);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const Rational whole = exact_rational(budget) * exact_rational(weights[j]) / total;
      EXPECT_LE(exact_rational(shares[j]), whole);
      EXPECT_GE(exact_rational(shares[j]), whole * slack);
    }
  }
}

TEST(Shares, OfOneReleaseAreAllOfTheBudget) {
  EXPECT_EQ(ours(0.1, {3}), std::vector<double>{0.1});
  EXPECT_EQ(ours(5e-324, {1e-300}), std::vector<double>{5e-324});
}

TEST(Shares, OfEqualWeightsAreEqual) {
  const std::vector<double> shares = ours(0.7, std::vector<double>(11, 0.3));
  EXPECT_EQ(std::count(shares.begin(), shares.end(), shares[0]), 11);
}

TEST(Shares, AreRefusedUnlessAllCanBePositive) {
  for (const Split& bad : std::vector<Split>{{0, {1}},
                                             {kInf, {1}},
                                             {1, {}},
                                             {1, {1, 0}},
                                             {1, {1, -1}},
                                             {1, {1, kInf}},
                                             {5e-324, {1, 1}}}) {
    expect_error(ErrorKind::invalid_distance, [&] { ours(bad.budget, bad.weights); });
  }
}

}  // namespace
}  // namespace dp::test::shares_test

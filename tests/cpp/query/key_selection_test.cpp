#include "core/query/key_selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric/enclosure.h"
#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/recorded_bits.h"

namespace dp::query {
namespace {

// Closed form of the optimal law (Desfontaines and others 2022, Theorem 1).
double optimal(double epsilon, double delta, int n) {
  const double ratio = std::expm1(epsilon);
  const double n1 = 1 + std::floor(std::log1p(std::tanh(epsilon / 2) * (1 / delta - 1)) / epsilon);
  const auto rising = [&](double k) { return delta * std::expm1(k * epsilon) / ratio; };
  if (n <= n1) return rising(n);
  const double top = rising(n1);
  const double n2 = n1 + std::floor(std::log1p(ratio / delta * (1 - top)) / epsilon);
  if (n > n2) return 1;
  return top - (1 - top + delta / ratio) * std::expm1(-(n - n1) * epsilon);
}

double nearest(const KeySelection& selection, int n) {
  return to_double_nearest(selection.probability(n));
}

TEST(KeySelection, is_the_optimal_law) {
  for (const double epsilon : {0.05, 0.3, 1.0, 4.0}) {
    for (const double delta : {1e-9, 1e-5, 0.1}) {
      const KeySelection selection{Epsilon(epsilon), Delta(delta)};
      for (int n = 0; n < static_cast<int>(selection.certain()) + 3; ++n) {
        const double p = nearest(selection, n);
        const double most = optimal(epsilon, delta, n);
        EXPECT_LE(p, most * (1 + 1e-11)) << n;
        EXPECT_GE(p, most * (1 - 1e-9)) << epsilon << " " << delta << " " << n;
      }
    }
  }
}

using Exact = std::vector<Rational>;

// Number of steps that exceed (epsilon, delta), in exact arithmetic. p does not decrease.
int costly_steps(const Exact& p, double epsilon, double delta) {
  const Enclosure growth = exp(exact_rational(epsilon), 256);
  const auto lower = growth.lower;
  int found = 0;
  const auto exceeds = [&](const Rational& a, const Rational& b) {
    const Enclosure left = enclose(a - exact_rational(delta));
    const Enclosure right = enclose(b);
    return left.upper > lower * right.lower;
  };
  for (std::size_t n = 0; n + 1 < p.size(); ++n) {
    if (p[n + 1] < p[n]) ++found;
    if (exceeds(p[n + 1], p[n])) ++found;
    if (exceeds(1 - p[n], 1 - p[n + 1])) ++found;
  }
  return found;
}

Exact exact_table(const KeySelection& selection) {
  Exact p;
  for (std::size_t n = 0; n <= selection.certain(); ++n) {
    p.push_back(selection.probability(static_cast<int128_t>(n)));
  }
  return p;
}

TEST(KeySelection, costs_no_more_than_it_says_at_any_step) {
  for (const double epsilon : {0.01, 0.3, 1.0, 5.0, 50.0, 800.0}) {
    for (const double delta : {1e-7, 1e-3, 0.4}) {
      const Exact p = exact_table(KeySelection{Epsilon(epsilon), Delta(delta)});
      EXPECT_EQ(costly_steps(p, epsilon, delta), 0) << epsilon << " " << delta;
      if (epsilon < 600) {
        EXPECT_GT(costly_steps(p, epsilon * 0.99, delta * 0.99), 0);
      }
    }
  }
}

TEST(KeySelection, flips_its_coins_with_its_probabilities) {
  const KeySelection selection{Epsilon(0.5), Delta(0.01)};
  ReplayedBits bits(7);
  for (const int n : {0, 3, 8, 12, static_cast<int>(selection.certain())}) {
    int selected = 0;
    constexpr int kDraws = 20000;
    for (int i = 0; i < kDraws; ++i) selected += selection.selects(n, bits) ? 1 : 0;
    const double p = nearest(selection, n);
    // Six standard deviations: a correct coin fails with probability 1e-8.
    EXPECT_NEAR(selected, kDraws * p, 6 * std::sqrt(kDraws * p * (1 - p)) + 1e-9) << n;
  }
  EXPECT_FALSE(selection.selects(-5, bits));
}

TEST(KeySelection, adds_up_over_groups_and_steps) {
  const KeySelection selection{Epsilon(0.25), Delta(1e-6)};
  EXPECT_EQ(selection.loss({3, 8, 4}, false), 2);
  EXPECT_EQ(selection.loss({3, 8, 4}, true), 0.0625 * 32 / 2);
  const double four = std::expm1(1.0) / std::expm1(0.25);
  EXPECT_NEAR(selection.delta_of({3, 8, 4}), 2e-6 * four, 1e-17);
  EXPECT_NEAR(selection.delta_of({3, 9, 4}), 1e-6 * (2 * four + 1), 1e-17);
  EXPECT_EQ(selection.delta_of({0, 0, 0}), 0);
  // A group that moves by 4 costs as much as four steps.
  for (int n = 0; n < static_cast<int>(selection.certain()); ++n) {
    EXPECT_LE(nearest(selection, n + 4),
              std::exp(1.0) * nearest(selection, n) + 1e-6 * four + 1e-12);
  }
}

TEST(KeySelection, uses_the_loss_it_is_given) {
  for (const ContributionBound bound :
       {ContributionBound{1, 1, 1}, ContributionBound{10, 10, 1}, ContributionBound{3, 8, 4}}) {
    for (const bool concentrated : {false, true}) {
      const KeySelection selection = selection_for(0.5, concentrated, Delta(1e-6), bound);
      EXPECT_LE(selection.loss(bound, concentrated), 0.5);
      EXPECT_GT(selection.loss(bound, concentrated), 0.5 * (1 - 1e-12));
      EXPECT_LE(selection.delta_of(bound), 1e-6);
      EXPECT_GT(selection.delta_of(bound), 1e-6 * (1 - 1e-12));
    }
  }
}

TEST(KeySelection, is_refused_without_a_loss) {
  test::expect_error(ErrorKind::keys, [] { KeySelection(Epsilon(1), Delta(0)); });
  test::expect_error(ErrorKind::keys, [] { KeySelection(Epsilon(0), Delta(0.1)); });
  test::expect_error(ErrorKind::budget, [] { KeySelection(Epsilon(1e-9), Delta(1e-12)); });
}

}  // namespace
}  // namespace dp::query

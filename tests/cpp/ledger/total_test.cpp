#include "core/ledger/total.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric/rational.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::total_test {
namespace {

Distance number(double x) { return Distance(Scalar(x)); }
Distance pair(double x, double y) { return Distance(Distance::Tuple{number(x), number(y)}); }

const LedgerMeasure kEpsilon(max_divergence());
const LedgerMeasure kEpsilonDelta(approximate(max_divergence()));
const LedgerMeasure kRho(zero_concentrated_divergence());
const LedgerMeasure kRhoDelta(approximate(zero_concentrated_divergence()));

TEST(LedgerMeasure, KnowsFourMeasuresByName) {
  EXPECT_EQ(kEpsilon.name(), "MaxDivergence");
  EXPECT_EQ(kEpsilonDelta.name(), "Approximate<MaxDivergence>");
  EXPECT_EQ(kRho.name(), "ZeroConcentratedDivergence");
  EXPECT_EQ(kRhoDelta.name(), "Approximate<ZeroConcentratedDivergence>");
  expect_error(ErrorKind::ledger, [] { LedgerMeasure{renyi_divergence()}; });
  expect_error(ErrorKind::ledger, [] { LedgerMeasure{smoothed_max_divergence()}; });
  expect_error(ErrorKind::ledger, [] { LedgerMeasure{approximate(smoothed_max_divergence())}; });
}

TEST(LedgerMeasure, TakesALossInItsOwnMeasureAsItIs) {
  EXPECT_EQ(kEpsilon.loss(max_divergence(), number(0.25)).inner.text(), "0.25");
  const TotalLoss both = kEpsilonDelta.loss(approximate(max_divergence()), pair(0.5, 0.125));
  EXPECT_EQ(both.inner.text(), "0.5");
  EXPECT_EQ(both.delta.text(), "0.125");
  EXPECT_EQ(kRho.loss(zero_concentrated_divergence(), number(0.25)).inner.text(), "0.25");
}

TEST(LedgerMeasure, APureLossCountsInEveryLedger) {
  EXPECT_EQ(kEpsilonDelta.loss(max_divergence(), number(0.5)).inner.text(), "0.5");
  EXPECT_TRUE(kEpsilonDelta.loss(max_divergence(), number(0.5)).delta.is_zero());
  EXPECT_EQ(kRho.loss(max_divergence(), number(0.5)).inner.text(), "0.125");
  EXPECT_EQ(kRhoDelta.loss(max_divergence(), number(3)).inner.text(), "4.5");
  const Rational tenth = exact_rational(0.1);
  EXPECT_EQ(kRho.loss(max_divergence(), number(0.1)).inner, Amount::at_least(tenth * tenth / 2));
}

TEST(LedgerMeasure, RefusesALossThatDoesNotConvert) {
  expect_error(ErrorKind::budget,
               [] { kEpsilon.loss(zero_concentrated_divergence(), number(0.1)); });
  expect_error(ErrorKind::budget,
               [] { kRho.loss(approximate(max_divergence()), pair(0.1, 1e-9)); });
  expect_error(ErrorKind::budget,
               [] { kEpsilon.loss(approximate(max_divergence()), pair(0.1, 1e-9)); });
  expect_error(ErrorKind::budget, [] { kRho.loss(smoothed_max_divergence(), number(0.1)); });
  EXPECT_EQ(kEpsilon.loss(approximate(max_divergence()), pair(0.5, 0)).inner.text(), "0.5");
}

TEST(LedgerMeasure, RefusesALossThatIsInfiniteOrNoNumber) {
  for (const double bad : {kInf, kNaN, -0.5}) {
    expect_error(ErrorKind::budget, [&] { kEpsilon.loss(max_divergence(), number(bad)); });
    expect_error(ErrorKind::budget,
                 [&] { kEpsilonDelta.loss(approximate(max_divergence()), pair(0.1, bad)); });
    expect_error(ErrorKind::budget, [&] { kEpsilonDelta.total(bad, 0); });
    expect_error(ErrorKind::budget, [&] { kEpsilonDelta.total(1, bad); });
  }
  expect_error(ErrorKind::budget, [] { kEpsilonDelta.total(1, 1); });
  expect_error(ErrorKind::budget, [] { kEpsilon.total(1, 1e-9); });
}

TEST(LedgerMeasure, ATotalIsKeptInBothParts) {
  const TotalLoss total = kEpsilonDelta.total(1, 0.5);
  EXPECT_TRUE(kEpsilonDelta.total(1, 0.5).is_within(total));
  EXPECT_FALSE(kEpsilonDelta.total(1, 0.75).is_within(total));
  EXPECT_FALSE(kEpsilonDelta.total(1.5, 0.25).is_within(total));
  const TotalLoss left = total.minus(kEpsilonDelta.total(0.25, 0.25));
  EXPECT_EQ(left.inner.text(), "0.75");
  EXPECT_EQ(left.delta.text(), "0.25");
}

TEST(LedgerMeasure, ATotalIsTheDecimalThatIsWritten) {
  EXPECT_EQ(kRhoDelta.total(0.3, 1e-7).inner.text(), "0.3");
  EXPECT_EQ(kRhoDelta.total(0.3, 1e-7).delta.text(), "0.0000001");
  EXPECT_EQ(kRhoDelta.total(1e22, 1e-120).inner.text(), "10000000000000000000000");
  EXPECT_TRUE(kRhoDelta.total(1, 1e-120).delta.is_zero());
}

// A release calibrated to 0.2 costs at most 0.2, so five releases cost 1.
TEST(LedgerMeasure, AReleaseCostsWhatItsMapSaysAndAtMostWhatWasAskedFor) {
  const LedgerMeasure::Map asked{0.2, 1e-6};
  const double largest = std::nextafter(0.2, 0);
  EXPECT_EQ(kEpsilonDelta.cost({largest, 0}, asked), kEpsilonDelta.total(0.2, 0));
  EXPECT_EQ(kEpsilonDelta.cost({0.25, 0x1p-20}, {0.3, 1e-6}), kEpsilonDelta.total(0.25, 0x1p-20));
  EXPECT_EQ(kEpsilonDelta.cost({1.0 / 7, 0}, asked).inner.text(), "0.142857142857143");
  // A fifth is not a double, and the nearest double is above it.
  expect_error(ErrorKind::invalid_distance, [&] { kEpsilonDelta.cost({0.2, 0}, asked); });
  expect_error(ErrorKind::budget, [&] { kEpsilon.cost({0.1, 0}, asked); });
  // A loss below the smallest amount is rounded up.
  EXPECT_GT(kEpsilon.cost({0.9e-300, 0}, {1e-300, 0}).inner.exact(), 0);
  TotalLoss five;
  for (int i = 0; i < 5; ++i) five = five + kEpsilonDelta.cost({largest, 0}, asked);
  EXPECT_TRUE(five.is_within(kEpsilonDelta.total(1, 0)));
}

TEST(LedgerMeasure, WritesAndReadsLosses) {
  const TotalLoss loss = kRhoDelta.total(0.05, 1e-7);
  const Json json = kRhoDelta.json(loss);
  EXPECT_EQ(kRhoDelta.parse(&json), loss);
  expect_error(ErrorKind::ledger, [&] { kRho.parse(&json); });      // has no delta
  expect_error(ErrorKind::ledger, [&] { kEpsilon.parse(&json); });  // a different unit
  expect_error(ErrorKind::ledger, [] { kRho.parse(nullptr); });
  Json more = json;
  more.set("hash", "0");
  expect_error(ErrorKind::ledger, [&] { kRhoDelta.parse(&more); });
  for (const char* bad : {"NaN", "-1", "1e400", "0,5", ""}) {
    Json wrong;
    wrong.set("rho", bad).set("delta", "0");
    expect_error(ErrorKind::ledger, [&] { kRhoDelta.parse(&wrong); });
  }
}

}  // namespace
}  // namespace dp::test::total_test

#include "core/sample_aggregate/winsorized_mean.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace dp::winsorized_mean_test {
namespace {

using test::expect_error;

Domain numbers_between(std::int64_t lower, std::int64_t upper, std::uint64_t size) {
  return vector_of(closed_atom(AtomType::i64, lower, upper), size);
}

WinsorizedRule rule(double reach, double selection_scale, double scale) {
  return {
      {0.25, 0.75}, {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, reach, selection_scale, scale};
}

// Mean and ends of the interval, with negligible noise.
std::vector<double> released(const std::vector<std::int64_t>& z,
                             double reach,
                             double scale = 1e-9) {
  const auto mean = make_winsorized_mean(numbers_between(0, 100, z.size()),
                                         change_one_distance(),
                                         Lattice{0},
                                         rule(reach, 1e-9, scale));
  const Value value = mean.invoke(make_column(AtomType::i64, z));
  const auto& rows = static_cast<const OwnedColumn<double>&>(*rows_in(value));
  return {rows.cells(), rows.cells() + rows.size()};
}

TEST(WinsorizedMean, MovesNumbersIntoTheIntervalAroundTheQuartiles) {
  const std::vector<std::int64_t> z = {0, 20, 20, 20, 30, 40, 40, 40, 100};
  EXPECT_EQ(released(z, 0.5), (std::vector<double>{30, 20, 40}));
  EXPECT_EQ(released(z, 1), (std::vector<double>{30, 10, 50}));
  EXPECT_EQ(released(z, 100), (std::vector<double>{34, 0, 100}));
}

TEST(WinsorizedMean, NoiseHasTheScaleOfTheIntervalsWidth) {
  // Nine numbers within 0 and 100: scale 2 * 100 of the sum.
  const std::vector<std::int64_t> z = {0, 20, 20, 20, 30, 40, 40, 40, 100};
  constexpr int kDraws = 2000;
  double total = 0;
  for (int i = 0; i < kDraws; ++i) total += std::fabs(released(z, 100, 2)[0] - 34);
  EXPECT_NEAR(total / kDraws / (200.0 / 9), 1, 6 / std::sqrt(double{kDraws}));
}

TEST(WinsorizedMean, AnIntervalOfOnePointIsWidenedByAStepOfTheCandidates) {
  EXPECT_EQ(released({50, 50, 50, 50}, 1), (std::vector<double>{50, 40, 60}));
}

TEST(WinsorizedMean, ItsLossIsThatOfTwoSelectionsAndASum) {
  const auto mean = make_winsorized_mean(
      numbers_between(0, 100, 40), change_one_distance(), Lattice{0}, rule(1, 8, 2));
  const auto loss = [&](std::uint32_t d) { return number_in<double>(mean.map(Scalar(d))); };
  EXPECT_EQ(loss(0), 0);
  EXPECT_GE(loss(1), 1);
  EXPECT_NEAR(loss(1), 2 * 2.0 / 8 + 1.0 / 2, 1e-12);
  EXPECT_NEAR(loss(3), 3, 1e-12);
}

TEST(WinsorizedMean, RefusesRulesThatAreNone) {
  const auto refused = [](const WinsorizedRule& bad) {
    expect_error(ErrorKind::make_measurement, [&] {
      make_winsorized_mean(numbers_between(0, 100, 4), change_one_distance(), Lattice{0}, bad);
    });
  };
  refused(rule(0, 1, 1));
  refused(rule(HUGE_VAL, 1, 1));
  refused(rule(1, 1, 0));
  WinsorizedRule other = rule(1, 1, 1);
  other.candidates = {5};
  refused(other);
  other.candidates = {-1, 5};
  refused(other);
  other.candidates = {5, 200, 50};
  refused(other);
  other = rule(1, 1, 1);
  other.quantiles = {0.75, 0.25};
  refused(other);
}

}  // namespace
}  // namespace dp::winsorized_mean_test

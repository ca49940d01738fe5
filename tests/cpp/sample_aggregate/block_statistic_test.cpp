#include "core/sample_aggregate/block_statistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/scripted_bits.h"
#include "support/tier.h"

namespace dp::block_statistic_test {
namespace {

using test::expect_error;
using Numbers = std::vector<std::int64_t>;

constexpr BlockFunction kAll[] = {
    BlockFunction::mean, BlockFunction::median, BlockFunction::variance};

LatticeRange doubles(double lower, double upper) {
  return range_of_rows(closed_atom(AtomType::f64, lower, upper));
}
LatticeRange integers(std::int64_t lower, std::int64_t upper) {
  return range_of_rows(closed_atom(AtomType::i64, lower, upper));
}

// The statistic in exact rationals and data units, from its textbook definition.
Rational exact(BlockFunction function, const LatticeRange& rows, Numbers numbers) {
  const Rational step = power_of_two(rows.lattice.exponent);
  const Rational m = numbers.size();
  Rational mean = 0;
  for (const auto x : numbers) mean += Rational(x) * step / m;
  if (function == BlockFunction::mean) return mean;
  if (function == BlockFunction::variance) {
    Rational sum = 0;
    for (const auto x : numbers) {
      const Rational off = Rational(x) * step - mean;
      sum += off * off;
    }
    return sum / (m - 1);
  }
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  const std::int64_t upper = numbers[half];
  const std::int64_t lower = numbers.size() % 2 == 1 ? upper : numbers[half - 1];
  return (Rational(lower) + Rational(upper)) * step / 2;
}

std::int64_t pick(const LatticeRange& rows, test::SplitMix& random) {
  switch (random() % 4) {
    case 0:
      return rows.lower;
    case 1:
      return rows.upper;
    case 2:
      return rows.lower + static_cast<std::int64_t>(random() % 3) % (rows.width() + 1);
    default:
      return rows.lower +
             static_cast<std::int64_t>(random() % (static_cast<std::uint64_t>(rows.width()) + 1));
  }
}

Numbers draw(const LatticeRange& rows, std::size_t size, test::SplitMix& random) {
  Numbers numbers(size);
  for (auto& x : numbers) x = pick(rows, random);
  return numbers;
}

const std::vector<LatticeRange>& ranges() {
  static const std::vector<LatticeRange> all = {doubles(0, 750000),
                                                doubles(-1, 3),
                                                doubles(1e6, 1e6 + 1),
                                                doubles(-1e-320, 3e-320),
                                                doubles(-1e150, 1e150),
                                                integers(0, 1),
                                                integers(-3, 17),
                                                integers(-(1LL << 53), 1LL << 53)};
  return all;
}

TEST(BlockStatistic, IsTheExactStatisticRoundedOnceTiesUp) {
  test::SplitMix random(1);
  for (const LatticeRange& rows : ranges()) {
    for (const BlockFunction function : kAll) {
      for (const std::size_t size : {2, 3, 4, 5, 64, 1000, 1025}) {
        const BlockStatistic statistic(function, rows, {size, 1});
        for (int i = 0; i < test::in_tier(7, 20); ++i) {
          const Numbers numbers = draw(rows, size, random);
          const Rational steps =
              exact(function, rows, numbers) / power_of_two(statistic.range().lattice.exponent);
          Numbers work = numbers;
          const std::int64_t result = statistic(work.data(), size);
          ASSERT_EQ(Integer(result), round_half_up(steps));
          ASSERT_GE(result, statistic.range().lower);
          ASSERT_LE(result, statistic.range().upper);
        }
      }
    }
  }
}

TEST(BlockStatistic, LongBlocksDoNotOverflow) {
  const LatticeRange rows = integers(-(1LL << 53), 1LL << 53);
  Numbers numbers(200000);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i % 2 == 0 ? rows.lower : rows.upper;
  const BlockShape shape{numbers.size(), 1};
  const BlockStatistic variance(BlockFunction::variance, rows, shape);
  EXPECT_EQ(variance(numbers.data(), numbers.size()), variance.range().upper);
  const BlockStatistic mean(BlockFunction::mean, rows, shape);
  EXPECT_EQ(mean(numbers.data(), numbers.size()), 0);
}

TEST(BlockStatistic, SensitivityIsTheFormulaOnTheResultsLattice) {
  const auto in_data_units =
      [](BlockFunction function, const LatticeRange& rows, BlockShape shape) {
        const BlockStatistic statistic(function, rows, shape);
        return statistic.range().lattice.value(int128_t{statistic.sensitivity()});
      };
  const BlockShape ten{10000, 10};
  EXPECT_EQ(in_data_units(BlockFunction::mean, doubles(0, 750000), ten), 750);
  EXPECT_EQ(in_data_units(BlockFunction::median, doubles(0, 750000), ten), 750000);
  EXPECT_EQ(in_data_units(BlockFunction::variance, doubles(0, 100), ten), 10);
  EXPECT_EQ(in_data_units(BlockFunction::mean, integers(0, 100), {10000, 25}), 0.25);
  EXPECT_NEAR(in_data_units(BlockFunction::mean, doubles(0, 100), {10000, 3}), 100.0 / 3333, 1e-12);
}

TEST(BlockStatistic, VariancesHaveTheirOwnRange) {
  const auto upper = [](BlockShape shape) {
    const LatticeRange range =
        BlockStatistic(BlockFunction::variance, doubles(0, 100), shape).range();
    EXPECT_EQ(range.lower, 0);
    return range.lattice.value(int128_t{range.upper});
  };
  EXPECT_EQ(upper({2, 1}), 5000);
  EXPECT_NEAR(upper({3, 1}), 1e4 / 3, 1e-9);
  EXPECT_EQ(upper({5, 1}), 3000);
  EXPECT_EQ(upper({5, 2}), 5000);  // blocks of 3 and 2
  EXPECT_NEAR(upper({10000, 10}), 1e4 * 1000 / (4 * 999), 1e-9);
}

// Computes a block result, for the checks below and their mutants.
using Compute = std::function<std::int64_t(Numbers)>;

// Whether no tried random replacement of a row moves a result by more than `sensitivity`.
bool covers(std::int64_t sensitivity,
            const Compute& compute,
            const LatticeRange& rows,
            std::size_t size,
            std::uint64_t seed) {
  test::SplitMix random(seed);
  for (int i = 0; i < 2000; ++i) {
    Numbers one = draw(rows, size, random);
    if (random() % 2 == 0) std::fill(one.begin() + 1, one.end(), pick(rows, random));
    Numbers other = one;
    other[random() % size] = pick(rows, random);
    const std::int64_t a = compute(one);
    const std::int64_t b = compute(other);
    if (std::max(a, b) - std::min(a, b) > sensitivity) return false;
  }
  return true;
}

TEST(BlockStatistic, D_SEN_1_NoReplacedRowMovesAResultByMoreThanTheSensitivity) {
  for (const LatticeRange& rows : ranges()) {
    for (const BlockFunction function : kAll) {
      for (const BlockShape shape : {BlockShape{2, 1}, {7, 3}, {5, 2}, {16, 1}, {101, 10}}) {
        const BlockStatistic statistic(function, rows, shape);
        const Compute compute = [&](Numbers x) { return statistic(x.data(), x.size()); };
        for (const std::size_t size : {shape.smallest(), shape.largest()}) {
          EXPECT_TRUE(covers(statistic.sensitivity(), compute, rows, size, 7));
        }
      }
    }
  }
}

TEST(BlockStatistic, D_SEN_1_ExhaustivelyOnFourRowsOfFiveValues) {
  const LatticeRange rows = integers(0, 4);
  for (const BlockFunction function : kAll) {
    const BlockStatistic statistic(function, rows, {4, 1});
    std::int64_t widest = 0;
    for (int code = 0; code < 625; ++code) {
      Numbers one = {code % 5, code / 5 % 5, code / 25 % 5, code / 125};
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::int64_t value = 0; value < 5; ++value) {
          Numbers x = one;
          Numbers y = one;
          y[row] = value;
          widest = std::max(widest, std::abs(statistic(x.data(), 4) - statistic(y.data(), 4)));
        }
      }
    }
    EXPECT_LE(widest, statistic.sensitivity());
    // All bounds are tight except the median's: one of four rows moves it by half of the range.
    EXPECT_EQ(widest, statistic.sensitivity() / (function == BlockFunction::median ? 2 : 1));
  }
}

TEST(BlockStatistic, D_SEN_1_TheCheckRejectsTheSensitivityOfTheLargerBlock) {
  const LatticeRange rows = doubles(0, 100);
  for (const BlockFunction function : {BlockFunction::mean, BlockFunction::variance}) {
    const BlockStatistic statistic(function, rows, {7, 3});  // blocks of 3, 2, 2
    const BlockStatistic larger(function, rows, {3, 1});
    const std::int64_t of_larger = larger.sensitivity() >> (statistic.range().lattice.exponent -
                                                            larger.range().lattice.exponent);
    const Compute compute = [&](Numbers x) { return statistic(x.data(), x.size()); };
    EXPECT_FALSE(covers(of_larger, compute, rows, 2, 7));
  }
}

TEST(BlockStatistic, D_SEN_1_TheCheckRejectsRoundingTiesToEven) {
  // For two rows in 0, 1, 2: replacing 0 by 2 beside a 1 moves the mean from 0.5 to 1.5.
  const LatticeRange rows{doubles(0, 1).lattice, 0, 2};
  const Compute to_even = [](const Numbers& x) {
    const std::int64_t sum = x[0] + x[1];
    return sum % 4 == 3 ? sum / 2 + 1 : sum / 2;
  };
  const Compute up = [](const Numbers& x) { return (x[0] + x[1] + 1) / 2; };
  EXPECT_FALSE(covers(1, to_even, rows, 2, 7));
  EXPECT_TRUE(covers(1, up, rows, 2, 7));
}

TEST(BlockStatistic, TheCheckRejectsVariancesClampedToTheRangeOfTheData) {
  const LatticeRange rows = doubles(0, 100);
  const BlockStatistic statistic(BlockFunction::variance, rows, {10, 1});
  Numbers extreme(10, rows.lower);
  std::fill(extreme.begin(), extreme.begin() + 5, rows.upper);
  const double released = statistic.range().lattice.value(int128_t{statistic(extreme.data(), 10)});
  EXPECT_GT(released, 100);
  EXPECT_NEAR(released, 1e4 * 10 / 36, 1e-9);
}

TEST(BlockStatistic, RefusesWhatHasNoMeaning) {
  expect_error(ErrorKind::type, [] { range_of_rows(closed_atom(AtomType::i32, 0, 1)); });
  expect_error(ErrorKind::make_transformation, [] { range_of_rows(non_nan_atom(AtomType::f64)); });
  expect_error(ErrorKind::make_transformation, [] { integers(0, (1LL << 53) + 1); });
  expect_error(ErrorKind::make_domain, [] { doubles(0, HUGE_VAL); });
  expect_error(ErrorKind::make_transformation, [] {
    BlockStatistic(BlockFunction::variance, doubles(0, 1), {5, 3});
  });
  expect_error(ErrorKind::make_domain, [] {
    BlockStatistic(BlockFunction::variance, doubles(0, 1e200), {4, 1});
  });
  expect_error(ErrorKind::type_parse, [] { parse_block_function("max"); });
}

}  // namespace
}  // namespace dp::block_statistic_test

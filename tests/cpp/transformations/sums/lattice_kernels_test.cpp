#include "core/transformations/sums/lattice_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "support/neighbours.h"

namespace dp::test::lattice_kernels_test {
namespace {

const double kNan = std::nan("");

LatticeRule rule_for(double lower, double upper, double fill = kNan) {
  return {lower, upper, lattice_for(lower, upper).reciprocal(), fill};
}

// Exact reference: clamps, divides by the step, and rounds to the nearest integer, ties to even.
Integer by_definition(double row, double lower, double upper, double fill) {
  double v = std::isnan(row) ? fill : row;
  v = std::isnan(v) ? lower : std::min(std::max(v, lower), upper);
  const Rational steps = exact_rational(v) * power_of_two(-lattice_for(lower, upper).exponent);
  const Integer below = floor(steps);
  const Rational rest = steps - below;
  const bool up = rest > Rational(1, 2) || (rest == Rational(1, 2) && below % 2 != 0);
  return up ? Integer(below + 1) : below;
}

struct Case {
  double lower, upper, fill;
};

const Case kCases[] = {{0, 10, 3},
                       {-10, 0, -0.0},
                       {-1.5, 7.25, kNan},
                       {1000, 15000000, 50000},
                       {0x1p52, 0x1p52 + 1, 0x1p52},
                       {-0x1p-1074, 0x1p-1070, 0},
                       {0x1.fffffffffffffp-980, 0x1.fffffffffffffp-975, kNan},
                       {-0x1.fffffffffffffp1022, 0x1.fffffffffffffp1022, 1},
                       {5, 5, 5},
                       {0, 0, 0}};

std::vector<double> some_rows(const Case& c, std::size_t size, TestRandom& random) {
  const double step = std::ldexp(1.0, lattice_for(c.lower, c.upper).exponent);
  const std::vector<double> special = {c.lower,
                                       c.upper,
                                       std::nextafter(c.lower, HUGE_VAL),
                                       std::nextafter(c.upper, -HUGE_VAL),
                                       c.lower / 2 + c.upper / 2,
                                       c.lower + step / 2,
                                       c.lower + 1.5 * step,
                                       step / 2,
                                       -step / 2,
                                       0.0,
                                       -0.0,
                                       0x1p-1074,
                                       kMax<double>,
                                       kMin<double>,
                                       HUGE_VAL,
                                       -HUGE_VAL,
                                       kNan};
  std::vector<double> rows(size);
  for (double& row : rows) {
    row = random.below(3) == 0 ? random.pick(special)
                               : c.lower + random.unit() * (c.upper / 2 - c.lower / 2) * 2.2;
  }
  return rows;
}

TEST(LatticeKernels, RoundEveryRowAsExactArithmeticDoes) {
  TestRandom random(1);
  for (const Case& c : kCases) {
    const LatticeRule rule = rule_for(c.lower, c.upper, c.fill);
    for (const double row : some_rows(c, 300, random)) {
      EXPECT_EQ(Integer(lattice_index(row, rule)), by_definition(row, c.lower, c.upper, c.fill))
          << row << " in " << c.lower << ", " << c.upper;
    }
  }
}

TEST(LatticeKernels, AgreeBitForBitOnEveryInstructionSet) {
  TestRandom random(2);
  for (const Case& c : kCases) {
    const LatticeRule rule = rule_for(c.lower, c.upper, c.fill);
    std::vector<std::size_t> sizes = {2047, 2048, 2049, 4096, 5003};
    for (std::size_t size = 0; size < 20; ++size) sizes.push_back(size);
    for (const std::size_t size : sizes) {
      const auto rows = some_rows(c, size + 1, random);
      const double* first = rows.data() + random.below(2);  // aligned and not
      int128_t sum = 0;
      uint128_t squares = 0;
      bool nan = false;
      std::vector<std::int64_t> expected(size);
      for (std::size_t i = 0; i < size; ++i) {
        expected[i] = lattice_index(first[i], rule);
        sum += expected[i];
        squares += static_cast<uint128_t>(int128_t{expected[i]} * expected[i]);
        nan |= std::isnan(first[i]);
      }
      for (const LatticeKernels& kernels : available_lattice_kernels()) {
        const LatticeTotal total = kernels.sum(first, size, rule);
        EXPECT_TRUE(total.sum == sum) << kernels.name << size;
        EXPECT_EQ(total.nan, nan) << kernels.name << size;
        const LatticeMoments moments = kernels.moments(first, size, rule);
        EXPECT_TRUE(moments.sum == sum) << kernels.name << size;
        EXPECT_TRUE(moments.squares == squares) << kernels.name << size;
        std::vector<std::int64_t> indices(size);
        kernels.index(first, size, rule, indices.data());
        EXPECT_EQ(indices, expected) << kernels.name << size;
      }
    }
  }
}

TEST(LatticeKernels, FoldsBeforeSixtyFourBitsOverflow) {
  const double upper = 0x1.fffffffffffffp9;  // rounds up to 2^51 steps
  const LatticeRule rule = rule_for(-upper, upper);
  ASSERT_EQ(lattice_index(upper, rule), std::int64_t{1} << 51);
  for (const double row : {upper, -upper}) {
    const std::vector<double> rows(100000, row);
    const int128_t sum = int128_t{row > 0 ? 100000 : -100000} * (std::int64_t{1} << 51);
    for (const LatticeKernels& kernels : available_lattice_kernels()) {
      EXPECT_TRUE(kernels.sum(rows.data(), rows.size(), rule).sum == sum);
      const LatticeMoments moments = kernels.moments(rows.data(), rows.size(), rule);
      EXPECT_TRUE(moments.sum == sum);
      EXPECT_TRUE(moments.squares == uint128_t{100000} << 102);
    }
  }
}

TEST(LatticeKernels, TheChosenOneIsAvailable) {
  const auto all = available_lattice_kernels();
  EXPECT_STREQ(lattice_kernels().name, all.back().name);
  EXPECT_STREQ(all.front().name, "portable");
}

}  // namespace
}  // namespace dp::test::lattice_kernels_test

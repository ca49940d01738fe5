#include "core/table/present_cell.h"

#include <gtest/gtest.h>

#include "support/doubles.h"
#include "support/frames.h"

namespace dp::test::present_cell_test {
namespace {

TEST(PresentCell, NumbersAreClamped) {
  const PresentCell cell(column("x", -1, 2));
  EXPECT_EQ(cell(0.3), 0.3);
  EXPECT_EQ(cell(-7), -1);
  EXPECT_EQ(cell(kInf), 2);
  EXPECT_EQ(cell(-kInf), -1);
  EXPECT_EQ(cell(1e300), 2);
  EXPECT_EQ(cell(kNaN), std::nullopt);
}

TEST(PresentCell, WholeNumbersLoseTheirFractionBeforeTheyAreClamped) {
  const PresentCell cell(column("x", -2, 2, true));
  EXPECT_EQ(cell(1.9), 1);
  EXPECT_EQ(cell(-1.9), -1);
  EXPECT_EQ(cell(2.9), 2);
  EXPECT_EQ(cell(0x1p62), 2);
  EXPECT_EQ(cell(-0x1p63), -2);
}

TEST(PresentCell, WhatIsNo64BitIntegerIsNoWholeNumber) {
  const PresentCell cell(column("x", -2, 2, true));
  for (const double x : {kNaN, kInf, -kInf, 0x1p63, -0x1.0000000000001p63, 1e300}) {
    EXPECT_EQ(cell(x), std::nullopt) << x;
  }
}

}  // namespace
}  // namespace dp::test::present_cell_test

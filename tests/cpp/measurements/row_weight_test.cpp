#include "core/measurements/row_weight.h"

#include <gtest/gtest.h>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::row_weight_test {
namespace {

std::int32_t share_of(const ColumnRule& rule, double weight) {
  return share_of_largest(rule, rule.place_if_present(weight).value());
}

TEST(RowWeight, D_SEN_1_AWeightIsTheShareOfItsUpperBoundAndNoMoreThanAllOfIt) {
  const ColumnRule rule(column("w", 0, 8));
  EXPECT_EQ(share_of(rule, 0), 0);
  EXPECT_EQ(share_of(rule, 2), kWholeRho / 4);
  EXPECT_EQ(share_of(rule, 8), kWholeRho);
  for (const double beyond : {8.5, 1e300, kInf}) EXPECT_EQ(share_of(rule, beyond), kWholeRho);
  for (const double below : {-1e-9, -3.0, -kInf}) EXPECT_EQ(share_of(rule, below), 0);
}

TEST(RowWeight, ALowerBoundAboveZeroIsTheLeastShare) {
  const ColumnRule rule(column("w", 2, 8));
  EXPECT_EQ(share_of(rule, -5), kWholeRho / 4);
  EXPECT_EQ(share_of(rule, 5), kWholeRho / 8 * 5);
}

TEST(RowWeight, D_SEN_1_NoPlaceOfAnyBoundsIsOutOfRangeAndSharesGrowWithThem) {
  for (const double lower : {0.0, 0.3, 5.0}) {
    for (const double upper : {5.1, 7.0, 1e9}) {
      const ColumnRule rule(column("w", lower, upper));
      check_weights(rule);
      std::int32_t before = 0;
      for (int i = 0; i <= 1000; ++i) {
        const std::int32_t share = share_of_largest(rule, rule.width() / 1000 * i);
        EXPECT_GE(share, before);
        EXPECT_LE(share, kWholeRho);
        before = share;
      }
      EXPECT_EQ(share_of_largest(rule, rule.width()), kWholeRho);
    }
  }
}

TEST(RowWeight, RefusesWeightsThatMayBeNegative) {
  expect_error(ErrorKind::make_measurement, [] { check_weights(ColumnRule(column("w", -1, 8))); });
}

}  // namespace
}  // namespace dp::test::row_weight_test

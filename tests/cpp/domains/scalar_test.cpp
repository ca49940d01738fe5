#include "core/domains/scalar.h"

#include <gtest/gtest.h>

#include "core/numeric/limits.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::scalar_test {
namespace {

TEST(Scalar, GivesItsElementInItsTypeOnly) {
  EXPECT_EQ(scalar_as<std::int32_t>(Scalar(3), "constant"), 3);
  const std::string text =
      expect_error(ErrorKind::failed_cast, [] { scalar_as<double>(Scalar(3), "constant"); });
  EXPECT_NE(text.find("constant"), std::string::npos);
}

TEST(Scalar, EqualsByTypeAndValue) {
  EXPECT_TRUE(same_value(Scalar(0.0), Scalar(-0.0)));
  EXPECT_FALSE(same_value(Scalar(kNaN), Scalar(kNaN)));
  EXPECT_FALSE(same_value(Scalar(1), Scalar(std::int64_t{1})));
}

TEST(Scalar, KnowsNan) {
  EXPECT_TRUE(is_nan(Scalar(kNaN)));
  EXPECT_TRUE(is_nan(Scalar(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_FALSE(is_nan(Scalar(1.0)));
  EXPECT_FALSE(is_nan(Scalar(std::string("NaN"))));
}

TEST(Scalar, Prints) {
  EXPECT_EQ(debug(Scalar(7)), "7");
  EXPECT_EQ(debug(Scalar(true)), "true");
  EXPECT_EQ(debug(Scalar(std::string("a"))), "\"a\"");
  EXPECT_EQ(debug(Scalar(0.0)), "0.0");
  EXPECT_EQ(debug(Scalar(-0.0)), "-0.0");
  EXPECT_EQ(debug(Scalar(1e16)), "1e16");
  EXPECT_EQ(debug(Scalar(0x1p-1074)), "5e-324");
  EXPECT_EQ(debug(Scalar(kNaN)), "NaN");
  EXPECT_EQ(debug(Scalar(kMin<int128_t>)), "-170141183460469231731687303715884105728");
  EXPECT_EQ(debug(Scalar(std::uint64_t{18446744073709551615u})), "18446744073709551615");
}

}  // namespace
}  // namespace dp::test::scalar_test

#include "core/numeric/parameters.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "numeric/operands.h"

namespace dp::parameters_test {
namespace {

static_assert(!std::is_convertible_v<double, Epsilon>);
static_assert(!std::is_constructible_v<Delta, Epsilon>);

template <class Parameter>
bool accepts(double value) {
  const auto made = oracle::result_or_error(ErrorKind::invalid_distance,
                                            [&] { return Parameter(value).value(); });
  return made == value;
}

TEST(Parameters, NaNAndTheWrongSignAreRefused) {
  for (const double bad : {std::nan(""), -1.0, -5e-324, -HUGE_VAL}) {
    EXPECT_FALSE(accepts<Epsilon>(bad)) << bad;
    EXPECT_FALSE(accepts<Delta>(bad)) << bad;
    EXPECT_FALSE(accepts<Rho>(bad)) << bad;
    EXPECT_FALSE(accepts<Alpha>(bad)) << bad;
  }
}

TEST(Parameters, MinusZeroIsZero) {
  EXPECT_FALSE(std::signbit(Epsilon(-0.0).value()));
  EXPECT_FALSE(std::signbit(Delta(-0.0).value()));
  EXPECT_FALSE(std::signbit(Rho(-0.0).value()));
  EXPECT_FALSE(accepts<Alpha>(-0.0));
}

TEST(Parameters, LossesMayBeZeroOrInfiniteAndProbabilitiesMayNotExceedOne) {
  EXPECT_TRUE(accepts<Epsilon>(0) && accepts<Epsilon>(HUGE_VAL));
  EXPECT_TRUE(accepts<Rho>(0) && accepts<Rho>(HUGE_VAL));
  EXPECT_TRUE(accepts<Delta>(0) && accepts<Delta>(1e-300) && accepts<Delta>(1));
  EXPECT_FALSE(accepts<Delta>(1 + 0x1p-52));
  EXPECT_TRUE(accepts<Alpha>(5e-324) && accepts<Alpha>(1));
  EXPECT_FALSE(accepts<Alpha>(0));
  EXPECT_FALSE(accepts<Alpha>(1 + 0x1p-52));
}

}  // namespace
}  // namespace dp::parameters_test

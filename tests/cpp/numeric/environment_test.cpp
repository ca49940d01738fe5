#include "core/numeric/environment.h"

#include <gtest/gtest.h>

#include <cfenv>

#include "core/error.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace dp::environment_test {
namespace {

TEST(FloatEnvironment, TheDefaultPasses) { EXPECT_NO_THROW(check_float_environment()); }

TEST(FloatEnvironment, D_FLT_4_EveryOtherRoundingModeIsRefused) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    bool refused = false;
    try {
      check_float_environment();
    } catch (const Error& error) {
      refused = error.kind() == ErrorKind::failed_function;
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(refused) << mode;
  }
}

#if defined(__SSE2__)
TEST(FloatEnvironment, D_FLT_4_FlushedSubnormalsAreRefused) {
  constexpr unsigned kFlushToZero = 0x8000;
  constexpr unsigned kDenormalsAreZero = 0x0040;
  const unsigned before = _mm_getcsr();
  for (const unsigned flag : {kFlushToZero, kDenormalsAreZero}) {
    _mm_setcsr(before | flag);
    bool refused = false;
    try {
      check_float_environment();
    } catch (const Error& error) {
      refused = error.kind() == ErrorKind::failed_function;
    }
    _mm_setcsr(before);
    EXPECT_TRUE(refused) << flag;
  }
}
#endif

}  // namespace
}  // namespace dp::environment_test

// Work per test: less for every change than before a release.
#pragma once

namespace dp::test {

#ifdef DP_LONG_TESTS
constexpr bool kLongTier = true;
#else
constexpr bool kLongTier = false;
#endif

template <class T>
constexpr T in_tier(T quick, T in_the_long_one) {
  return kLongTier ? in_the_long_one : quick;
}

}  // namespace dp::test

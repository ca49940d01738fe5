// Limits of every number type of the core, 128-bit integers included.
//
// std::numeric_limits knows 128-bit integers only in GNU mode; these do not depend on the mode.
#pragma once

#include <limits>
#include <type_traits>

#include "core/numeric/int128.h"

namespace dp {

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;

template <class T>
inline constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);

// Largest finite value.
template <class T>
inline constexpr T kMax = std::numeric_limits<T>::max();
template <>
inline constexpr int128_t kMax<int128_t> = static_cast<int128_t>(~uint128_t{0} >> 1);

// Lowest finite value.
template <class T>
inline constexpr T kMin = std::numeric_limits<T>::lowest();
template <>
inline constexpr int128_t kMin<int128_t> = -kMax<int128_t> - 1;

// Every whole number of magnitude up to this one is a value of T: 2^53, 2^24, or the type's
// maximum.
template <class T>
inline constexpr T kMaxConsecutive = kMax<T>;
template <>
inline constexpr double kMaxConsecutive<double> = 0x1p53;
template <>
inline constexpr float kMaxConsecutive<float> = 0x1p24F;

}  // namespace dp

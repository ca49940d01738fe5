#include "core/measurements/noise_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/measurements/refuse.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

template <class T>
NoiseGrid float_grid(std::optional<int> k) {
  using Limits = std::numeric_limits<T>;
  constexpr int kLeast = Limits::min_exponent - Limits::digits;
  constexpr int kGreatest = Limits::max_exponent - 1;
  const int exponent = k.value_or(kLeast);
  if (exponent == std::numeric_limits<int>::min()) refuse_measurement("k must not be i32::MIN");
  const std::string text = "k (" + std::to_string(exponent) + ") must not be ";
  if (exponent < kLeast) refuse_measurement(text + "smaller than " + std::to_string(kLeast));
  if (exponent > kGreatest) refuse_measurement(text + "greater than " + std::to_string(kGreatest));
  const Rational step = power_of_two(exponent);
  return {exponent, step, step - power_of_two(kLeast)};
}

}  // namespace

NoiseGrid noise_grid(AtomType type, std::optional<int> k) {
  if (type == AtomType::f64) return float_grid<double>(k);
  if (type == AtomType::f32) return float_grid<float>(k);
  if (k.value_or(0) != 0) refuse_measurement("k is only valid for domains over floats");
  return {0, 1, 0};
}

template <class T>
Integer grid_index(T x, int k) {
  constexpr T kLargest = std::numeric_limits<T>::max();
  constexpr int kDigits = std::numeric_limits<double>::digits;
  int exponent;
  const double fraction =
      std::frexp(static_cast<double>(std::clamp(x, -kLargest, kLargest)), &exponent);
  const auto units = static_cast<std::int64_t>(std::ldexp(fraction, kDigits));  // |units| < 2^53
  const int shift = exponent - kDigits - k;
  if (shift >= 0) return Integer(units) << static_cast<unsigned>(shift);
  if (shift < -kDigits) return 0;  // below half a step
  return (units + (std::int64_t{1} << (-shift - 1))) >> -shift;
}

template <>
double grid_value<double>(const Integer& index, int k) {
  return scaled_to_double(index, k);
}

template <>
float grid_value<float>(const Integer& index, int k) {
  return scaled_to_float(index, k);
}

template Integer grid_index(float, int);
template Integer grid_index(double, int);

}  // namespace dp

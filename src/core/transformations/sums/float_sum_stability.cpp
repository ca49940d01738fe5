#include "core/transformations/sums/float_sum_stability.h"

#include <cmath>
#include <limits>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/sided.h"

namespace dp {
namespace {

template <class T>
inline constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
template <class T>
inline constexpr int kExponentBias = std::numeric_limits<T>::max_exponent - 1;

template <class T>
T float_power_of_two(int exponent) {
  return std::ldexp(T{1}, exponent);
}

template <class T>
T float_magnitude(T lower, T upper) {
  return max_checked(abs_checked(lower), upper);
}

template <class T>
T smallest_power_of_two_above(T x) {
  int exponent;
  const T significand = std::frexp(x, &exponent);  // in [1/2, 1)
  const T power = significand == T(0.5) ? x : float_power_of_two<T>(exponent);
  if (!std::isfinite(power)) {
    throw Error(ErrorKind::overflow, "bounds are too large. Consider tightening your parameters.");
  }
  return power;
}

}  // namespace

Summation parse_summation(const std::string& text) {
  const std::size_t open = text.find('<');
  if (open == std::string::npos || text.back() != '>') {
    throw Error(ErrorKind::type_parse, "failed to parse type: " + text);
  }
  const std::string algorithm = text.substr(0, open);
  const AtomType type = parse_atom_type(text.substr(open + 1, text.size() - open - 2));
  if (!is_float(type)) detail::refuse_type(type, "floats");
  if (algorithm == "Sequential") return {SumOrder::sequential, type};
  if (algorithm == "Pairwise") return {SumOrder::pairwise, type};
  throw Error(ErrorKind::type,
              "No match for concrete type " + text + ". Allowed are Sequential and Pairwise.");
}

template <class T>
T sum_relaxation(SumOrder order, std::uint64_t n, T lower, T upper) {
  const Upper<T> size(exact_cast<T>(n));
  const Upper<T> mag(float_magnitude(lower, upper));
  const Lower<T> mantissa(float_power_of_two<T>(kMantissaBits<T>));
  const auto error = [&] {
    if (order == SumOrder::sequential) return size * size / mantissa * mag;
    const Upper<T> unit = Upper<T>(log2_up(size.value())) / mantissa;
    return unit / (Lower<T>(1) - unit) * size * mag;
  }();
  return (error + error).value();
}

template <class T>
bool float_sum_can_overflow(SumOrder order, std::uint64_t n, T lower, T upper) {
  const T size = cast_up<T>(n);
  const T mag = float_magnitude(lower, upper);
  // Below the limit, sums near the largest number round back to it.
  constexpr int kSlack = kExponentBias<T> - kMantissaBits<T>;
  const T limit = order == SumOrder::sequential ? float_power_of_two<T>(kSlack - 1)
                                                : div_down(float_power_of_two<T>(kSlack), size);
  if (mag < limit) return false;
  return !std::isfinite(smallest_power_of_two_above(mag) * size);
}

template float sum_relaxation<float>(SumOrder, std::uint64_t, float, float);
template double sum_relaxation<double>(SumOrder, std::uint64_t, double, double);
template bool float_sum_can_overflow<float>(SumOrder, std::uint64_t, float, float);
template bool float_sum_can_overflow<double>(SumOrder, std::uint64_t, double, double);

}  // namespace dp

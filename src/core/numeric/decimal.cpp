#include "core/numeric/decimal.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include "core/numeric/integer.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

Rational power_of_ten(int exponent) {
  const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

// floor(log10 x)
int decimal_magnitude(const Rational& x, double estimate) {
  int magnitude = static_cast<int>(std::floor(0.30103 * std::ilogb(estimate)));  // near it
  while (x < power_of_ten(magnitude)) --magnitude;
  while (x >= power_of_ten(magnitude + 1)) ++magnitude;
  return magnitude;
}

template <class F>
F to_nearest(const Rational& q) {
  if constexpr (sizeof(F) == sizeof(double)) return to_double_nearest(q);
  return to_float_nearest(q);
}

}  // namespace

template <class F>
F nearest_to_decimal(std::string_view digits, std::int64_t exponent) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return 0;
  digits.remove_prefix(first);

  // 0.d1 d2... * 10^magnitude: outside of these limits it is infinite or zero in any format.
  const std::int64_t magnitude = static_cast<std::int64_t>(digits.size()) + exponent;
  if (magnitude > 310) return std::numeric_limits<F>::infinity();
  if (magnitude < -330) return 0;

  // Halfway points have fewer than 770 digits, so beyond that only "is there more" matters.
  constexpr std::size_t kEnough = 800;
  std::string kept(digits.substr(0, kEnough));
  if (digits.size() > kEnough) {
    const bool more = digits.find_first_not_of('0', kEnough) != std::string_view::npos;
    kept.push_back(more ? '1' : '0');
  }
  const auto scale = static_cast<int>(magnitude - static_cast<std::int64_t>(kept.size()));
  return to_nearest<F>(Rational(Integer(kept)) * power_of_ten(scale));
}

template <class F>
Decimal shortest_decimal(F x) {
  constexpr F kInfinity = std::numeric_limits<F>::infinity();
  const Rational exact = exact_rational(x);
  const Rational below = exact - exact_rational(std::nextafter(x, F{0}));
  const F next = std::nextafter(x, kInfinity);
  const Rational above = next == kInfinity ? below : Rational(exact_rational(next) - exact);
  const Rational low = exact - below / 2;
  const Rational high = exact + above / 2;
  // An end of the interval reads back as x if x wins the tie: an even significand.
  const bool inclusive = numerator(Rational(exact / below)) % 2 == 0 || above != below;
  const auto reads_back = [&](const Rational& q) {
    return inclusive ? low <= q && q <= high : low < q && q < high;
  };

  for (int exponent = decimal_magnitude(exact, static_cast<double>(x));; --exponent) {
    const Rational unit = power_of_ten(exponent);
    const Integer under = floor(exact / unit);
    const Integer over = under + 1;
    const bool under_reads = reads_back(under * unit);
    const bool over_reads = reads_back(over * unit);
    if (!under_reads && !over_reads) continue;

    const Rational gap = (exact - under * unit) - (over * unit - exact);
    const bool under_is_nearer = gap < 0 || (gap == 0 && under % 2 == 0);
    const bool take_under = under_reads && (under_is_nearer || !over_reads);
    Decimal result{(take_under ? under : over).str(), exponent};
    while (result.digits.back() == '0') {
      result.digits.pop_back();
      ++result.exponent;
    }
    return result;
  }
}

template float nearest_to_decimal(std::string_view, std::int64_t);
template double nearest_to_decimal(std::string_view, std::int64_t);
template Decimal shortest_decimal(float);
template Decimal shortest_decimal(double);

}  // namespace dp

#include "core/numeric/lattice.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/numeric/rational.h"

namespace dp {

std::int64_t Lattice::index(double v) const {
  const double shifted = v * reciprocal() + kLatticeShift;
  std::uint64_t bits;
  static_assert(sizeof(bits) == sizeof(shifted));
  std::memcpy(&bits, &shifted, sizeof(bits));
  return static_cast<std::int64_t>(bits - kLatticeShiftBits);
}

double Lattice::reciprocal() const { return std::ldexp(1.0, -exponent); }

// The conversion rounds once. Scaling is exact: in the subnormal range it could only round integers
// of more than 53 bits, and those have been rounded before.
double Lattice::value(int128_t index) const {
  return std::ldexp(static_cast<double>(index), exponent);
}

double Lattice::value(const Integer& index) const { return scaled_to_double(index, exponent); }

Rational Lattice::exact_value(int128_t index) const {
  return to_integer(index) * power_of_two(exponent);
}

Lattice lattice_for(double lower, double upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower > upper) {
    throw Error(ErrorKind::make_domain, "Bounds must be finite, the lower at most the upper.");
  }
  constexpr int kBits = 51;
  constexpr int kLeastExponent = -1022;
  const double largest = std::max(std::fabs(lower), std::fabs(upper));
  if (largest == 0) return {0};
  int exponent;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  return {std::max(exponent - kBits, kLeastExponent)};
}

}  // namespace dp

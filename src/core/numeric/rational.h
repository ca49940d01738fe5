// Exact rationals: to and from binary floating point, and to integers.
//
// Conversions to floating point never fail. Past the largest finite value, `nearest` and the
// direction away from zero give an infinity and the direction toward zero the largest finite value;
// up, a tiny positive value gives 2^-1074, the least positive double. No result is -0.
#pragma once

#include "core/numeric/integer.h"

namespace dp {

// Throw failed_cast if x is not finite.
Rational exact_rational(double x);
Rational exact_rational(float x);

double to_double_nearest(const Rational& q);  // ties to even
double to_double_up(const Rational& q);
double to_double_down(const Rational& q);
float to_float_nearest(const Rational& q);
float to_float_up(const Rational& q);
float to_float_down(const Rational& q);

// The double nearest to i * unit, ties to even. The product itself would take most of the time for
// its lowest terms.
double product_to_double(const Integer& i, const Rational& unit);

// The value nearest to i * 2^k, ties to even; a single rounding, also among subnormals.
double scaled_to_double(const Integer& i, int k);
double scaled_to_double_up(const Integer& i, int k);
double scaled_to_double_down(const Integer& i, int k);
float scaled_to_float(const Integer& i, int k);

Integer floor(const Rational& q);
Integer ceil(const Rational& q);
Integer round_half_up(const Rational& q);  // ties toward +infinity

Rational power_of_two(int k);

Integer to_integer(int128_t i);
bool fits_int128(const Integer& i);
int128_t to_int128(const Integer& i);  // throws overflow if it does not fit

}  // namespace dp

// Certified enclosures of logarithms and exponentials, to a chosen precision.
//
// The true value is in [lower, upper]. The ends are cpp_bin_float, with only conversion and + - *
// /: each rounds to nearest, an error of at most u = 2^-bits of the result. The series are
// implemented here, so their error is proved (enclosure.cpp): it is below 2^27 u, and each result
// is widened on both sides by 2^32 u of its value.
//
// `bits` is rounded up to the next tier: 256, 512 or 2048; more throws failed_function. A caller
// that cannot decide at one tier asks for the next.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "core/numeric/integer.h"

namespace dp {

inline constexpr unsigned kEnclosureTiers[] = {256, 512, 2048};

using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<2048, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct Enclosure {
  Real lower;
  Real upper;
};

Enclosure enclose(const Rational& x);

// The least double at or above the upper end, the greatest at or below the lower; infinite or the
// largest double where there is none, as in numeric/rational.h.
double upper_double(const Enclosure& x);
double lower_double(const Enclosure& x);

// Throws overflow unless x > 0 (for an enclosure: all of it).
Enclosure log(const Rational& x, unsigned bits);
Enclosure log(const Enclosure& x, unsigned bits);

// Both throw overflow if x > 2^16. Below -2^16 the lower end is 0 (for expm1: -1) and the upper end
// is the one for exp(-2^16): certified, but no longer narrow.
Enclosure exp(const Rational& x, unsigned bits);
Enclosure exp(const Enclosure& x, unsigned bits);
Enclosure expm1(const Rational& x, unsigned bits);  // narrow also near 0

// Interval arithmetic. A divisor that contains zero throws overflow.
Enclosure operator+(const Enclosure& a, const Enclosure& b);
Enclosure operator-(const Enclosure& a, const Enclosure& b);
Enclosure operator*(const Enclosure& a, const Enclosure& b);
Enclosure operator/(const Enclosure& a, const Enclosure& b);

}  // namespace dp

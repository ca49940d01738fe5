// Arithmetic that knows which way it rounds.
//
// `f_up` is the smallest value of T at or above the real result and `f_down` the largest at or
// below it. Both throw ErrorKind::overflow if the result rounded to nearest, or in the stated
// direction, is not finite. Integers are exact, and only division rounds.
//
// The definitions live in their own translation unit, so no compiler can fuse them with a
// neighbour. They assume the default floating-point environment and never change it. Messages hold
// no operand, because nothing here can tell a public one from a private one.
//
// T is any fundamental signed or unsigned integer of 8 to 64 bits, int128_t, float or double.
#pragma once

#include "core/numeric/int128.h"

namespace dp {

template <class T>
T add_up(T a, T b);
template <class T>
T add_down(T a, T b);
template <class T>
T sub_up(T a, T b);
template <class T>
T sub_down(T a, T b);
template <class T>
T mul_up(T a, T b);
template <class T>
T mul_down(T a, T b);
template <class T>
T div_up(T a, T b);
template <class T>
T div_down(T a, T b);

// Exact; the magnitude of the lowest signed integer overflows.
template <class T>
T abs_checked(T a);

// To nearest, then held within the finite range of T. Total: a NaN stays a NaN.
template <class T>
T saturating_add(T a, T b);
template <class T>
T saturating_mul(T a, T b);

// Throw failed_function if an operand is NaN, and clamp_checked also if `lower` exceeds `upper`.
// Zeros of either sign are equal, so clamping -0 to [0, 1] gives -0.
template <class T>
T min_checked(T a, T b);
template <class T>
T max_checked(T a, T b);
template <class T>
T clamp_checked(T value, T lower, T upper);

double sqrt_up(double x);
double sqrt_down(double x);

// Correctly rounded logarithms and exponentials, by certified enclosures (numeric/enclosure.h).
// Exponentials may underflow: exp_up then gives 2^-1074 and exp_down gives 0.
template <class T>
T log2_up(T x);  // T is float or double
double ln_up(double x);
double ln_down(double x);
double ln1p_up(double x);
double ln1p_down(double x);
double exp_up(double x);
double exp_down(double x);
double expm1_up(double x);
double expm1_down(double x);

}  // namespace dp

// The effect of rounding and overflow on the stability of floating-point sums.
//
// The computed sum of n numbers of magnitude at most mag differs from the exact one by at most
// `error`, whatever their order, so the sums of two datasets differ by at most the exact distance
// plus relaxation = 2 * error, even when one is a permutation of the other. With u = 2^-(m+1), m
// stored mantissa bits and gamma_k = k u / (1 - k u):
//
//   sequential   n^2 2^-m mag                              >= (n - 1) u n mag
//   pairwise     v / (1 - v) n mag, v = log2(n) 2^-m       >= gamma_ceil(log2 n) n mag
//
// Source: Rump (2012), Error Estimation of Floating-Point Summation and Dot Product, whose bound of
// the sequential sum holds for every n; Higham (2002), Accuracy and Stability of Numerical
// Algorithms, chapter 4; Casacuberta, Shoemate, Vadhan and Wagaman (2022).
#pragma once

#include <cstdint>
#include <string>

#include "core/domains/atom_type.h"

namespace dp {

enum class SumOrder { sequential, pairwise };

// How a floating-point sum adds: the `.S` of the public surface.
struct Summation {
  SumOrder order;
  AtomType type;  // f32 or f64
};

// Reads "Sequential<f64>", "Pairwise<f32>". Throws type for another algorithm or carrier,
// type_parse if `text` has another form.
Summation parse_summation(const std::string& text);

// T is float or double. Throws failed_cast if n is above 2^53 or 2^24, overflow if the bound is
// not finite or a pairwise sum has n = 0.
template <class T>
T sum_relaxation(SumOrder order, std::uint64_t n, T lower, T upper);

// Whether n numbers in [lower, upper] might not sum within T, rounding included. Throws
// failed_function for a NaN bound, overflow if no finite power of two bounds the numbers or a
// pairwise sum has n = 0.
template <class T>
bool float_sum_can_overflow(SumOrder order, std::uint64_t n, T lower, T upper);

}  // namespace dp

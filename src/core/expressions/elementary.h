// Elementary functions of a cell: total, and the same on every machine. What has no value, or none
// that a double holds, is NaN, and so is what a NaN has.
#pragma once

#include <cstdint>

namespace dp::query {

// Powers are written out, and from 1 to this.
inline constexpr std::int64_t kMostPower = 32;

// x^k by k - 1 products, one after the other; not finite where it overflows.
double power_of_cell(double x, std::int64_t k);

double logarithm_of_cell(double x);              // within a relative 2^-48; of x > 0
double logarithm_of_one_more_of_cell(double x);  // the same of 1 + x, of x > -1
double exponential_of_cell(double x);            // the same, of -700 <= x <= 700; exp(-700) below
double root_of_cell(double x);                   // to nearest; of x >= 0

// The nearest multiple of 2^exponent, ties to even.
double on_lattice_of_cell(double x, std::int64_t exponent);

}  // namespace dp::query

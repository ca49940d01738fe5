// Elementary functions of a cell: total, and equal on every machine. The result is NaN if it is
// undefined, does not fit a double, or has a NaN argument.
#pragma once

#include <cstdint>

namespace dp::query {

// Exponents are literals from 1 to this.
inline constexpr std::int64_t kMostPower = 32;

// x^k by k - 1 successive products; not finite on overflow.
double power_of_cell(double x, std::int64_t k);

double logarithm_of_cell(double x);              // within a relative 2^-48; of x > 0
double logarithm_of_one_more_of_cell(double x);  // the same of 1 + x, of x > -1
double exponential_of_cell(double x);            // the same, of -700 <= x <= 700; exp(-700) below
double root_of_cell(double x);                   // to nearest; of x >= 0

// The nearest multiple of 2^exponent, ties to even.
double on_lattice_of_cell(double x, std::int64_t exponent);

}  // namespace dp::query

// Elementary functions for bulk work: near the real value by a stated bound, the same on every
// machine, and some hundred times faster than the certified ones (numeric/directed.h). A caller
// who needs a side adds the bound. With u = 2^-53; proofs are in the source.
#pragma once

#include <complex>
#include <cstddef>

namespace dp {

// exp(x) within a relative 8 u. Held at exp(-700) below -700, which so is above the real value;
// throws overflow above 700, and for a NaN.
double exp_approx(double x);

// 1 - exp(-x) within a relative 32 u, for x >= 0.
double exp_gap_near(double x);

// ln(1 + x) within a relative 16 u, for finite x > -1; throws overflow for others.
double ln1p_near(double x);

// ln(x) within a relative 16 u, for finite x > 0; throws overflow for others.
double ln_near(double x);

// exp(2 pi i k / n), within 8 u in the complex plane, for k < n and n a power of two.
std::complex<double> root_of_unity_near(std::size_t k, std::size_t n);

}  // namespace dp

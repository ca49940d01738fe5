// The upper tail of the normal law, bounded from above.
#pragma once

namespace dp {

// At least P[N >= x] for a standard normal N and x >= 0, and above it by a relative 1e-12 at most
// while the tail is a normal double. Throws overflow if x is negative, infinite or NaN.
double normal_tail_up(double x);

// At least its density at x, exp(-x^2 / 2) / sqrt(2 pi), for finite x >= 0.
double normal_density_up(double x);

}  // namespace dp

// Gaussian noise: zero-concentrated differential privacy.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"
#include "core/numeric/integer.h"

namespace dp {

// Adds discrete Gaussian noise with parameter sigma = `scale` (standard deviation at most sigma) on
// the grid of multiples of 2^k. Domain, grid, rounding and errors: noise_mechanism.h.
//
// Privacy: rho = (d / sigma)^2 / 2 for a distance of d in the absolute or L2 sense.
// Source: Canonne, Kamath and Steinke (2020), "The Discrete Gaussian for Differential Privacy",
// Theorem 4 and, for vectors, its composition over coordinates.
Measurement make_gaussian(const Domain& input_domain,
                          const Metric& input_metric,
                          double scale,
                          std::optional<int> k = std::nullopt,
                          const Measure& output_measure = zero_concentrated_divergence());

// The least upper bound in doubles of rho = (d_in / scale)^2 / 2; 0 if d_in is 0, infinite if only
// the scale is. Neither may be negative.
double gaussian_loss(const Rational& d_in, const Rational& scale);

// gaussian_loss() for a distance whose square is d_in_squared; the distance need not be rational.
double gaussian_loss_of_square(const Rational& d_in_squared, const Rational& scale);

}  // namespace dp

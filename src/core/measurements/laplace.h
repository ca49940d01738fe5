// Laplace noise: pure differential privacy.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"
#include "core/numeric/integer.h"
#include "core/numeric/parameters.h"

namespace dp {

// Adds discrete Laplace noise with scale b = `scale` (standard deviation about b * sqrt(2)) on the
// grid of multiples of 2^k. Domain, grid, rounding and errors: noise_mechanism.h.
//
// Privacy: P[Z = z] is proportional to exp(-|z| / b), and |z - x| and |z - x'| differ by at most
// |x - x'|, so the loss is epsilon = d / b for a distance of d in the absolute or L1 sense.
//
// Source: Ghosh, Roughgarden and Sundararajan (2009), "Universally Utility-Maximizing Privacy
// Mechanisms"; Canonne, Kamath and Steinke (2020) for exact sampling.
Measurement make_laplace(const Domain& input_domain,
                         const Metric& input_metric,
                         double scale,
                         std::optional<int> k = std::nullopt,
                         const Measure& output_measure = max_divergence());

// The least upper bound in doubles of epsilon = d_in / scale; 0 if d_in is 0, infinite if only the
// scale is. Neither may be negative.
double laplace_loss(const Rational& d_in, const Rational& scale);

// Finds the least scale such that integers that move by at most `d_in` lose at most `epsilon`.
// Throws failed_map if `d_in` is negative, search if no finite scale suffices.
double laplace_scale(const Rational& d_in, Epsilon epsilon);

}  // namespace dp

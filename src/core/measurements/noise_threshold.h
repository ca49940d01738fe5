// Noise on the values of a map, of which only the large ones are released: keys need not be known.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Adds discrete Laplace or Gaussian noise of the given scale to every value, on the grid of
// multiples of 2^k (noise_mechanism.h), and releases the keys whose noisy value is at least the
// `threshold`, or at most if that is negative (integers only), with the noisy value. Keys come
// sorted. An entry of value 0 is as none at all: the metrics cannot distinguish it from a missing
// key, so what is released must not either. Infinite values count as the largest finite ones.
//
// Privacy, for maps that differ in at most d0 values, by (d_p, d_inf) on the grid, where rounding
// adds (2^k - 2^k_min) times d0 or sqrt(d0), and once to d_inf, for floats: keys that both maps
// have lose what additive noise does, d_1 / scale or (d_2 / scale)^2 / 2. A key that only one map
// has is of magnitude d_inf at most, and gives that map away with probability at most
// P[Z >= |threshold| - d_inf]; there are d0 of those at most (threshold.h). d_1 is at most
// d_inf d0, d_2 at most d_inf sqrt(d0).
// The loss law has two parts. Keys that both maps have lose what plain noise does on at most d0
// values that move by (d_p). Of the others none is released, on either side, with a probability of
// at least 1 - delta, so both laws share that much: with probability delta all is lost, else
// nothing. Noise is independent, and to withhold a value is postprocessing. Source: Korolova,
// Kenthapadi, Mishra and Ntoulas (2009), "Releasing Search Queries and Clicks Privately";
// Desfontaines, Voss, Gipson and Mandayam (2022), "Differentially Private Partition Selection",
// Section 2. (The reference counts P[Z > ...], a factor of exp(1 / scale) too little on integers.)
//
// Throws `type` unless keys are integers, bool or String, values numbers, and the metric
// L01InfDistance (Laplace) or L02InfDistance (Gaussian) of an absolute distance; metric_space for
// NaN; make_measurement for a bad `k` or a negative scale, or a float threshold that is negative or
// not finite; make_transformation for a scale that is not finite; failed_cast for a threshold of
// another type than the values. The map throws failed_map for distances that are negative or not
// finite, or if the threshold is below d_inf. The function throws failed_function for NaN.
Measurement make_laplace_threshold(const Domain& input_domain,
                                   const Metric& input_metric,
                                   double scale,
                                   const Scalar& threshold,
                                   std::optional<int> k = std::nullopt);

Measurement make_gaussian_threshold(const Domain& input_domain,
                                    const Metric& input_metric,
                                    double scale,
                                    const Scalar& threshold,
                                    std::optional<int> k = std::nullopt);

// The one or the other, for Approximate(MaxDivergence) or Approximate(ZeroConcentratedDivergence).
// Throws ffi for any other measure, as the framework does.
Measurement make_noise_threshold(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Measure& output_measure,
                                 double scale,
                                 const Scalar& threshold,
                                 std::optional<int> k = std::nullopt);

}  // namespace dp

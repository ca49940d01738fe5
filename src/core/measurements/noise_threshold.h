// Noise on the values of a map, with release of only the large ones, so that keys can be private.
#pragma once

#include <optional>

#include "core/measurements/measurement.h"

namespace dp {

// Adds discrete Laplace or Gaussian noise of the given scale to every value, on the grid of
// multiples of 2^k (noise_mechanism.h). Releases the keys whose noisy value is at least the
// `threshold`, or at most if that is negative (integers only), with the noisy value. Keys are
// sorted. An entry of value 0 counts as missing: the metrics cannot distinguish it from a missing
// key, so the release must not either. Infinite values count as the largest finite ones.
//
// Privacy: let maps differ in at most d0 values, by (d_p, d_inf) on the grid, where rounding adds
// (2^k - 2^k_min) times d0 or sqrt(d0), and once to d_inf, for floats. Keys in both maps lose as
// much as with additive noise, d_1 / scale or (d_2 / scale)^2 / 2. A key in only one map has a
// magnitude of at most d_inf, and reveals that map with probability at most P[Z >= |threshold| -
// d_inf]; there are at most d0 such keys (threshold.h). d_1 is at most d_inf d0, d_2 at most d_inf
// sqrt(d0). The loss law has two parts. Keys in both maps lose as much as plain noise on at most d0
// values that move by (d_p). With a probability of at least 1 - delta no other key is released on
// either side, so both laws share that much: with probability delta everything is lost, otherwise
// nothing. Noise is independent, and withholding a value is postprocessing.
//
// Source: Korolova, Kenthapadi, Mishra and Ntoulas (2009), "Releasing Search Queries and Clicks
// Privately"; Desfontaines, Voss, Gipson and Mandayam (2022), "Differentially Private Partition
// Selection", Section 2. (The reference counts P[Z > ...], a factor of exp(1 / scale) too little on
// integers.)
//
// Throws `type` unless keys are integers, bool or String, values numbers, and the metric
// L01InfDistance (Laplace) or L02InfDistance (Gaussian) of an absolute distance; metric_space for
// NaN; make_measurement for an invalid `k`, a negative scale, or a float threshold that is negative
// or not finite; make_transformation for a scale that is not finite; failed_cast for a threshold of
// a different type than the values. The map throws failed_map for distances that are negative or
// not finite, or if the threshold is below d_inf. The function throws failed_function for NaN.
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

// Laplace noise for Approximate(MaxDivergence), Gaussian noise for
// Approximate(ZeroConcentratedDivergence). Throws ffi for any other measure, as the framework does.
Measurement make_noise_threshold(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Measure& output_measure,
                                 double scale,
                                 const Scalar& threshold,
                                 std::optional<int> k = std::nullopt);

}  // namespace dp

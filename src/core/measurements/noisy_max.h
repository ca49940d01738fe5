// Selection of candidates by noisy scores.
#pragma once

#include <cstdint>
#include <string>

#include "core/measurements/measurement.h"

namespace dp {

// The k candidates with the best noisy scores, best first: one is selected and removed, k times, or
// until none is left. Releases their indices from 0 (usize). Best means greatest, or least if
// `negate`. `scale` is in the unit of the scores.
//
// MaxDivergence: permute-and-flip. In the order of a random permutation, candidate i is taken with
//   probability exp(-(best - score_i) / scale); the first one taken is released. The order is
//   independent of the coins, so this is a uniform choice among all candidates whose coin says yes,
//   and the best one's always does. Per selection epsilon = d / scale. Source: McKenna and Sheldon
//   (2020), "Permute-and-Flip: A New Mechanism for Differentially Private Selection".
//
// ZeroConcentratedDivergence: exponential mechanism, P[i] proportional to exp(score_i / scale), by
// a
//   race in one pass (random/exponential_race.h), whose time does not depend on the scores.
//   Per selection rho = (d / scale)^2 / 8. Source: Cesar and Rogers (2021), "Bounding,
//   Concentrating, and Truncating: Unifying Privacy Loss Composition for Data Analytics",
//   Lemma 3.4.
//
// There d = d_in if the metric is monotonic, otherwise 2 d_in: scores that move apart count twice.
// k selections cost k times as much. At scale 0 the best is released, the last among equals, and
// the loss is infinite except at d_in = 0.
//
// Coins and races are exact for every score and scale (random/exp_coin.h). Infinite scores count as
// the largest finite ones. NaN, nulls and a number of scores other than the domain's throw
// failed_function before anything is drawn.
//
// Throws make_measurement if elements may be NaN, if the scale is negative (-0 too) or not finite,
// or if k exceeds the domain's size; `type` for any other domain, metric or measure. The map throws
// invalid_distance for a negative distance, overflow if the loss is not finite.
Measurement make_noisy_top_k(const Domain& input_domain,
                             const Metric& input_metric,
                             const Measure& output_measure,
                             std::uint64_t k,
                             double scale,
                             bool negate = false);

// The first of them, one index. Throws failed_function if there are no candidates.
Measurement make_noisy_max(const Domain& input_domain,
                           const Metric& input_metric,
                           const Measure& output_measure,
                           double scale,
                           bool negate = false);

// make_noisy_max() under MaxDivergence, by its former name. `optimize` is "max" or "min", and
// selects accordingly. (The reference forwards "max" as `negate` and so selects the least.)
Measurement make_report_noisy_max_gumbel(const Domain& input_domain,
                                         const Metric& input_metric,
                                         double scale,
                                         const std::string& optimize = "max");

}  // namespace dp

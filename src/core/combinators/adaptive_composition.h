// Adaptively chosen measurements, within losses that are fixed beforehand.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// Releases a queryable that keeps the data and answers one measurement for each of `d_mids`, the
// i-th if its loss at `d_in` is at most d_mids[i]. Unused parts of a share are lost.
//
// Map: the composition of all of `d_mids`, from the last to the first, at any distance up to `d_in`
// (fixed_loss_map.h). It holds for adaptively chosen measurements, and for interactive releases.
// These can be used alternately unless the measure composes only in sequence: then only the
// releases of the last query answer (accounting/budget.h).
//
// Source: Dwork and Roth (2014), Theorem 3.16, for pure privacy; Bun and Steinke (2016), Lemma 1.7;
// accounting/budget.h for interaction.
//
// A query is charged when it is accepted, before it touches the data: it stays charged if it fails.
// (The reference charges only on success, so an error, which may depend on the data, is free.)
//
// Throws make_measurement if there are no `d_mids`, metric_space if the input pair is not a metric
// space, otherwise as check_budget() does. Queries throw failed_cast unless they are measurements,
// domain_mismatch, metric_mismatch, measure_mismatch, make_measurement if they are amplified
// (composable.h), and failed_function when all shares are spent or the loss exceeds the share.
Measurement make_adaptive_composition(const Domain& input_domain,
                                      const Metric& input_metric,
                                      const Measure& output_measure,
                                      const Distance& d_in,
                                      const std::vector<Distance>& d_mids);

}  // namespace dp

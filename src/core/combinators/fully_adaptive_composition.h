// Adaptively chosen measurements, with adaptively chosen losses.
#pragma once

#include "core/combinators/odometer.h"

namespace dp {

// An odometer that answers any measurement of the space. Its loss at d_in is the composition of the
// maps of all accepted measurements, at d_in: zero at first. A measurement is charged before it
// touches the data and stays charged if it fails.
//
// Privacy: sums of adaptively chosen losses bound the loss of the transcript.
//
// Source: Rogers, Roth, Ullman and Vadhan (2016), "Privacy Odometers and Filters"; Whitehouse,
// Ramdas, Rogers and Wu (2023), "Fully Adaptive Composition in Differential Privacy";
// accounting/budget.h for interactive releases.
//
// Throws metric_space if the input pair is not a metric space, `type` if the measure does not
// compose. Queries throw failed_cast unless they are measurements; domain_mismatch, metric_mismatch
// or measure_mismatch; make_measurement if they are amplified (composable.h); failed_map if their
// map gives no valid loss at distance 0 or 1.
Odometer make_fully_adaptive_composition(const Domain& input_domain,
                                         const Metric& input_metric,
                                         const Measure& output_measure);

}  // namespace dp

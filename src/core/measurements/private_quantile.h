// A quantile, as the best of public candidates.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// The candidate whose noisy score (quantile_score_candidates.h) is least: noisy minimum over the
// candidates in increasing order, in whatever order they come.
//
// `scale` is in rows: scores are den times as large, alpha = num / den, and so is the noise. Loss:
// that of make_noisy_max() at scale * den for the distance of the scores, so for d_in rows added or
// removed, under MaxDivergence, 2 d_in max(alpha, 1 - alpha) / scale.
// Source: Smith (2011), "Privacy-Preserving Statistical Estimation with Optimal Convergence Rates",
// for the idea; noisy_max.h for the selection.
//
// Throws make_measurement for a NaN among the candidates or a scale that is negative or not finite,
// else as make_quantile_score_candidates() and make_noisy_max() do.
Measurement make_private_quantile(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  const std::vector<Scalar>& candidates,
                                  double alpha,
                                  double scale);

}  // namespace dp

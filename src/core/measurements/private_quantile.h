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

// The same of rows of type usize that are places of candidates, where a place beyond the last is
// that of a missing value, which counts nowhere. Candidates are increasing. The score of one is the
// distance of the wanted rank from the ranks of the rows that count at it (numeric/rank_gap.h), so
// values that many rows share do no harm: where they are wanted, no other candidate is as good.
//
// Loss, under MaxDivergence: 2 s / scale, with s = d_in for rows replaced, floor(d_in / 2) for
// edits of data of a known size, else max(alpha, 1 - alpha) d_in. A row that becomes missing leaves
// the rows that count, which moves scores by no more than a row that is replaced.
//
// alpha counts as in quantile_score_candidates.h. Throws make_measurement for a scale that is
// negative or not finite; make_transformation if there are no candidates, they are not increasing,
// or alpha is outside of [0, 1]; `type` unless rows are of type usize, the metric is a distance
// between datasets, and the measure is MaxDivergence or ZeroConcentratedDivergence; overflow if the
// size is 0. At map time: overflow.
Measurement make_private_quantile_of_cells(const Domain& input_domain,
                                           const Metric& input_metric,
                                           const Measure& output_measure,
                                           const std::vector<Scalar>& candidates,
                                           double alpha,
                                           double scale);

}  // namespace dp

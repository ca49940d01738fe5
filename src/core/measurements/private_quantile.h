// A quantile, as the best of public candidates.
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// The candidate with the least noisy score (quantile_score_candidates.h): noisy minimum over the
// candidates in increasing order, whatever their input order.
//
// `scale` is in rows: scores are den times as large, alpha = num / den, and so is the noise.
//
// Privacy: the loss of make_noisy_max() at scale * den for the distance of the scores. So d_in
// added or removed rows lose, under MaxDivergence, 2 d_in max(alpha, 1 - alpha) / scale.
//
// Source: Smith (2011), "Privacy-Preserving Statistical Estimation with Optimal Convergence Rates",
// for the idea; noisy_max.h for the selection.
//
// Throws make_measurement for a NaN among the candidates or a scale that is negative or not finite,
// otherwise as make_quantile_score_candidates() and make_noisy_max() do.
Measurement make_private_quantile(const Domain& input_domain,
                                  const Metric& input_metric,
                                  const Measure& output_measure,
                                  const std::vector<Scalar>& candidates,
                                  double alpha,
                                  double scale);

// make_private_quantile() for rows of type usize that are indices of candidates. An index beyond
// the last is a missing value, which is not counted. Candidates are increasing. The score of a
// candidate is the distance of the target rank from the ranks of the rows at the candidate
// (numeric/rank_gap.h). So ties do no harm: if the quantile is a tied value, no other candidate
// scores as well.
//
// Privacy: the loss under MaxDivergence is 2 s / scale, with s = d_in for replaced rows, floor(d_in
// / 2) for edits of data of a known size, otherwise max(alpha, 1 - alpha) d_in. A row that becomes
// missing leaves the counted rows, which moves scores by no more than a replaced row.
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

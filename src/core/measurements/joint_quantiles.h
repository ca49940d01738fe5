// Several quantiles at once, as the best of public candidates.
//
// Each row counts at its nearest candidate, spread evenly over k sub-cells of it. So the sub-cells
// have ranks r, and the total miss of m sub-cells, in order, is
//
//   S = sum over j = 1, ..., m + 1 of |r(i_j) - r(i_(j-1)) - (alpha_j - alpha_(j-1)) N|,
//
// with 0, N and 0, 1 at the ends, N the number of counted rows. The mechanism draws sub-cells with
// a probability proportional to exp(-S / scale) (measurements/joint_choice.h) and releases their
// candidates. If many rows are equal, sub-cells let one candidate have any rank within them.
// Otherwise an error that ties force on one quantile would make errors of the next ones free.
//
// Privacy: a row is a mass of 1, spread over the m + 1 intervals between any m sub-cells. Replacing
// a row moves the masses of intervals, and so S, by at most 2 in sum. Adding or removing a row also
// moves the targets, and S by the distance of its masses from the steps of alpha, at most 2 (1 -
// the least step). A row that becomes missing moves it by less than 2. By the exponential mechanism
// with s the largest change of S:
//
//   epsilon = 2 s / scale,  rho = (2 s / scale)^2 / 8
//
// where s = 2 d_in for replaced rows, 2 floor(d_in / 2) for edits of data of a known size,
// otherwise 2 (1 - least step) d_in. So the loss does not grow with the number of quantiles.
//
// Source: Gillenwater, Joseph and Kulesza (2021), "Differentially Private Quantiles"; sub-cells and
// free missing rows are new here. For rho Cesar and Rogers (2021), "Bounding, Concentrating, and
// Truncating".
#pragma once

#include <vector>

#include "core/measurements/measurement.h"

namespace dp {

// From rows of numbers to one candidate for each of `alphas`, in the type of the rows, in order.
// alphas count to the nearest 1/10000.
//
// Throws make_measurement if there are no alphas, they are not increasing or not in [0, 1], or
// scale is not from 2^-15 on and finite; make_transformation if there are no candidates, they are
// not increasing, or with alphas they are too many (more than 2^24 pairs), or rows may be NaN;
// failed_cast if candidates have another type than rows, or rows may be null; `type` unless rows
// are numbers of at most 64 bits, the metric is a distance between datasets, and the measure is
// MaxDivergence or ZeroConcentratedDivergence.
Measurement make_joint_quantiles(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Measure& output_measure,
                                 const std::vector<Scalar>& candidates,
                                 const std::vector<double>& alphas,
                                 double scale);

// make_joint_quantiles() for rows of type usize that are indices of candidates. An index beyond the
// last is a missing value, which is not counted.
Measurement make_joint_quantiles_of_cells(const Domain& input_domain,
                                          const Metric& input_metric,
                                          const Measure& output_measure,
                                          const std::vector<Scalar>& candidates,
                                          const std::vector<double>& alphas,
                                          double scale);

}  // namespace dp

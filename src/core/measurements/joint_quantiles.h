// Several quantiles at once, as the best of public candidates.
//
// Each row counts at the candidate nearest to it, spread evenly over k sub-cells of that: so the
// sub-cells have ranks r, and of m of them, in order, the total miss is
//
//   S = sum over j = 1, ..., m + 1 of |r(i_j) - r(i_(j-1)) - (alpha_j - alpha_(j-1)) N|,
//
// with 0, N and 0, 1 at the ends, N the number of rows that count. Released are the candidates of
// the sub-cells that are drawn with a probability proportional to exp(-S / scale)
// (measurements/joint_choice.h). Where many rows are equal, sub-cells let a candidate stand for any
// rank within them: an error that these force on one quantile would make errors of the next ones
// free.
//
// Loss. A row is a mass of 1, spread over the m + 1 intervals that any m sub-cells make. One that
// is replaced moves the masses of intervals by 2 at most in sum, and so S; one that is added or
// removed moves also the targets, and S by the distance of its masses from the steps of alpha, at
// most 2 (1 - the least step). So does one that becomes missing, by less than 2. By the exponential
// mechanism with s the largest change of S:
//
//   epsilon = 2 s / scale,  rho = (2 s / scale)^2 / 8
//
// where s = 2 d_in for rows replaced, 2 floor(d_in / 2) for edits of data of a known size, else
// 2 (1 - least step) d_in. So the loss does not grow with the number of quantiles.
//
// Source: Gillenwater, Joseph and Kulesza (2021), "Differentially Private Quantiles"; the
// sub-cells, and that missing rows cost nothing, are ours. For rho Cesar and Rogers (2021),
// "Bounding, Concentrating, and Truncating".
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

// The same of rows of type usize that are places of candidates, where a place beyond the last is
// that of a missing value, which counts nowhere.
Measurement make_joint_quantiles_of_cells(const Domain& input_domain,
                                          const Metric& input_metric,
                                          const Measure& output_measure,
                                          const std::vector<Scalar>& candidates,
                                          const std::vector<double>& alphas,
                                          double scale);

}  // namespace dp

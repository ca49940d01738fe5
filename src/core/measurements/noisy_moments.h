// Means and covariances of columns, from exact integers.
//
// Columns are doubles, which become integers q on a public lattice of each column, 0 <= q <= N:
// missing values a uniform draw, others clamped and rounded, each row separately. With W_i the step
// of column i and n rows,
//
//   sum of column i         A_i  = sum q_i                         mean  lower_i + W_i A_i / n
//   scatter of i and j      S_ij = n sum q_i q_j - A_i A_j         covariance
//                                                                  W_i W_j S_ij / n(n-1)
//
// Stability: if one row is replaced, A_i moves by at most N_i, S_ij by (n - 1) N_i N_j. Proof of
// the latter, with columns scaled to [0, 1]: let a and b be the means of the other n - 1 rows. A
// row (y, z) contributes ((n - 1) / n) (y - a)(z - b) to the sum of products of deviations, which
// is S_ij / n; and (y - a)(z - b) - (y' - a)(z' - b) is at most max(a, 1 - a, b, 1 - b) <= 1 in
// magnitude, as a bilinear function at its corners. Both bounds are attained.
//
// Privacy: each integer has independent discrete Laplace noise, whose scale costs its
// epsilon. The loss of d replaced rows is d times the sum of all epsilons, rounded up. The release
// has the doubles nearest to exact rationals.
#pragma once

#include <string>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"
#include "core/table/lattice_columns.h"

namespace dp {

// A mean, if the two indices are equal and `is_mean`, or a covariance, by column indices.
struct Moment {
  bool is_mean;
  std::size_t first;
  std::size_t second;
  Epsilon epsilon;
};

// From data frames with these columns of f64, under the change-one distance, to one f64 for each
// moment. Frames with a number of rows other than n are resized, all columns together: superfluous
// rows are dropped at random, missing ones imputed.
//
// Throws make_measurement unless n is at least 2 and below 2^40, names differ, bounds are in order
// with room for different values on the lattice (whole numbers of at most 2^53 in magnitude, if
// `whole`), and epsilons are positive and finite. At map time: overflow.
Measurement make_noisy_moments(const std::vector<ColumnSpec>& columns,
                               const std::vector<Moment>& moments,
                               std::uint64_t n);

}  // namespace dp

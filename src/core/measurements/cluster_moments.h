// Counts, sums and sums of squares of rows in clusters, round after round: the only statistics that
// k-means needs from private rows.
//
// A value becomes z, 0 <= z <= 2^24: the nearest of 2^24 even steps from the lower bound of its
// column to the upper one. A round has K centres, and a box around each, an interval of every
// column, all in these steps. A row belongs to the cluster of its nearest centre, or of the first
// such centre. Its distance is a sum of squares of integers, so nothing is rounded. Each of its P
// values is then clamped to the box of this cluster, and t is its position in the box, 0 at the
// lower end and 1 at the upper one. For each cluster and column the cells are
//
//   sum (1 - t)^2,  sum 2 t (1 - t),  sum t^2,
//
// over all rows of the cluster, each with discrete Laplace noise of scale 2 P T / epsilon, if there
// are T rounds. With A, B and C the three sums and u = 2 t - 1, A + B + C is the number of rows, C
// - A the sum of u, and A - B + C the sum of its squares (class_moments.h). A row that lacks a
// value adds nothing.
//
// Privacy: look at one round, with any centres and boxes. The terms that a row adds to the cells of
// a column are nonnegative, and add up to 1, or to 0 if the row lacks a value. Replacing a row
// removes at most 1 and adds at most 1. So it changes the cells of a column by at most 2 in L1, in
// one cluster or in two, and the cells of all columns by at most 2 P: the round loses epsilon / T.
// A row that changes its cluster attains this, and so does t = 0 instead of 1.
//
// Centres and boxes of the first round are public. Those of later rounds are functions of earlier
// releases. So each round loses at most epsilon / T for every outcome of earlier rounds, and T
// rounds lose the sum, as an adaptive composition: epsilon for one row, d epsilon for d rows,
// because each row changes cells by at most 2 P.
//
// The proof holds for every choice of boxes. A box that just holds all values nearest to its centre
// clamps none, and smaller boxes mean less noise in the means.
//
// With independent noise on the count, the sums and the sums of squares of u, a row that changes
// its cluster would change these by 2 + 4 P.
//
// Noise is exact on a cell times the square of the width of its box, an integer. The release is the
// double nearest to the exact rational.
//
// Source: Blum, Dwork, McSherry and Nissim (2005), section 4, for k-means by noisy sums in rounds;
// Dwork, McSherry, Nissim and Smith (2006), Example 3, for cells that rows share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/numeric/parameters.h"
#include "core/numeric/rational.h"
#include "core/table/column_spec.h"

namespace dp {

constexpr int kClusterBits = 24;

// Centres or box ends of a round: P numbers for each cluster, one cluster after the other, as
// fractions of the range from the lower to the upper bound of a column.
struct Clusters {
  std::vector<double> centres;
  std::vector<double> lower;  // of boxes
  std::vector<double> upper;
};

struct ClusterPlan {
  std::vector<double> start;  // the centres of the first round
  std::uint64_t rounds;       // T
  Epsilon epsilon;            // of all rounds
  std::uint64_t n;
  // Computes boxes for centres, which are in whole steps.
  std::function<Clusters(const std::vector<double>& centres)> around;
  // Computes the centres of the next round, from the clusters of a round and its released cells:
  // three for each column of each cluster, in the order of the centres.
  std::function<std::vector<double>(const Clusters& at, const std::vector<double>& cells)> next;
};

// Clusters in steps: within the bounds, and lower < upper. NaN becomes the lower bound.
struct ClusterGrid {
  std::size_t columns;
  std::vector<std::int32_t> centres;
  std::vector<std::int32_t> lower;
  std::vector<std::int32_t> upper;
};
ClusterGrid cluster_grid(const Clusters& at, std::size_t columns);

// The step nearest to position q of a column with positions 0, ..., width.
std::int32_t cluster_step(std::int64_t q, std::int64_t width);

// The cluster of a row, `row` having a step for each column.
std::size_t nearest_centre(const std::int32_t* row, const ClusterGrid& at);

// The terms that a value adds to the cells of its column and cluster, times the square of the width
// of the box.
std::array<std::int64_t, 3> box_shares(std::int32_t z, std::int32_t lower, std::int32_t upper);

// The scale of the noise on a cell.
Rational cluster_scale(std::size_t columns, std::uint64_t rounds, Epsilon epsilon);

// From data frames with these columns of f64, under the change-one distance, to the results of each
// round: centres, lower and upper ends of boxes, and cells. Frames with a number of rows other than
// n are resized, all columns together: superfluous rows are dropped at random, added rows lack
// their values. Missing values are gaps, and so are infinite ones if `whole`. The imputation rule
// is ignored.
//
// Throws make_measurement as make_joint_moments() does for columns, n and epsilon, unless there are
// 1 to 1000 rounds, and 1 to 1000 centres from 0 to 1. At map time: overflow.
Measurement make_cluster_moments(const std::vector<ColumnSpec>& columns, const ClusterPlan& plan);

}  // namespace dp

// Counts, sums and sums of squares of rows in clusters, round after round: all that k-means needs
// to know of private rows.
//
// A value becomes z, 0 <= z <= 2^24: it takes so many even steps from the lower bound of its column
// to the upper one, and z is the nearest of them. A round looks at K centres, and at a box around
// each, an interval of every column, all in these steps. A row is in the cluster of the centre that
// is nearest to it, or of the first such centre; its distance is the sum of squares of integers, so
// that nothing is rounded. Each of its P values is then moved into the box of this cluster, and t
// is its place there, 0 at the lower end and 1 at the upper one. For each cluster and column these
// are released:
//
//   sum (1 - t)^2,  sum 2 t (1 - t),  sum t^2,
//
// of all its rows, each with discrete Laplace noise of scale 2 P T / epsilon, if there are T
// rounds. With A, B and C the three sums and u = 2 t - 1, A + B + C is the number of rows, C - A
// the sum of u, and A - B + C that of its squares (class_moments.h). A row that lacks a value adds
// nothing.
//
//   Proof. Look at one round, with any centres and boxes. What a row adds to the cells of a column
//   is not negative, and 1 in all, or 0 of a row that lacks a value. One row in place of another
//   takes away 1 at most and adds 1 at most. So it moves the cells of a column by 2 at most in L1,
//   be they those of one cluster or of two, and the cells of all columns by 2 P: the round loses
//   epsilon / T. Both attain it: a row that changes its cluster, and t = 0 in place of 1.
//
//   Centres and boxes of the first round are public, and those of the next ones functions of what
//   the rounds before released. So a round loses epsilon / T at most whatever these released, and T
//   rounds lose the sum, as an adaptive composition does: epsilon for one row, d epsilon for d
//   rows, as each of them moves cells by 2 P at most.
//
// Nothing is asked of the boxes. Those that just hold all values nearest to their centre move none,
// and the noise in means is the less, the smaller they are.
//
// If the count, the sums and the sums of squares of u had noise of their own, a row that changes
// its cluster would move these by 2 + 4 P.
//
// Noise is exact on a cell times the square of the width of its box, an integer. What is released
// is the double next to the exact rational.
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

// Where a round looks: P numbers for each cluster, one cluster after the other, in shares of the
// way from the lower to the upper bound of a column.
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
  // Boxes for centres, which are in whole steps.
  std::function<Clusters(const std::vector<double>& centres)> around;
  // The centres of the next round, from where a round looked and the cells that it released: three
  // for each column of each cluster, in the order of the centres.
  std::function<std::vector<double>(const Clusters& at, const std::vector<double>& cells)> next;
};

// These in steps: within the bounds, and lower < upper. What is no number is at a lower bound.
struct ClusterGrid {
  std::size_t columns;
  std::vector<std::int32_t> centres;
  std::vector<std::int32_t> lower;
  std::vector<std::int32_t> upper;
};
ClusterGrid cluster_grid(const Clusters& at, std::size_t columns);

// The step that is nearest to place q of a column with places 0, ..., width.
std::int32_t cluster_step(std::int64_t q, std::int64_t width);

// The cluster of a row, `row` having a step for each column.
std::size_t nearest_centre(const std::int32_t* row, const ClusterGrid& at);

// What a value of a row adds to the cells of its column and cluster, times the square of the width
// of the box.
std::array<std::int64_t, 3> box_shares(std::int32_t z, std::int32_t lower, std::int32_t upper);

// The scale of the noise on a cell.
Rational cluster_scale(std::size_t columns, std::uint64_t rounds, Epsilon epsilon);

// From data frames with these columns of f64, under the change-one distance, to all that each round
// looked at and released: centres, lower and upper ends of boxes, and cells. Frames of another
// number of rows than n are resized, all columns alike: superfluous rows are dropped at random,
// lacking ones lack their values. What is missing is so, and what is infinite, if `whole`; where
// imputed values would come from is not looked at.
//
// Throws make_measurement as make_joint_moments() does of columns, n and epsilon, unless there are
// 1 to 1000 rounds, and 1 to 1000 centres from 0 to 1. At map time: overflow.
Measurement make_cluster_moments(const std::vector<ColumnSpec>& columns, const ClusterPlan& plan);

}  // namespace dp

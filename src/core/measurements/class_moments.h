// How many rows each class has, and sums of their values and of squares of these, in one joint
// release, where the class of a row is private.
//
// Classes are 1, ..., K in a column of f64; a row with anything else there is in no class. A value
// becomes an integer q on a public lattice, 0 <= q <= N (lattice_columns.h), in steps as fine as
// joint_moments.h takes them; u = 2 q / N - 1. For each column, and each class, these are released:
//
//   sum (1 - u)^2 / 4,  sum (1 - u^2) / 2,  sum (1 + u)^2 / 4,
//
// of its rows with a value, if gaps are dropped the number of its rows without one, and behind all
// classes the number of rows in none; each with discrete Laplace noise of scale 2 P / epsilon, P
// columns. The three are Bernstein's polynomials of degree 2. They add up to 1, so the sums are a
// histogram of which each row falls into cells by parts. With A, B and C the three sums of a class,
// A + B + C is its number of rows, C - A its sum of u, and A - B + C its sum of squares.
//
//   Proof. What a row adds to the cells of one column is not negative, and 1 in all. One row in
//   place of another moves them by 2 at most in L1, and the cells of all columns by 2 P. That is
//   attained: by u = -1 in place of 1, by another class, or by none.
//
// Of one column, count, sum and sum of squares of a class have noise of the variances 24, 16 and 24
// over epsilon^2, as they are sums of independent ones of 8. With noise of their own, of scales a,
// b and c, a row that changes class costs 2 / a + 2 / b + 2 / c: at 6 / epsilon each has a variance
// of 72 / epsilon^2.
//
// Noise is exact on N^2 times a cell, an integer, and what is released is the double next to the
// exact rational. As laws, losses are those of a path (laplace_path_loss.h) of steps of one in
// these integers.
//
// Source: Dwork, McSherry, Nissim and Smith (2006), Example 3, for cells that rows share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/measurements/joint_moments.h"
#include "core/numeric/int128.h"

namespace dp {

struct ClassPlan {
  std::string column;     // with the class of each row
  std::uint64_t classes;  // K
  Gaps gaps;
  Epsilon epsilon;
  std::uint64_t n;
};

// How many numbers are released of a column.
std::size_t cells_of_column(const ClassPlan& plan);

// Of what one row, in this class (0, ..., K - 1, or K for none), adds to the cells of a column of
// width N, times N^2. `q` is empty if there is no value. A row with less than three parts has
// others of 0.
struct CellShare {
  std::size_t cell;
  int128_t share;
};
std::array<CellShare, 3> cell_shares(std::uint64_t in_class,
                                     const std::optional<std::int64_t>& q,
                                     std::int64_t width,
                                     const ClassPlan& plan);

// The scale of the noise on a cell.
Rational class_scale(std::size_t columns, const ClassPlan& plan);

// From data frames with `columns` and the column of classes, of f64, under the change-one distance,
// to cells, column by column. Frames of another number of rows than n are resized, as
// make_joint_moments() does; rows that are added are in no class.
//
// Throws make_measurement as make_joint_moments() does, if the column of classes is among the
// others, and unless there are 1 to 1000 classes. At map time: overflow.
Measurement make_class_moments(const std::vector<ColumnSpec>& columns, const ClassPlan& plan);

}  // namespace dp

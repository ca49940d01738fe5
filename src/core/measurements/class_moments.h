// Counts of rows per class, and sums of values and of their squares, in one joint release, if the
// class of a row is private.
//
// Classes are 1, ..., K in a column of f64; a row with any other value is in no class. A value
// becomes an integer q on a public lattice, 0 <= q <= N (lattice_columns.h), with the same step
// size as in joint_moments.h; u = 2 q / N - 1. For each column and each class, the cells are
//
//   sum (1 - u)^2 / 4,  sum (1 - u^2) / 2,  sum (1 + u)^2 / 4,
//
// over the rows of the class with a value. If gaps are dropped, there is also the number of its
// rows without a value. After all classes comes the number of rows in no class. Each cell has
// discrete Laplace noise of scale 2 P / epsilon, for P columns. The three terms are Bernstein's
// polynomials of degree 2, which add up to 1. So the sums are a histogram with fractional cells.
// With A, B and C the three sums of a class, A + B + C is its number of rows, C - A its sum of u,
// and A - B + C its sum of squares.
//
// Privacy: the terms that a row adds to the cells of one column are nonnegative, and add up to 1.
// Replacing a row changes them by at most 2 in L1, and the cells of all columns by at most 2 P. The
// bound is attained if u changes from 1 to -1, and if the class changes.
//
// For one column, count, sum and sum of squares of a class have noise variances 24, 16 and 24 over
// epsilon^2, because they are sums of independent terms of variance 8. With independent noise on
// each, of scales a, b and c, a row that changes its class costs 2 / a + 2 / b + 2 / c: at 6 /
// epsilon each has a variance of 72 / epsilon^2.
//
// Noise is exact on N^2 times a cell, an integer, and the release is the double nearest to the
// exact rational. The loss law is a path (laplace_path_loss.h) with unit steps in these integers.
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

// Number of released numbers for one column.
std::size_t cells_of_column(const ClassPlan& plan);

// The terms that one row in this class (0, ..., K - 1, or K for none) adds to the cells of a column
// of width N, times N^2. `q` is empty if there is no value. Rows with fewer than three terms fill
// the rest with 0.
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
// to cells, column by column. Frames with a number of rows other than n are resized, as in
// make_joint_moments(); added rows are in no class.
//
// Throws make_measurement as make_joint_moments() does, if the column of classes is among the
// others, and unless there are 1 to 1000 classes. At map time: overflow.
Measurement make_class_moments(const std::vector<ColumnSpec>& columns, const ClassPlan& plan);

}  // namespace dp

// Effects of a contingency table: the residuals of its decomposition as in the analysis of
// variance.
//
// A table x has columns i with n_i cells each. For a set A of columns, M_A x is the marginal table,
// and P_A the product over i in A of (I - J / n_i), J the matrix of ones. The effect of A is
// e_A = P_A M_A x. Effects of different sets are orthogonal, and every marginal is their sum:
//
//   (M_B x)[b] = sum over A within B of e_A[b_A] prod_{i in B without A} 1 / n_i.
//
// With f_A = prod_{i in A} n_i, the scaled effect z_A = f_A e_A = prod (n_i I - J) M_A x is a
// vector of integers. It is measured with independent noise of deviation f_A sigma_A in each cell,
// and P_A / f_A of the noisy vector estimates e_A with the covariance sigma_A^2 P_A.
//
// Norms. One row moves z_A by a column of prod (n_i I - J). A column of n I - J has one entry n - 1
// and n - 1 entries -1, so its L1 norm is 2 (n - 1) and its squared L2 norm n (n - 1). Norms of
// products are products of norms. Several rows move z_A by a sum of columns; norms are convex, so
// the sum is longest if all rows are in one cell.
//
// A replaced row moves z_A by the difference of two columns. The inner product of the columns of
// cells that differ exactly in the set S is C prod_{i in S} -1 / (n_i - 1), with
// C = prod n_i (n_i - 1). The squared norm 2 C (1 - inner / C) is largest for the S that has only
// the column with the fewest cells n, and then is 2 C n / (n - 1).
//
// Sources: Xiao, He, Zhang and Kifer (2023), "An Optimal and Scalable Matrix Mechanism for Noisy
// Marginals under Convex Loss Functions", for effects and their noise. The tests prove the norms by
// exhaustion on small tables.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numeric/int128.h"
#include "core/numeric/integer.h"

namespace dp::tables {

// Numbers of cells of the columns of a table. In the vector of its cells, the last column varies
// fastest.
using Shape = std::vector<std::size_t>;

// The product. Throws unsupported if a column has no cells, or above limits::kCells.
std::size_t cells_of(const Shape& shape);

// The kept columns of a shape. `kept` has an element for each column.
Shape kept_shape(const Shape& shape, const std::vector<bool>& kept);

// The index, in the table of the kept columns, of the cell that has index `cell` in the table.
std::size_t kept_cell(std::size_t cell, const Shape& shape, const std::vector<bool>& kept);

// M_A of a table.
std::vector<int128_t> margin(const std::vector<int128_t>& counts,
                             const Shape& shape,
                             const std::vector<bool>& kept);

// z_A of M_A x. Exact if the counts times cells_of() are below 2^126.
std::vector<int128_t> scaled_effect(std::vector<int128_t> counts, const Shape& shape);

struct EffectNorms {
  Integer l1 = 1, l2_squared = 1;  // of one row
  Integer replaced_l2_squared = 0;
};

// The total, of an empty shape, has the norms 1, 1 and 0.
EffectNorms effect_norms(const Shape& shape);

}  // namespace dp::tables

// The planned design of a set of tables: which effects are measured, and their shares of the loss.
//
// All effects within a table of the workload are measured: the closure C. With noise of variance
// sigma_A^2, effect A costs c_A / (2 sigma_A^2) in rho: c_A = p_A = prod_{i in A} (1 - 1 / n_i) if
// the unit is a row, and 2 p_A n / (n - 1) for a replaced row, with n the fewest cells of a column
// of A (effects.h). Several rows of one unit multiply all costs alike, so they do not change
// shares. Each cell of table B has the variance
//
//   V_B = sum over A within B of sigma_A^2 prod_{i in A} (1 - 1 / n_i) prod_{i in B without A}
//   n_i^-2.
//
// The sum over B of w_B V_B is sum v_A sigma_A^2, v_A the sum of these coefficients times w_B. For
// a total cost rho it is least if
//
//   sigma_A^2 = sqrt(c_A / v_A) T / (2 rho),   T = sum sqrt(c_A v_A),
//
// by the inequality of Cauchy and Schwarz. So effect A has the share sqrt(c_A v_A) / T of the loss.
//
// Weights: the mean absolute error of the tables is sum of importance_B cells_B sqrt(V_B), up to a
// constant. Its minimum is found by reweighting: w_B = importance_B at first, then 30 times
// w_B = importance_B cells_B / sqrt(V_B). Shares do not depend on the loss.
//
// Numbers are rounded to 40 bits (12 digits), so that the order of sums does not change a design.
//
// Source: Xiao, He, Zhang and Kifer (2023), "An Optimal and Scalable Matrix Mechanism for Noisy
// Marginals under Convex Loss Functions", Theorem 5 and Section 6; the tests compare with a search.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tables/effects.h"

namespace dp::tables {

// Indices of columns, increasing.
using ColumnSet = std::vector<std::size_t>;

struct WorkloadTable {
  ColumnSet columns;
  double importance = 1;  // above 0
};

struct PlannedEffect {
  ColumnSet columns;
  double share;     // of the loss; all sum to 1
  double variance;  // sigma_A^2 for a loss of rho = 1 and one row of each unit
};

struct Design {
  std::vector<PlannedEffect> effects;  // by number of columns, then by columns; the total is first
  std::vector<double> variances;       // V_B of each table, for the same loss
};

// `sizes`: numbers of cells of the columns. A column with one cell has no effect.
// Throws unsupported for tables as cells_of() does, for more than 2^16 effects, and if these have
// more than limits::kNumbers numbers.
Design planned_design(const Shape& sizes, const std::vector<WorkloadTable>& tables, bool replaced);

}  // namespace dp::tables

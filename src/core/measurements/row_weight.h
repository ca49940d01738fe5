// Weights of rows, relative to their public maximum.
//
// A relative weight rho is k / 2^20, k a whole number from 0 to 2^20. It comes from a column on a
// public lattice (lattice_columns.h), whose values are clamped to nonnegative bounds: k is nearest
// to 2^20 times the weight over the upper bound. It is a function of its row and of public numbers,
// and in its range whatever the row holds. Proofs of weighted sums need no more.
#pragma once

#include <cstdint>

#include "core/table/lattice_columns.h"

namespace dp {

constexpr int kRhoBits = 20;
constexpr std::int32_t kWholeRho = std::int32_t{1} << kRhoBits;

// k of the weight nearest to `rho`, clamped to [0, 1]. NaN becomes an end of the range.
std::int32_t weight_of(double rho);

// Throws make_measurement if the column can have a weight below 0.
void check_weights(const ColumnRule& rule);

// k of a row with the weight at this place, 0 <= place <= rule.width().
std::int32_t share_of_largest(const ColumnRule& rule, std::int64_t place);

}  // namespace dp

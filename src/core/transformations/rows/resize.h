// Brings datasets to a public number of rows, by padding with a public constant or by dropping
// rows.
#pragma once

#include <cstdint>
#include <optional>

#include "core/transformations/transformation.h"

namespace dp {

// Vectors of atoms or options of any size to vectors of `size` rows of the same kind. Too few rows
// are followed by copies of `constant`, or of null if it is empty, for rows that may be null. If
// there are too many, a dataset whose order is public (insert-delete, Hamming) keeps the first
// ones, any other a uniformly random choice. If the output metric is ordered and the input's is
// not, the order of the result is uniformly random; in all other cases the remaining rows keep
// their order.
//
// Stability, between symmetric and insert-delete distances in any combination: d_out = 2 d_in. It
// suffices to consider x and x' = x with one row r inserted.
//
//   Ordered input. The result is the first `size` rows of x c c c ..., a fixed sequence. Inserting
//   r pushes one row, or one c, out at the end: one removal and one addition. Unordered input. Let
//   p be a uniformly random order of x', padded to `size` if it is shorter. Without r (and with one
//   c added at the end, if x was padded), it is a uniformly random order of x. The first `size`
//   rows of both differ by r against the row, or the c, that moves up: one removal and one
//   addition, in place, so that the sets and the sequences are at distance 2 at most.
//
// Sequences whose order is public are never shuffled, not even for insert-delete output. Shuffling
// sequences of at most `size` rows, as the reference does, takes x of exactly `size` rows to any
// order and x' to one, which can be 2 (size - 1) apart.
//
// Between change-one distances, and between Hamming distances: d_out = d_in. Let x' be x with d_in
// rows replaced. Both have one number of rows, so both are padded at the same positions or lose the
// rows of the same positions, chosen without looking at them. At most d_in of the remaining rows
// were replaced.
//
// Throws make_transformation if `size` is 0 or `constant` is not a row of the input domain
// (failed_function if it is NaN and rows are bounded); failed_cast if it has a different type than
// the rows; `type` unless the metrics are one of the pairs above.
Transformation make_resize(const Domain& input_domain,
                           const Metric& input_metric,
                           std::uint64_t size,
                           const std::optional<Scalar>& constant,
                           const Metric& output_metric);

}  // namespace dp

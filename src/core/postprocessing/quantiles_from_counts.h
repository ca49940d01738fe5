// Quantiles of a distribution that is known by its counts in bins.
#pragma once

#include <string>
#include <vector>

#include "core/domains/scalar.h"
#include "core/engine/function.h"

namespace dp {

enum class Interpolation { linear, nearest };

// Reads "linear" and "nearest"; throws ffi for anything else.
Interpolation parse_interpolation(const std::string& text);

// From counts of type `type` in the bins between `bin_edges` of the same type (or in these and the
// two open bins outside, which are then left out) to one quantile of that type for each of
// `alphas`, of the float type `float_type`, in which all arithmetic is. For each alpha, the first
// bin at whose upper edge the distribution function is not below alpha:
//
//   linear    the point between the bin's edges at which the function, taken as straight within
//             bins, reaches alpha; the lower edge if the bin is empty. Integers drop the fraction.
//   nearest   the edge at which the function is nearer to alpha, the lower one in a tie
//
// Running sums are in `type`, saturating for integers. Noise may make counts negative, and the
// function then decreases here and there: the result is some such bin, as by bisection. Counts of
// total 0 have no quantiles: linear is NaN (failed_cast for integers), nearest the first edge.
//
// Throws `type` unless `type` is a number of at most 64 bits and `float_type` a float, failed_cast
// if edges or alphas are of another type; make_transformation if there are no edges, if edges or
// alphas are not strictly increasing (so none is NaN), or if an alpha is outside of [0, 1], -0
// included. Invoked on rows of another type: failed_cast; on a number of counts other than one more
// or one less than edges, or two counts for one edge: failed_function.
Function make_quantiles_from_counts(const std::vector<Scalar>& bin_edges,
                                    const std::vector<Scalar>& alphas,
                                    Interpolation interpolation,
                                    AtomType type,
                                    AtomType float_type);

}  // namespace dp

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
// two open bins outside, which are then dropped) to one quantile of that type for each of `alphas`.
// All arithmetic is in the float type `float_type`. For each alpha, take the first bin whose upper
// edge has a distribution function of at least alpha:
//
//   linear    the point between the bin's edges where the function, taken as linear within
//             bins, reaches alpha; the lower edge if the bin is empty. Integers drop the fraction.
//   nearest   the edge where the function is nearer to alpha, the lower one in a tie
//
// Running sums are in `type`, saturating for integers. Noise can make counts negative, so the
// function can decrease: the result is then one of several such bins, as by bisection. Counts of
// total 0 have no quantiles: linear is NaN (failed_cast for integers), nearest the first edge.
//
// Throws `type` unless `type` is a number of at most 64 bits and `float_type` a float, failed_cast
// if edges or alphas have a different type; make_transformation if there are no edges, if edges or
// alphas are not strictly increasing (so none is NaN), or if an alpha is outside of [0, 1], -0
// included. Invoked on rows of a different type: failed_cast; on a number of counts other than one
// more or one less than edges, or two counts for one edge: failed_function.
Function make_quantiles_from_counts(const std::vector<Scalar>& bin_edges,
                                    const std::vector<Scalar>& alphas,
                                    Interpolation interpolation,
                                    AtomType type,
                                    AtomType float_type);

}  // namespace dp

// Sums of bounded rows: picks the specialised sum that fits the rows.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any number type with bounds; the symmetric or the insert-delete distance. Integers sum in
// their type (int_sum.h): checked if the size is known and nothing can overflow, else monotonic
// if the bounds share a sign, else split; under the insert-delete distance ordered instead of the
// last two. Floats sum pairwise (float_sum.h), checked unless a sum could overflow, then ordered;
// of unknown many rows at most 2^20 are added. A cast between ordered and unordered distances
// comes first where the sum needs it (ordering.h).
//
// Throws `type` for other rows or distances, failed_cast if the rows may be null,
// make_transformation without bounds, and whatever the chosen sum throws. A float domain with
// bounds holds no NaN, so the transformation's input domain says so, whatever `input_domain` said.
Transformation make_sum(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

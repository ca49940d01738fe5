// Drops missing rows.
//
// Stability: whether a row stays is a function of this row, and rows keep their order. One added or
// removed row adds or removes at most one row afterwards: d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type that may be null, or of floats, to rows that are neither null nor NaN. Their
// number depends on the data, so the output domain has no size; nor has it bounds.
//
// Throws `type` unless rows can be missing and the metric is a distance between datasets,
// metric_space for the change-one and Hamming distances, which need a size.
Transformation make_drop_null(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

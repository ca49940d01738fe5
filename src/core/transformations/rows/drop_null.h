// Leaves out missing rows.
//
// Stability: the rows that stay are a function of each row on its own, and keep their order. One
// row more or less is one row more or less afterwards, or none: d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Rows of any type that may be null, or of floats, to those that are neither null nor NaN. How many
// stay depends on the data, so the output domain has no size; nor has it bounds.
//
// Throws `type` unless rows can be missing and the metric is a distance between datasets,
// metric_space for the change-one and Hamming distances, which need a size.
Transformation make_drop_null(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

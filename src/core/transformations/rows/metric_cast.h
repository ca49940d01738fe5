// Between adding or removing rows and replacing them, for datasets of a public number of rows. The
// functions are identities.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Symmetric to change-one distance, insert-delete to Hamming distance.
//
// Stability: for multisets of one size, removals and additions are equally many. Each pair is a
// replacement, so d_out = floor(d_in / 2). For sequences of n rows, moving one row from the first
// position to the last costs one removal and one addition, but replaces all n rows; so d_out = n
// from d_in = 2 on, and 0 below. The reference halves here, too, which is less than the true
// distance.
//
// Throws failed_cast unless `input_domain` is a vector, failed_function if its size is not known,
// `type` for other metrics.
Transformation make_metric_bounded(const Domain& input_domain, const Metric& input_metric);

// Change-one to symmetric distance, Hamming to insert-delete distance.
//
// Stability: a replacement is one removal and one addition, in place, so d_out = 2 d_in; the map
// throws overflow from d_in = 2^31 on.
//
// Throws as make_metric_bounded().
Transformation make_metric_unbounded(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

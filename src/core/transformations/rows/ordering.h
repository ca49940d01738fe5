// Between datasets whose order is public and those whose order says nothing.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// Symmetric to insert-delete distance, change-one to Hamming distance: puts the rows in uniformly
// random order.
//
// Stability: d_out = d_in. A uniformly random order of a dataset, with a row taken out or replaced
// in place, is a uniformly random order of the dataset without it or with the other one.
//
// Throws failed_cast unless `input_domain` is a vector of atoms or options, `type` for other
// metrics.
Transformation make_ordered_random(const Domain& input_domain, const Metric& input_metric);

// Insert-delete to symmetric distance, Hamming to change-one distance: the identity.
//
// Stability: d_out = d_in, for the edits that turn one sequence into another turn one multiset into
// the other.
//
// Throws failed_cast unless `input_domain` is a vector, `type` for other metrics.
Transformation make_unordered(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

// Adds up the results of blocks: the second half of sample and aggregate, but for the noise.
//
// Stability: the sum of integers moves by no more than they do together, d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From vectors of i64 of known size under L1Distance(i64) to AtomDomain(i128) under
// AbsoluteDistance(i128): fewer than 2^64 numbers of 64 bits, exactly.
//
// Throws failed_cast unless the rows are i64 and present, make_transformation without a size,
// `type` for another metric.
Transformation make_block_total(const Domain& input_domain, const Metric& input_metric);

}  // namespace dp

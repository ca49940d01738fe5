// Input space of statistics of bounded floats of known number.
#pragma once

#include "core/domains/domain.h"
#include "core/metrics/metric.h"
#include "core/transformations/sums/float_sum_stability.h"

namespace dp {

struct SizedFloats {
  AtomType type;
  Bounds bounds;
  std::uint64_t size;  // >= 1
};

// Throws `type` unless rows are floats and the metric is the symmetric distance, failed_cast if
// `summation` is of another type or rows may be null, make_transformation if bounds or size are
// missing or the size is 0.
SizedFloats sized_floats(const Domain& input_domain,
                         const Metric& input_metric,
                         Summation summation);

}  // namespace dp

// Shared parts of counts: their input space, and their saturation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/column.h"
#include "core/metrics/metric.h"

namespace dp {

// Throws `type` unless `input_metric` is the symmetric distance.
void check_symmetric(const Metric& input_metric);

// Number of counts that each step of the metric can move by one: 1 under the symmetric distance,
// where a row is added or removed, and 2 under the change-one distance, where a row is replaced.
// Throws `type` for other metrics.
std::uint32_t counts_moved(const Metric& input_metric);

// The count as a number of type `type`, at most kMaxConsecutive of it, which ends the
// type's range of consecutive whole numbers.
Scalar saturated_count(std::uint64_t count, AtomType type);

// The first `size` counts, each as saturated_count().
ColumnPtr saturated_counts(const std::vector<std::uint64_t>& counts,
                           std::size_t size,
                           AtomType type);

}  // namespace dp

// What counts have in common: the space they come from, and where they stop.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/column.h"
#include "core/metrics/metric.h"

namespace dp {

// Throws `type` unless `input_metric` is the symmetric distance.
void check_symmetric(const Metric& input_metric);

// How many counts by one each step of the metric can move: 1 under the symmetric distance, where a
// row comes or goes, and 2 under the change-one distance, where one goes and another comes. Throws
// `type` for other metrics.
std::uint32_t counts_moved(const Metric& input_metric);

// The count as a number of type `type`: kMaxConsecutive of it, the largest number up to which it
// can count one by one, if there are more.
Scalar saturated_count(std::uint64_t count, AtomType type);

// The first `size` counts, each in the same way.
ColumnPtr saturated_counts(const std::vector<std::uint64_t>& counts,
                           std::size_t size,
                           AtomType type);

}  // namespace dp

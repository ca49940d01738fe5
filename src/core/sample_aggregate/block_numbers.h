// The results of blocks as an aggregator takes them: a known number of bounded integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/value.h"
#include "core/domains/domain.h"
#include "core/metrics/metric.h"

namespace dp {

struct BlockNumbers {
  // Throws failed_cast unless numbers are i64 and present; make_measurement without bounds or size;
  // `type` unless the metric is change-one or Hamming distance.
  BlockNumbers(const Domain& input_domain, const Metric& input_metric);

  // The numbers, moved into their bounds. Throws failed_function if there are not `size` of them.
  std::vector<std::int64_t> read(const Value& value) const;

  std::size_t size;
  std::int64_t lower;
  std::int64_t upper;
};

}  // namespace dp

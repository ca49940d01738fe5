// The stability maps that many transformations share.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "core/metrics/metric.h"
#include "core/transformations/transformation.h"

namespace dp {

// d_in rows to `map(d_in)`, a number of type Q. For maps from dataset metrics.
template <class Q>
StabilityMap map_rows(std::function<Q(std::uint32_t)> map) {
  return [map = std::move(map)](const Distance& d_in) {
    return Distance(Scalar(map(number_in<std::uint32_t>(d_in))));
  };
}

// d_in times `factor`, in the distance type of `output_metric`, rounded up. Between numeric
// distances of any types: d_out = up(Q <- d_in) * factor. At map time throws overflow when that
// does not fit, failed_map for a negative distance.
StabilityMap constant_map(const Metric& output_metric, std::uint32_t factor);

}  // namespace dp

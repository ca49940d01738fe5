#include "core/measurements/measurement.h"

#include <utility>

#include "core/engine/any_size.h"
#include "core/metrics/metric_space.h"

namespace dp {

Measurement::Measurement(Domain input_domain,
                         Metric input_metric,
                         Measure output_measure,
                         Function function,
                         PrivacyMap privacy_map,
                         LossMap loss_map)
    : input_domain_(std::move(input_domain)),
      input_metric_(std::move(input_metric)),
      output_measure_(std::move(output_measure)),
      function_(std::move(function)),
      privacy_map_(std::move(privacy_map)),
      loss_map_(std::move(loss_map)) {
  check_metric_space(input_domain_, input_metric_);
}

Value Measurement::invoke(const Value& arg) const {
  check_input(arg, input_domain_, is_bounded(input_metric_), function_);
  return function_(arg);
}

bool Measurement::check(const Distance& d_in, const Distance& d_out) const {
  return at_most(map(d_in), d_out);
}

}  // namespace dp

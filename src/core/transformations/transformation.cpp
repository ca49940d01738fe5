#include "core/transformations/transformation.h"

#include <utility>

#include "core/engine/any_size.h"
#include "core/metrics/metric_space.h"

namespace dp {
namespace {

StabilityMap checked(StabilityMap map) {
  return checked_map(std::move(map), "a distance must be a number, and at least 0.");
}

}  // namespace

Transformation::Transformation(Domain input_domain,
                               Metric input_metric,
                               Domain output_domain,
                               Metric output_metric,
                               Function function,
                               StabilityMap stability_map)
    : input_domain_(std::move(input_domain)),
      input_metric_(std::move(input_metric)),
      output_domain_(std::move(output_domain)),
      output_metric_(std::move(output_metric)),
      function_(std::move(function)),
      stability_map_(checked(std::move(stability_map))) {
  check_metric_space(input_domain_, input_metric_);
  check_metric_space(output_domain_, output_metric_);
}

Transformation::Transformation(
    Unchecked, Domain domain, Metric metric, Function function, StabilityMap map)
    : input_domain_(domain),
      input_metric_(metric),
      output_domain_(std::move(domain)),
      output_metric_(std::move(metric)),
      function_(std::move(function)),
      stability_map_(checked(std::move(map))) {}

Value Transformation::invoke(const Value& arg) const {
  check_input(arg, input_domain_, is_bounded(input_metric_), function_);
  return function_(arg);
}

bool Transformation::check(const Distance& d_in, const Distance& d_out) const {
  return at_most(map(d_in), d_out);
}

Transformation Transformation::then(const Transformation& next) const {
  return Transformation(input_domain_,
                        input_metric_,
                        next.output_domain_,
                        next.output_metric_,
                        function_.then(next.function_),
                        [first = stability_map_, second = next.stability_map_](
                            const Distance& d_in) { return second(first(d_in)); });
}

Transformation unchecked_transformation(Domain domain,
                                        Metric metric,
                                        Function function,
                                        StabilityMap stability_map) {
  return Transformation(Transformation::Unchecked{},
                        std::move(domain),
                        std::move(metric),
                        std::move(function),
                        std::move(stability_map));
}

}  // namespace dp

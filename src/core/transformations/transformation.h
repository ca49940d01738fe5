// Transformations: functions on data that come with a bound on how far they move neighbouring
// datasets apart.
#pragma once

#include "core/domains/domain.h"
#include "core/engine/function.h"
#include "core/metrics/distance_map.h"
#include "core/metrics/metric.h"

namespace dp {

// Maps d_in to d_out, rounded toward more, or throws. The map of a Transformation throws failed_map
// if d_out is negative or NaN in any part, even if the user wrote it.
using StabilityMap = DistanceMap;

// If x and x' in `input_domain` are at most d_in apart in `input_metric`, then function(x) and
// function(x') are in `output_domain` and at most stability_map(d_in) apart in `output_metric`.
class Transformation {
 public:
  // Throws metric_space if either pair is not a metric space (metric_space.h).
  Transformation(Domain input_domain,
                 Metric input_metric,
                 Domain output_domain,
                 Metric output_metric,
                 Function function,
                 StabilityMap stability_map);

  const Domain& input_domain() const { return input_domain_; }
  const Metric& input_metric() const { return input_metric_; }
  const Domain& output_domain() const { return output_domain_; }
  const Metric& output_metric() const { return output_metric_; }
  const Function& function() const { return function_; }
  const StabilityMap& stability_map() const { return stability_map_; }

  // Throws failed_cast if `arg` has another carrier type than the input domain, failed_function if
  // it is no member (check_input() in engine/any_size.h).
  Value invoke(const Value& arg) const;

  Distance map(const Distance& d_in) const { return stability_map_(d_in); }

  // Whether map(d_in) <= d_out.
  bool check(const Distance& d_in, const Distance& d_out) const;

  // This one first and then `next`, whose input space must be this one's output space: nothing
  // compares them here (combinators/chain.h does).
  Transformation then(const Transformation& next) const;

 private:
  friend Transformation unchecked_transformation(Domain, Metric, Function, StabilityMap);
  struct Unchecked {};
  Transformation(Unchecked, Domain domain, Metric metric, Function function, StabilityMap map);

  Domain input_domain_;
  Metric input_metric_;
  Domain output_domain_;
  Metric output_metric_;
  Function function_;
  StabilityMap stability_map_;
};

// From a space to itself, whatever it is. For make_identity alone, which the framework keeps
// lenient.
Transformation unchecked_transformation(Domain domain,
                                        Metric metric,
                                        Function function,
                                        StabilityMap stability_map);

}  // namespace dp

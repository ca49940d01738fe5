// Measurements: randomised functions on data, with a bound on the privacy loss of a release.
#pragma once

#include "core/domains/domain.h"
#include "core/engine/function.h"
#include "core/measurements/privacy_map.h"
#include "core/measures/loss_law.h"
#include "core/measures/measure.h"
#include "core/metrics/distance.h"
#include "core/metrics/metric.h"

namespace dp {

// If x and x' in `input_domain` are at most d_in apart in `input_metric`, then the distributions of
// function(x) and function(x') are at most privacy_map(d_in) apart in `output_measure`.
class Measurement {
 public:
  // Throws metric_space if the input pair is not a metric space (metric_space.h).
  Measurement(Domain input_domain,
              Metric input_metric,
              Measure output_measure,
              Function function,
              PrivacyMap privacy_map,
              LossMap loss_map = nullptr);

  const Domain& input_domain() const { return input_domain_; }
  const Metric& input_metric() const { return input_metric_; }
  const Measure& output_measure() const { return output_measure_; }
  const Function& function() const { return function_; }
  const PrivacyMap& privacy_map() const { return privacy_map_; }

  // The loss laws, in addition to the bound of privacy_map(). May be empty.
  const LossMap& loss_map() const { return loss_map_; }

  // One release. Throws failed_cast if `arg` has a different carrier type than the input domain,
  // and failed_function if it is not a member, before anything is drawn (check_input() in
  // engine/any_size.h).
  Value invoke(const Value& arg) const;

  Distance map(const Distance& d_in) const { return privacy_map_(d_in); }

  // Whether map(d_in) <= d_out.
  bool check(const Distance& d_in, const Distance& d_out) const;

 private:
  Domain input_domain_;
  Metric input_metric_;
  Measure output_measure_;
  Function function_;
  PrivacyMap privacy_map_;
  LossMap loss_map_;
};

}  // namespace dp

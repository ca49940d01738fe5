// Measurements as queries to compositors.
#pragma once

#include "core/combinators/chain.h"
#include "core/data/value.h"
#include "core/measurements/composable.h"

namespace dp {

// The space of a compositor's queries, and the unit of its data.
struct QuerySpace {
  Domain input_domain;
  Metric input_metric;
  Measure output_measure;
};

// The published name of the query type.
inline constexpr const char* kMeasurementQuery = "AnyMeasurement";

// The measurement in `query`. Throws failed_cast if it is anything else; domain_mismatch,
// metric_mismatch or measure_mismatch if it is of a different space; make_measurement if it is
// amplified (composable.h).
inline Composable measurement_in(const Value& query, const QuerySpace& space) {
  const auto* measurement = query.as<MeasurementPtr>();
  if (measurement == nullptr || *measurement == nullptr) {
    throw Error(ErrorKind::failed_cast, "the query must be a measurement.");
  }
  check_same_domain(space.input_domain, (*measurement)->input_domain());
  check_same_metric(space.input_metric, (*measurement)->input_metric());
  check_same_measure(space.output_measure, (*measurement)->output_measure());
  return *measurement;
}

}  // namespace dp

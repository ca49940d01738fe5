// Measurements that tests submit to compositors.
#pragma once

#include <memory>
#include <utility>

#include "core/combinators/measure_cast.h"
#include "core/engine/queryable.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/user_measurement.h"
#include "measurements/noise_support.h"

namespace dp::test {

inline const Domain kNumber = non_nan_atom(AtomType::i32);
inline const Metric kStep = absolute_distance(AtomType::i32);

inline Value query(Measurement measurement) {
  return MeasurementPtr(std::make_shared<const Measurement>(std::move(measurement)));
}

// Releases the number unchanged, and claims to cost `loss` at any distance.
inline Measurement costing(const Measure& measure, const Distance& loss) {
  return make_user_measurement(
      kNumber,
      kStep,
      measure,
      [](const Value& arg) { return arg; },
      [loss](const Distance&) { return loss; });
}

inline Measurement costing(double epsilon) { return costing(max_divergence(), Scalar(epsilon)); }

// Fails when it sees the data.
inline Measurement failing(double epsilon) {
  return make_user_measurement(
      kNumber,
      kStep,
      max_divergence(),
      [](const Value&) -> Value { throw Error(ErrorKind::failed_function, "failed on the data"); },
      [epsilon](const Distance&) -> Distance { return Scalar(epsilon); });
}

inline Distance pair_of(double inner, double delta) {
  return Distance::Tuple{Scalar(inner), Scalar(delta)};
}

inline QueryablePtr start(const Measurement& compositor, std::int32_t data) {
  return *compositor.invoke(Scalar(data)).as<QueryablePtr>();
}

inline QueryablePtr child(Queryable& parent, const Measurement& compositor) {
  return *parent.ask(query(compositor)).as<QueryablePtr>();
}

}  // namespace dp::test

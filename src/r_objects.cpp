#include "r_objects.h"

#include <memory>

#include "boundary.h"
#include "core/combinators/odometer.h"
#include "core/engine/function.h"
#include "core/measurements/measurement.h"
#include "r_scalars.h"
#include "r_values.h"

namespace dp::r {
namespace {

// Wraps an object with the package's function `constructor`.
SEXP wrapped(const char* constructor, SEXP object) {
  const Rcpp::Shield<SEXP> held(object);
  const Rcpp::Function wrap = Rcpp::Environment::namespace_env("PSIlence")[constructor];
  return wrap(object);
}

}  // namespace

SEXP queryable_to_r(const QueryablePtr& queryable) {
  const bool tells_loss = std::dynamic_pointer_cast<OdometerQueryable>(queryable) != nullptr;
  return wrapped(tells_loss ? "wrap_odometer_queryable" : "wrap_queryable", to_handle(queryable));
}

SEXP measurement_to_r(const MeasurementPtr& measurement) {
  return wrapped("new_measurement", to_handle(measurement));
}

SEXP curve_to_r(const Distance::Curve& curve) {
  return to_handle(whole_function(
      [curve](const Value& alpha) -> Value { return Scalar(curve(element_in<double>(alpha))); }));
}

Distance::Curve curve_from_r(SEXP object) {
  if (TYPEOF(object) == EXTPTRSXP) {
    return [curve = shared_from_handle<Function>(object)](double alpha) {
      return element_in<double>((*curve)(Scalar(alpha)));
    };
  }
  if (!Rf_isFunction(object)) throw Error(ErrorKind::type, "a curve of losses must be a function.");
  return [closure = keep_alive(wrapped("curve_callback", object))](double alpha) {
    const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(alpha));
    const Rcpp::RObject value = call_user(kept(closure), argument, true);
    return user_result(true, [&] { return double_from_r(value, "the curve's value"); });
  };
}

}  // namespace dp::r

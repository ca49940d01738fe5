// Binds releases that answer queries: compositors, odometers, and the user's own queryables.
#include <memory>
#include <vector>

#include "boundary.h"
#include "core/combinators/odometer.h"
#include "r_objects.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

OdometerQueryable& odometer_queryable(SEXP handle) {
  auto* queryable = dynamic_cast<OdometerQueryable*>(&from_handle<Queryable>(handle));
  if (queryable == nullptr) {
    throw Error(ErrorKind::failed_cast, "expected a handle of an odometer queryable.");
  }
  return *queryable;
}

}  // namespace

// Queries and their releases are public; the state is not.
// [[Rcpp::export(rng = false)]]
SEXP core_new_queryable(SEXP transition, std::string query_type, std::string answer_type) {
  return guarded([&] {
    const Opaque closure = keep_alive(transition);
    return queryable_to_r(make_queryable(
        [closure, answer_type](const Value& query) -> Value {
          const Rcpp::Shield<SEXP> argument(value_to_r(query));
          const Rcpp::RObject answer = call_user(kept(closure), argument, true);
          return user_result(true, [&] { return value_of_type(answer, answer_type); });
        },
        query_type));
  });
}

// `measurement` is the handle of `query` if it is a measurement, else NULL. A queryable of
// measurements reads this handle; other queryables read the R object.
// [[Rcpp::export(rng = false)]]
SEXP core_queryable_eval(SEXP queryable, SEXP query, SEXP measurement) {
  return guarded([&] {
    Queryable& it = from_handle<Queryable>(queryable);
    const std::string type = it.query_type();
    const bool as_handle = type == kMeasurementQuery && !Rf_isNull(measurement);
    return value_to_r(it.ask(value_of_type(as_handle ? measurement : query, type)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_queryable_query_type(SEXP queryable) {
  return guarded([&] { return Rcpp::wrap(from_handle<Queryable>(queryable).query_type()); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_odometer_queryable_loss(SEXP queryable, SEXP d_in) {
  return guarded([&] {
    OdometerQueryable& it = odometer_queryable(queryable);
    return distance_to_r(it.loss(distance_from_r(d_in, it.input_metric())));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_odometer_queryable_loss_type(SEXP queryable) {
  return guarded(
      [&] { return Rcpp::wrap(distance_type_name(odometer_queryable(queryable).input_metric())); });
}

// Converts data, releases and distances between R and the core.
#pragma once

#include <Rcpp.h>

#include <string>

#include "core/data/value.h"
#include "core/domains/domain.h"
#include "core/error.h"
#include "core/measures/measure.h"
#include "core/metrics/distance.h"
#include "core/metrics/metric.h"

namespace dp::r {

// Reads `object` in place as a member of `domain`'s carrier. Throws failed_cast if it has a
// different type.
Value value_from_r(SEXP object, const Domain& domain);

// Reads any `object`: atomic vectors as elements or rows, anything else as opaque.
Value release_from_r(SEXP object);

// Reads `object` as a value of the type with this descriptor ("f64", "Vec<i32>",
// "Vec<Option<i32>>", or "AnyMeasurement", which is given as its handle). Other types are opaque.
// Throws failed_cast if the object does not have the type.
Value value_of_type(SEXP object, const std::string& descriptor);

// Returns a release without a known domain. Tuples become lists, rows vectors, null NULL.
SEXP value_to_r(const Value& value);

// Returns a member of `domain`, computed from `arg`. Both determine the form of 64-bit integers.
SEXP value_to_r(const Value& value, const Domain& domain, SEXP arg);

// Reads a distance in the type of a metric or a measure. Floats round up. Throws failed_cast, also
// for NA and, for distances in rows, for negative and fractional numbers.
Distance distance_from_r(SEXP object, const Metric& metric);
Distance distance_from_r(SEXP object, const Measure& measure);

// Like distance_from_r(), for a limit on distances: floats round down.
Distance limit_from_r(SEXP object, const Metric& metric);

// Returns a distance. Numbers round up, tuples become lists. Privacy profiles and Renyi curves
// become handles, which the R side wraps.
SEXP distance_to_r(const Distance& distance);

// Calls a user's closure with `argument` on R's thread and returns its result. An R error becomes
// failed_function. It has R's message if `public_argument`, because the message then cannot reveal
// private data; else a fixed sentence.
Rcpp::RObject call_user(SEXP closure, SEXP argument, bool public_argument);

// Applies `convert` to a closure's result. Failures become failed_function, with the reason if
// `public_argument`, else with a fixed sentence, as in call_user().
template <class F>
auto user_result(bool public_argument, F&& convert) {
  try {
    return convert();
  } catch (const Error& error) {
    throw Error(ErrorKind::failed_function,
                std::string("Exception in user-defined function: ") +
                    (public_argument ? error.what() : "the result must have the declared type."));
  }
}

}  // namespace dp::r

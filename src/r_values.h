// Data, releases and distances between R and the core.
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

// `object` as a member of `domain`'s carrier, read where it lies. Throws failed_cast if its type is
// not the carrier's.
Value value_from_r(SEXP object, const Domain& domain);

// `object`, whatever it is: atomic vectors as elements or rows, anything else opaque.
Value release_from_r(SEXP object);

// `object` as a value of the type with this descriptor ("f64", "Vec<i32>", "Vec<Option<i32>>",
// "AnyMeasurement", which comes as its handle); of any other type, opaque. Throws failed_cast if it
// is not of the type.
Value value_of_type(SEXP object, const std::string& descriptor);

// A release, of which no domain is known. Tuples become lists, rows vectors, null NULL.
SEXP value_to_r(const Value& value);

// A member of `domain`, the result of `arg`: both say how its 64-bit integers are kept.
SEXP value_to_r(const Value& value, const Domain& domain, SEXP arg);

// A distance in the type of a metric or a measure. Floats round toward more. Throws failed_cast,
// also for NA and, for distances in rows, for negative and fractional numbers.
Distance distance_from_r(SEXP object, const Metric& metric);
Distance distance_from_r(SEXP object, const Measure& measure);

// As distance_from_r(), of a distance that others must not exceed: floats round toward less.
Distance limit_from_r(SEXP object, const Metric& metric);

// Numbers round toward more, tuples become lists; privacy profiles and Renyi curves handles, which
// the R side wraps.
SEXP distance_to_r(const Distance& distance);

// The result of a user's closure, called on R's thread with `argument`. An R error becomes
// failed_function: with R's message if `public_argument`, since then it can say nothing private,
// else with a fixed sentence.
Rcpp::RObject call_user(SEXP closure, SEXP argument, bool public_argument);

// What `convert` makes of a closure's result; failed_function if it cannot: with the reason if
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

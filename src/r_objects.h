// Framework objects passed as values, for releases that are not numbers.
#pragma once

#include <Rcpp.h>

#include "core/data/value.h"
#include "core/metrics/distance.h"

namespace dp::r {

// The R object, of class "odometer_queryable" if it reports a loss, else "queryable".
SEXP queryable_to_r(const QueryablePtr& queryable);

SEXP measurement_to_r(const MeasurementPtr& measurement);

// A Renyi curve. In R it is an opendp_function of alpha, and only the handle crosses the boundary;
// from R it can also be any R function.
SEXP curve_to_r(const Distance::Curve& curve);
Distance::Curve curve_from_r(SEXP object);

}  // namespace dp::r

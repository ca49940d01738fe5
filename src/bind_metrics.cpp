#include "boundary.h"
#include "core/metrics/metric.h"
#include "core/metrics/metric_space.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// Reads a descriptor: "SymmetricDistance", "L1Distance<i32>".
// [[Rcpp::export(rng = false)]]
SEXP core_metric(std::string descriptor) {
  return guarded([&] { return to_handle(parse_metric(descriptor)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_linf_distance(std::string type, bool monotonic) {
  return guarded([&] { return to_handle(linf_distance(parse_atom_type(type), monotonic)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_partition_distance(SEXP inner, bool squared) {
  return guarded([&] {
    return to_handle(l0pinf_distance(squared ? MetricKind::l02inf : MetricKind::l01inf,
                                     from_handle<Metric>(inner)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_user_distance(std::string identifier, SEXP descriptor) {
  return guarded([&] { return to_handle(user_distance(identifier, keep_alive(descriptor))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_metric_describe(SEXP metric) {
  return guarded([&] {
    const auto& it = from_handle<Metric>(metric);
    return Rcpp::List::create(
        Rcpp::_["debug"] = debug(it),
        Rcpp::_["type"] = type_name(it),
        Rcpp::_["distance_type"] = distance_type_name(it),
        Rcpp::_["descriptor"] = it.descriptor ? kept(it.descriptor) : R_NilValue);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_metric_equal(SEXP a, SEXP b) {
  return guarded(
      [&] { return Rf_ScalarLogical(from_handle<Metric>(a) == from_handle<Metric>(b)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_check_space(SEXP domain, SEXP metric) {
  return guarded([&] {
    check_metric_space(from_handle<Domain>(domain), from_handle<Metric>(metric));
    return R_NilValue;
  });
}

#include "boundary.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/select_private_candidate.h"
#include "core/engine/function.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_chain_tt(SEXP outer, SEXP inner) {
  return guarded([&] {
    return to_handle(
        make_chain_tt(from_handle<Transformation>(outer), from_handle<Transformation>(inner)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_chain_mt(SEXP outer, SEXP inner) {
  return guarded([&] {
    return to_handle(
        make_chain_mt(from_handle<Measurement>(outer), from_handle<Transformation>(inner)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_chain_pm(SEXP postprocess, SEXP inner) {
  return guarded([&] {
    return to_handle(
        make_chain_pm(from_handle<Function>(postprocess), from_handle<Measurement>(inner)));
  });
}

// Throws unless the two spaces are equal.
// [[Rcpp::export(rng = false)]]
SEXP core_check_same_space(SEXP output_domain,
                           SEXP output_metric,
                           SEXP input_domain,
                           SEXP input_metric) {
  return guarded([&] {
    check_same_domain(from_handle<Domain>(output_domain), from_handle<Domain>(input_domain));
    check_same_metric(from_handle<Metric>(output_metric), from_handle<Metric>(input_metric));
    return R_NilValue;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_composition(Rcpp::List measurements) {
  return guarded([&] {
    std::vector<Measurement> members;
    for (SEXP member : measurements) members.push_back(from_handle<Measurement>(member));
    return to_handle(make_composition(members));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_fix_delta(SEXP measurement, SEXP delta) {
  return guarded([&] {
    return to_handle(make_fix_delta(from_handle<Measurement>(measurement),
                                    Delta(double_from_r(delta, "delta"))));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_approximate(SEXP measurement) {
  return guarded(
      [&] { return to_handle(make_approximate(from_handle<Measurement>(measurement))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_pureDP_to_zCDP(SEXP measurement) {
  return guarded(
      [&] { return to_handle(make_pureDP_to_zCDP(from_handle<Measurement>(measurement))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_fixed_approxDP_to_approxDP(SEXP measurement) {
  return guarded([&] {
    return to_handle(make_fixed_approxDP_to_approxDP(from_handle<Measurement>(measurement)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_zCDP_to_approxDP(SEXP measurement) {
  return guarded(
      [&] { return to_handle(make_zCDP_to_approxDP(from_handle<Measurement>(measurement))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_population_amplification(SEXP measurement, SEXP population_size) {
  return guarded([&] {
    return to_handle(make_population_amplification(
        from_handle<Measurement>(measurement), size_from_r(population_size, "population_size")));
  });
}

namespace {

// As score_of_pair(), for lists that an R function released as well.
std::optional<double> score_of_release(const Value& release) {
  const auto* opaque = release.as<Opaque>();
  if (opaque == nullptr) return score_of_pair(release);
  const SEXP pair = kept(*opaque);
  if (TYPEOF(pair) != VECSXP || OBJECT(pair) || Rf_xlength(pair) != 2) return std::nullopt;
  const SEXP score = VECTOR_ELT(pair, 0);
  if (OBJECT(score) || Rf_xlength(score) != 1) return std::nullopt;
  if (TYPEOF(score) == REALSXP) return REAL(score)[0];
  if (TYPEOF(score) == INTSXP && INTEGER(score)[0] != NA_INTEGER) return INTEGER(score)[0];
  return std::nullopt;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_make_select_private_candidate(SEXP measurement, SEXP stop_probability, SEXP threshold) {
  return guarded([&] {
    return to_handle(
        make_select_private_candidate(from_handle<Measurement>(measurement),
                                      double_from_r(stop_probability, "stop_probability"),
                                      double_from_r(threshold, "threshold"),
                                      score_of_release));
  });
}

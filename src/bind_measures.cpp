#include "boundary.h"
#include "core/measures/measure.h"
#include "core/measures/privacy_profile.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// User divergences are equal when R finds their descriptors identical.
bool same_in_r(const Opaque& a, const Opaque& b) {
  return R_compute_identical(kept(a), kept(b), 16);
}

}  // namespace

// Reads a descriptor: "MaxDivergence", "Approximate<MaxDivergence>".
// [[Rcpp::export(rng = false)]]
SEXP core_measure(std::string descriptor) {
  return guarded([&] { return to_handle(parse_measure(descriptor)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_approximate(SEXP measure) {
  return guarded([&] { return to_handle(approximate(from_handle<Measure>(measure))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_user_divergence(std::string identifier, SEXP descriptor) {
  return guarded([&] {
    return to_handle(
        Measure{MeasureKind::user, nullptr, identifier, keep_alive(descriptor), same_in_r});
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measure_describe(SEXP measure) {
  return guarded([&] {
    const auto& it = from_handle<Measure>(measure);
    return Rcpp::List::create(
        Rcpp::_["debug"] = debug(it),
        Rcpp::_["type"] = type_name(it),
        Rcpp::_["distance_type"] = distance_type_name(it),
        Rcpp::_["descriptor"] = it.descriptor ? kept(it.descriptor) : R_NilValue);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_measure_equal(SEXP a, SEXP b) {
  return guarded(
      [&] { return Rf_ScalarLogical(from_handle<Measure>(a) == from_handle<Measure>(b)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_privacy_profile(SEXP curve) {
  return guarded([&] {
    const Opaque closure = keep_alive(curve);
    return to_handle(PrivacyProfile([closure](double epsilon) {
      const Rcpp::Shield<SEXP> argument(Rf_ScalarReal(epsilon));
      const Rcpp::RObject delta = call_user(kept(closure), argument, true);
      return user_result(true, [&] { return double_from_r(delta, "delta"); });
    }));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_privacy_profile_delta(SEXP profile, SEXP epsilon) {
  return guarded([&] {
    return Rf_ScalarReal(
        from_handle<PrivacyProfile>(profile).delta(double_from_r(epsilon, "epsilon")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_privacy_profile_epsilon(SEXP profile, SEXP delta) {
  return guarded([&] {
    return Rf_ScalarReal(
        from_handle<PrivacyProfile>(profile).epsilon(double_from_r(delta, "delta")));
  });
}

// Whether a distance that came as a handle is a Renyi curve; else it is a privacy profile.
// [[Rcpp::export(rng = false)]]
SEXP core_is_curve(SEXP distance) {
  return guarded([&] {
    return Rf_ScalarLogical(TYPEOF(distance) == EXTPTRSXP &&
                            R_ExternalPtrTag(distance) == Rf_install(handle_tag<Function>()));
  });
}

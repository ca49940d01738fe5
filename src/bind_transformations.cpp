#include <string>

#include "boundary.h"
#include "core/transformations/cast.h"
#include "core/transformations/cast_default.h"
#include "core/transformations/cast_inherent.h"
#include "core/transformations/clamp.h"
#include "core/transformations/drop_null.h"
#include "core/transformations/identity.h"
#include "core/transformations/impute_constant.h"
#include "core/transformations/impute_uniform.h"
#include "core/transformations/impute_uniform_float.h"
#include "core/transformations/is_equal.h"
#include "core/transformations/is_null.h"
#include "core/transformations/lipschitz_float_mul.h"
#include "core/transformations/metric_cast.h"
#include "core/transformations/ordering.h"
#include "core/transformations/resize.h"
#include "core/transformations/user_transformation.h"
#include "r_scalars.h"
#include "r_space.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_cast(SEXP input_domain, SEXP input_metric, std::string toa) {
  return on_space_to(make_cast, input_domain, input_metric, toa);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_cast_default(SEXP input_domain, SEXP input_metric, std::string toa) {
  return on_space_to(make_cast_default, input_domain, input_metric, toa);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_cast_inherent(SEXP input_domain, SEXP input_metric, std::string toa) {
  return on_space_to(make_cast_inherent, input_domain, input_metric, toa);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_is_null(SEXP input_domain, SEXP input_metric) {
  return on_space(make_is_null, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_is_equal(SEXP input_domain, SEXP input_metric, SEXP value) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_is_equal(domain,
                                   from_handle<Metric>(input_metric),
                                   scalar_from_r(value, row_domain(domain).atom.type, "value")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_clamp(SEXP input_domain, SEXP input_metric, SEXP bounds) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_clamp(domain,
                                from_handle<Metric>(input_metric),
                                bounds_from_r(bounds, row_domain(domain).atom.type)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_impute_constant(SEXP input_domain, SEXP input_metric, SEXP constant) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(
        make_impute_constant(domain,
                             from_handle<Metric>(input_metric),
                             scalar_from_r(constant, row_domain(domain).atom.type, "constant")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_impute_uniform(SEXP input_domain, SEXP input_metric, SEXP bounds) {
  return guarded([&] {
    const Bounds ends = bounds_from_r(bounds, AtomType::f64);
    return to_handle(make_impute_uniform(from_handle<Domain>(input_domain),
                                         from_handle<Metric>(input_metric),
                                         std::get<double>(ends.lower),
                                         std::get<double>(ends.upper)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_impute_uniform_float(SEXP input_domain, SEXP input_metric, SEXP bounds) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    const AtomType type = row_domain(domain).atom.type;
    if (!is_float(type)) detail::refuse_type(type, "floats");
    return to_handle(make_impute_uniform_float(
        domain, from_handle<Metric>(input_metric), bounds_from_r(bounds, type)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_drop_null(SEXP input_domain, SEXP input_metric) {
  return on_space(make_drop_null, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_resize(
    SEXP input_domain, SEXP input_metric, SEXP size, SEXP constant, std::string mo) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    const RowDomain rows = row_domain(domain);
    std::optional<Scalar> fill;  // none: pad with nulls
    if (!(rows.option && Rf_isNull(constant))) {
      fill = scalar_from_r(constant, rows.atom.type, "constant");
    }
    return to_handle(make_resize(domain,
                                 from_handle<Metric>(input_metric),
                                 size_from_r(size, "size"),
                                 fill,
                                 parse_metric(mo)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_identity(SEXP domain, SEXP metric) {
  return on_space(make_identity, domain, metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_ordered_random(SEXP input_domain, SEXP input_metric) {
  return on_space(make_ordered_random, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_unordered(SEXP input_domain, SEXP input_metric) {
  return on_space(make_unordered, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_metric_bounded(SEXP input_domain, SEXP input_metric) {
  return on_space(make_metric_bounded, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_metric_unbounded(SEXP input_domain, SEXP input_metric) {
  return on_space(make_metric_unbounded, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_lipschitz_float_mul(SEXP input_domain,
                                   SEXP input_metric,
                                   SEXP constant,
                                   SEXP bounds) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    const AtomType type = atom_domain(domain).type;
    return to_handle(make_lipschitz_float_mul(domain,
                                              from_handle<Metric>(input_metric),
                                              scalar_from_r(constant, type, "constant"),
                                              bounds_from_r(bounds, type)));
  });
}

// What the closures return is converted here and checked by the core's constructor.
// [[Rcpp::export(rng = false)]]
SEXP core_make_user_transformation(SEXP input_domain,
                                   SEXP input_metric,
                                   SEXP output_domain,
                                   SEXP output_metric,
                                   SEXP function_,
                                   SEXP stability_map) {
  return guarded([&] {
    const auto in = shared_from_handle<Domain>(input_domain);
    const auto out = shared_from_handle<Domain>(output_domain);
    const auto distances = shared_from_handle<Metric>(output_metric);
    const Opaque function = keep_alive(function_);
    const Opaque map = keep_alive(stability_map);
    return to_handle(make_user_transformation(
        from_handle<Domain>(input_domain),
        from_handle<Metric>(input_metric),
        *out,
        *distances,
        [=](const Value& arg) {
          const Rcpp::Shield<SEXP> argument(value_to_r(arg, *in, R_NilValue));
          const Rcpp::RObject result = call_user(kept(function), argument, false);
          return user_result(false, [&] { return value_from_r(result, *out); });
        },
        [=](const Distance& d_in) {
          const Rcpp::Shield<SEXP> argument(distance_to_r(d_in));
          const Rcpp::RObject result = call_user(kept(map), argument, true);
          return user_result(true, [&] { return distance_from_r(result, *distances); });
        }));
  });
}

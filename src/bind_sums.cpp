#include <optional>
#include <string>

#include "boundary.h"
#include "core/transformations/float_sum.h"
#include "core/transformations/int_sum.h"
#include "core/transformations/lattice_sum.h"
#include "core/transformations/mean.h"
#include "core/transformations/sum.h"
#include "r_scalars.h"
#include "r_space.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_sum(SEXP input_domain, SEXP input_metric) {
  return on_space(make_sum, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_mean(SEXP input_domain, SEXP input_metric) {
  return on_space(make_mean, input_domain, input_metric);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_lattice_sum(SEXP input_domain, SEXP input_metric) {
  return on_space(make_lattice_sum, input_domain, input_metric);
}

// The seven integer sums: `variant` is checked, monotonic, ordered or split; `size` may be NULL for
// all but the first.
// [[Rcpp::export(rng = false)]]
SEXP core_make_int_sum(std::string variant, SEXP size, SEXP bounds, std::string t) {
  return guarded([&] {
    const AtomType type = parse_atom_type(t);
    if (!is_integer(type)) detail::refuse_type(type, "integers");
    const Bounds ends = bounds_from_r(bounds, type);
    if (Rf_isNull(size)) {
      if (variant == "monotonic") return to_handle(make_bounded_int_monotonic_sum(ends, type));
      if (variant == "ordered") return to_handle(make_bounded_int_ordered_sum(ends, type));
      return to_handle(make_bounded_int_split_sum(ends, type));
    }
    const std::uint64_t n = size_from_r(size, "size");
    if (variant == "checked") return to_handle(make_sized_bounded_int_checked_sum(n, ends, type));
    if (variant == "monotonic") {
      return to_handle(make_sized_bounded_int_monotonic_sum(n, ends, type));
    }
    if (variant == "ordered") return to_handle(make_sized_bounded_int_ordered_sum(n, ends, type));
    return to_handle(make_sized_bounded_int_split_sum(n, ends, type));
  });
}

// The four floating-point sums: `variant` is checked or ordered, `size` is the size or its limit.
// [[Rcpp::export(rng = false)]]
SEXP core_make_float_sum(
    std::string variant, bool sized, SEXP size, SEXP bounds, std::string summation) {
  return guarded([&] {
    const Summation order = parse_summation(summation);
    const Bounds ends = bounds_from_r(bounds, order.type);
    const std::uint64_t n = size_from_r(size, sized ? "size" : "size_limit");
    if (variant == "checked") {
      return to_handle(sized ? make_sized_bounded_float_checked_sum(n, ends, order)
                             : make_bounded_float_checked_sum(n, ends, order));
    }
    return to_handle(sized ? make_sized_bounded_float_ordered_sum(n, ends, order)
                           : make_bounded_float_ordered_sum(n, ends, order));
  });
}

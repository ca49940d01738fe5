// Rows and public lists: their places in one, and what stands at a place.
#include <string>

#include "boundary.h"
#include "core/transformations/find.h"
#include "core/transformations/find_bin.h"
#include "core/transformations/index.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_find(SEXP input_domain, SEXP input_metric, SEXP categories) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(
        make_find(domain,
                  from_handle<Metric>(input_metric),
                  scalars_from_r(categories, row_domain(domain).atom.type, "categories")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_find_bin(SEXP input_domain, SEXP input_metric, SEXP edges) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_find_bin(domain,
                                   from_handle<Metric>(input_metric),
                                   scalars_from_r(edges, row_domain(domain).atom.type, "edges")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_index(
    SEXP input_domain, SEXP input_metric, SEXP categories, SEXP null, std::string toa) {
  return guarded([&] {
    const AtomType type = parse_atom_type(toa);
    return to_handle(make_index(from_handle<Domain>(input_domain),
                                from_handle<Metric>(input_metric),
                                scalars_from_r(categories, type, "categories"),
                                scalar_from_r(null, type, "null"),
                                type));
  });
}

// Counts, and how far counts by group move.
#include <string>

#include "boundary.h"
#include "core/accounting/counting_query_map.h"
#include "core/transformations/count.h"
#include "core/transformations/count_by.h"
#include "core/transformations/count_by_categories.h"
#include "core/transformations/count_distinct.h"
#include "r_scalars.h"
#include "r_space.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_count(SEXP input_domain, SEXP input_metric, std::string to) {
  return on_space_to(make_count, input_domain, input_metric, to);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_count_distinct(SEXP input_domain, SEXP input_metric, std::string to) {
  return on_space_to(make_count_distinct, input_domain, input_metric, to);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_count_by(SEXP input_domain, SEXP input_metric, std::string tv) {
  return on_space_to(make_count_by, input_domain, input_metric, tv);
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_count_by_categories(SEXP input_domain,
                                   SEXP input_metric,
                                   SEXP categories,
                                   SEXP null_category,
                                   std::string mo,
                                   std::string toa) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_count_by_categories(
        domain,
        from_handle<Metric>(input_metric),
        scalars_from_r(categories, row_domain(domain).atom.type, "categories"),
        flag_from_r(null_category, "null_category"),
        parse_metric(mo),
        parse_atom_type(toa)));
  });
}

// Of a grouped count, at a partition distance in rows.
// [[Rcpp::export(rng = false)]]
SEXP core_counting_query_map(SEXP public_info, SEXP p, bool all_rows, bool packed, SEXP d_in) {
  return guarded([&] {
    const PublicInfo info = Rf_isNull(public_info)
                                ? PublicInfo::none
                                : parse_public_info(string_from_r(public_info, "public_info"));
    const StabilityMap map =
        counting_query_stability_map(info,
                                     std::get<std::uint32_t>(number_from_r(p, AtomType::u32, "p")),
                                     all_rows ? CountedRows::all : CountedRows::some,
                                     packed ? PartitionNorm::packed : PartitionNorm::published);
    const Metric groups = l0pinf_distance(MetricKind::l01inf, symmetric_distance());
    return distance_to_r(map(distance_from_r(d_in, groups)));
  });
}

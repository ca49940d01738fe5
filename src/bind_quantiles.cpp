// Scores of candidates for a quantile, trees of counts, and what is read off noisy counts.
#include <string>

#include "boundary.h"
#include "core/postprocessing/cdf.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/quantiles_from_counts.h"
#include "core/transformations/b_ary_tree.h"
#include "core/transformations/quantile_score_candidates.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

// [[Rcpp::export(rng = false)]]
SEXP core_make_quantile_score_candidates(SEXP input_domain,
                                         SEXP input_metric,
                                         SEXP candidates,
                                         SEXP alpha) {
  return guarded([&] {
    const auto& domain = from_handle<Domain>(input_domain);
    return to_handle(make_quantile_score_candidates(
        domain,
        from_handle<Metric>(input_metric),
        scalars_from_r(candidates, row_domain(domain).atom.type, "candidates"),
        double_from_r(alpha, "alpha")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_b_ary_tree(SEXP input_domain,
                          SEXP input_metric,
                          SEXP leaf_count,
                          SEXP branching_factor) {
  return guarded([&] {
    return to_handle(make_b_ary_tree(from_handle<Domain>(input_domain),
                                     from_handle<Metric>(input_metric),
                                     size_from_r(leaf_count, "leaf_count"),
                                     size_from_r(branching_factor, "branching_factor")));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_choose_branching_factor(SEXP size_guess) {
  return guarded([&] {
    const auto guess =
        std::get<std::uint32_t>(number_from_r(size_guess, AtomType::u32, "size_guess"));
    return Rf_ScalarInteger(static_cast<int>(choose_branching_factor(guess)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_consistent_b_ary_tree(SEXP branching_factor, std::string tia, std::string toa) {
  return guarded([&] {
    return to_handle(make_consistent_b_ary_tree(size_from_r(branching_factor, "branching_factor"),
                                                parse_atom_type(tia),
                                                parse_atom_type(toa)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_cdf(std::string ta) {
  return guarded([&] { return to_handle(make_cdf(parse_atom_type(ta))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_quantiles_from_counts(
    SEXP bin_edges, SEXP alphas, std::string interpolation, std::string ta, std::string f) {
  return guarded([&] {
    const AtomType type = parse_atom_type(ta);
    const AtomType float_type = parse_atom_type(f);
    return to_handle(make_quantiles_from_counts(scalars_from_r(bin_edges, type, "bin_edges"),
                                                scalars_from_r(alphas, float_type, "alphas"),
                                                parse_interpolation(interpolation),
                                                type,
                                                float_type));
  });
}

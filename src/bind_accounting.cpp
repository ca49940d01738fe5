// Binds composition, budget splits, and maps without an object.
#include "boundary.h"
#include "core/accounting/counting_query_map.h"
#include "core/accounting/optimal_composition.h"
#include "core/accounting/shares.h"
#include "core/measures/cdp_delta.h"
#include "core/transformations/trees/b_ary_tree.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

std::vector<ReleaseLoss> losses_from_r(const Rcpp::NumericVector& epsilons,
                                       const Rcpp::NumericVector& deltas) {
  std::vector<ReleaseLoss> losses;
  for (R_xlen_t i = 0; i < epsilons.size(); ++i) {
    losses.push_back({Epsilon(epsilons[i]), Delta(deltas[i])});
  }
  return losses;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_optimal_epsilon(Rcpp::NumericVector epsilons, Rcpp::NumericVector deltas, double target) {
  return guarded([&] {
    return Rf_ScalarReal(optimal_epsilon(losses_from_r(epsilons, deltas), Delta(target)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_closed_form_epsilon(Rcpp::NumericVector epsilons,
                              Rcpp::NumericVector deltas,
                              double target) {
  return guarded([&] {
    return Rf_ScalarReal(closed_form_epsilon(losses_from_r(epsilons, deltas), Delta(target)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_optimal_delta(Rcpp::NumericVector epsilons, Rcpp::NumericVector deltas, double epsilon) {
  return guarded([&] {
    return Rf_ScalarReal(optimal_delta(losses_from_r(epsilons, deltas), Epsilon(epsilon)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_composes_within(Rcpp::NumericVector epsilons,
                          Rcpp::NumericVector deltas,
                          double epsilon,
                          double delta) {
  return guarded([&] {
    return Rf_ScalarLogical(
        composes_within(losses_from_r(epsilons, deltas), {Epsilon(epsilon), Delta(delta)}));
  });
}

// The epsilons of all releases: unchanged if `is_held`, else scaled to use up the budget.
// [[Rcpp::export(rng = false)]]
SEXP core_scale_to_budget(Rcpp::NumericVector epsilons,
                          Rcpp::NumericVector deltas,
                          Rcpp::LogicalVector is_held,
                          double epsilon,
                          double delta) {
  return guarded([&] {
    std::vector<ReleaseLoss> free;
    std::vector<ReleaseLoss> held;
    for (R_xlen_t i = 0; i < epsilons.size(); ++i) {
      (is_held[i] ? held : free).push_back({Epsilon(epsilons[i]), Delta(deltas[i])});
    }
    const std::vector<double> scaled =
        scale_to_budget(free, held, {Epsilon(epsilon), Delta(delta)});
    Rcpp::NumericVector result = Rcpp::clone(epsilons);
    std::size_t next = 0;
    for (R_xlen_t i = 0; i < result.size(); ++i) {
      if (!is_held[i]) result[i] = scaled[next++];
    }
    return SEXP(result);
  });
}

// Splits a budget among several releases, in proportion to `weights`.
// [[Rcpp::export(rng = false)]]
SEXP core_share_epsilon(double budget, Rcpp::NumericVector weights) {
  return guarded([&] {
    const std::vector<double> shares =
        share_epsilon(Epsilon(budget), Rcpp::as<std::vector<double>>(weights));
    return SEXP(Rcpp::NumericVector(shares.begin(), shares.end()));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_advanced_composition(SEXP count, double epsilon, double slack) {
  return guarded([&] {
    return Rf_ScalarReal(
        advanced_composition(size_from_r(count, "k"), Epsilon(epsilon), Delta(slack)));
  });
}

// Vectorised over pairs of rho and delta.
// [[Rcpp::export(rng = false)]]
SEXP core_closed_form_cdp_epsilon(Rcpp::NumericVector rho, Rcpp::NumericVector delta) {
  return guarded([&] {
    Rcpp::NumericVector epsilon(rho.size());
    for (R_xlen_t i = 0; i < rho.size(); ++i) {
      epsilon[i] = closed_form_cdp_epsilon(Rho(rho[i]), Delta(delta.at(i)));
    }
    return SEXP(epsilon);
  });
}

// Privacy map of a grouped count, at a partition distance in rows.
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

// [[Rcpp::export(rng = false)]]
SEXP core_choose_branching_factor(SEXP size_guess) {
  return guarded([&] {
    const auto guess =
        std::get<std::uint32_t>(number_from_r(size_guess, AtomType::u32, "size_guess"));
    return Rf_ScalarInteger(static_cast<int>(choose_branching_factor(guess)));
  });
}

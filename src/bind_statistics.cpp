// Numbers that follow from the parameters of statistics.
#include <string>

#include "boundary.h"
#include "core/measurements/objective_perturbation.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/transformations/sums/lattice_sum.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

GlmPlan glm_plan_from_r(const Rcpp::List& plan) {
  return {parse_glm_family(Rcpp::as<std::string>(plan["objective"])),
          Rcpp::as<bool>(plan["intercept"]),
          size_from_r(plan["n"], "n"),
          size_from_r(plan["parts"], "parts"),
          double_from_r(plan["lambda"], "lambda"),
          Epsilon(double_from_r(plan["epsilon"], "epsilon"))};
}

}  // namespace

// The exponent of the public lattice of a vector domain's rows.
// [[Rcpp::export(rng = false)]]
SEXP core_lattice_exponent(SEXP domain) {
  return guarded([&] {
    return Rf_ScalarInteger(lattice_of_rows(row_domain(from_handle<Domain>(domain)).atom).exponent);
  });
}

// The results that a function of blocks can have: lower and upper end, and exponent of the lattice.
// [[Rcpp::export(rng = false)]]
SEXP core_block_range(SEXP input_domain, std::string inner, SEXP blocks) {
  return guarded([&] {
    const LatticeRange range = block_statistic_of(from_handle<Domain>(input_domain),
                                                  parse_block_function(inner),
                                                  size_from_r(blocks, "blocks"))
                                   .range();
    return Rcpp::List::create(
        Rcpp::_["bounds"] = Rcpp::NumericVector::create(range.lattice.value(int128_t{range.lower}),
                                                        range.lattice.value(int128_t{range.upper})),
        Rcpp::_["exponent"] = range.lattice.exponent);
  });
}

// The ridge of each row, and the rate of the noise on the gradient.
// [[Rcpp::export(rng = false)]]
SEXP core_glm_budget(Rcpp::List plan, int coefficients) {
  return guarded([&] {
    const GlmPlan wanted = glm_plan_from_r(plan);
    const GlmBudget budget = glm_budget(wanted, static_cast<std::size_t>(coefficients));
    const auto rows = static_cast<double>(wanted.n / wanted.parts);
    return Rcpp::List::create(Rcpp::_["lambda"] = budget.ridge / rows,
                              Rcpp::_["rate"] = budget.noise_rate);
  });
}

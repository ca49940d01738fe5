// Binds numbers that follow from the parameters of statistics.
#include <cmath>
#include <string>
#include <vector>

#include "boundary.h"
#include "core/measurements/objective_perturbation.h"
#include "core/measurements/weighted_squares.h"
#include "core/postprocessing/least_squares.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/table/each_cell.h"
#include "core/table/level_places.h"
#include "core/transformations/sums/lattice_sum.h"
#include "r_frames.h"
#include "r_program.h"
#include "r_rows.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// A plan without `n` has any number of rows.
GlmPlan glm_plan_from_r(const Rcpp::List& plan) {
  const bool any_rows = !plan.containsElementNamed("n");
  GlmPlan wanted{parse_glm_family(Rcpp::as<std::string>(plan["objective"])),
                 Rcpp::as<bool>(plan["intercept"]),
                 any_rows ? 0 : size_from_r(plan["n"], "n"),
                 size_from_r(plan["parts"], "parts"),
                 double_from_r(plan["lambda"], "lambda"),
                 Epsilon(double_from_r(plan["epsilon"], "epsilon")),
                 any_rows,
                 {double_from_r(plan["inference_share"], "inference_share"),
                  Rcpp::as<bool>(plan["sandwich"])}};
  wanted.any_rows = any_rows;
  return wanted;
}

std::vector<double> numbers_in(const Rcpp::List& list, const char* name) {
  return Rcpp::as<std::vector<double>>(list[name]);
}

Rcpp::NumericMatrix matrix_with_rows(const std::vector<double>& cells, std::size_t rows) {
  return Rcpp::NumericMatrix(
      static_cast<int>(rows), static_cast<int>(cells.size() / rows), cells.begin());
}

}  // namespace

// Exponent of the public lattice of a vector domain's rows.
// [[Rcpp::export(rng = false)]]
SEXP core_lattice_exponent(SEXP domain) {
  return guarded([&] {
    return Rf_ScalarInteger(lattice_of_rows(row_domain(from_handle<Domain>(domain)).atom).exponent);
  });
}

// Range of a block function's results: lower and upper end, and exponent of the lattice.
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

// Splits the budget of a model: the ridge of each row (of all rows, if their number is private),
// the rate of the noise on the gradient, and the part of epsilon for squared residuals. For sums of
// weighted squares, also the scale of the noise on a product, 0 if they are not released, and the
// bounds that their weights are shares of.
// [[Rcpp::export(rng = false)]]
SEXP core_glm_budget(Rcpp::List plan, int coefficients) {
  return guarded([&] {
    const GlmPlan wanted = glm_plan_from_r(plan);
    const GlmBudget budget = glm_budget(wanted, static_cast<std::size_t>(coefficients));
    const auto rows = wanted.any_rows ? 1 : static_cast<double>(wanted.n / wanted.parts);
    const GlmShares shares = glm_shares(wanted);
    const GlmLoss& loss = glm_loss(wanted.family);
    const auto scale = [&](double epsilon) {
      if (epsilon == 0) return 0.0;
      return to_double_nearest(
          square_scale(static_cast<std::size_t>(coefficients), Epsilon(epsilon)));
    };
    return Rcpp::List::create(Rcpp::_["lambda"] = budget.ridge / rows,
                              Rcpp::_["rate"] = budget.noise_rate,
                              Rcpp::_["variance_epsilon"] = budget.variance_epsilon,
                              Rcpp::_["curvature_scale"] = scale(shares.curvature),
                              Rcpp::_["slope_scale"] = scale(shares.slopes),
                              Rcpp::_["curvature_bound"] = loss.curvature_bound,
                              Rcpp::_["slope_bound"] = loss.slope_bound);
  });
}

// Index of each row's text in `levels`, from 1; NA if the text is not a level. `texts` are private
// rows, dp_texts.
// [[Rcpp::export(rng = false)]]
SEXP core_places_of_texts(SEXP texts, std::vector<std::string> levels) {
  return guarded([&] {
    const ColumnPtr from_zero = places_of_texts(*texts_from_r(texts), levels);
    Rcpp::NumericVector places(static_cast<R_xlen_t>(from_zero->size()));
    each_cell<double>(*from_zero, [&](double place, std::size_t row) {
      places[static_cast<R_xlen_t>(row)] = std::isnan(place) ? NA_REAL : place + 1;
    });
    return places;
  });
}

// Bounds of each term of a program: lower and upper end, both NaN if one is unknown.
// [[Rcpp::export(rng = false)]]
SEXP core_program_bounds(Rcpp::List program) {
  return guarded([&] {
    Rcpp::NumericVector lower, upper;
    for (const auto& bounds : program_from_r(program).bounds()) {
      lower.push_back(bounds ? bounds->first : R_NaN);
      upper.push_back(bounds ? bounds->second : R_NaN);
    }
    return Rcpp::List::create(Rcpp::_["lower"] = lower, Rcpp::_["upper"] = upper);
  });
}

// Evaluates the terms of a program for public rows, a data frame of dp_numbers and dp_texts.
// [[Rcpp::export(rng = false)]]
SEXP core_program_terms(Rcpp::List program, SEXP public_rows) {
  return guarded([&] {
    const FramePtr rows = frame_from_r(public_rows, AtomType::string);
    return frame_to_r(*program_from_r(program).derived_as_given(*rows));
  });
}

// Computes least squares from released moments; the lists are as in least_squares.h.
// [[Rcpp::export(rng = false)]]
SEXP core_least_squares(Rcpp::List moments, Rcpp::List model) {
  return guarded([&] {
    const NoisyMoments noisy{size_from_r(moments["size"], "size"),
                             numbers_in(moments, "values"),
                             numbers_in(moments, "noise")};
    const LinearModel wanted{size_from_r(model["predictors"], "predictors"),
                             numbers_in(model, "design"),
                             numbers_in(model, "response"),
                             numbers_in(model, "ridge"),
                             double_from_r(model["floor"], "floor"),
                             double_from_r(model["degrees_of_freedom"], "degrees_of_freedom")};
    const LeastSquares fit = least_squares(noisy, wanted);
    return Rcpp::List::create(
        Rcpp::_["coefficients"] = fit.coefficients,
        Rcpp::_["repaired"] = fit.repaired,
        Rcpp::_["variance"] = fit.variance,
        Rcpp::_["cautious_variance"] = fit.cautious_variance,
        Rcpp::_["sampling"] = matrix_with_rows(fit.sampling, wanted.predictors),
        Rcpp::_["inverse"] = matrix_with_rows(fit.inverse, wanted.predictors),
        Rcpp::_["noise"] = matrix_with_rows(fit.noise, wanted.predictors));
  });
}

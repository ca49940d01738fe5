// The parts of statistics that the framework's surface does not show.
#include <string>

#include "boundary.h"
#include "core/measurements/joint_moments.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noisy_moments.h"
#include "core/measurements/objective_perturbation.h"
#include "core/measurements/stable_top_k.h"
#include "core/numeric/rational.h"
#include "core/postprocessing/lattice_mean.h"
#include "core/sample_aggregate/block_total.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/transformations/grid_cell.h"
#include "core/transformations/lattice_refine.h"
#include "core/transformations/lattice_sum.h"
#include "r_columns.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

Rcpp::NumericVector numbers(const Rcpp::List& list, const char* name) {
  return Rcpp::as<Rcpp::NumericVector>(list[name]);
}

GlmPlan glm_plan_from_r(const Rcpp::List& plan) {
  return {parse_glm_family(Rcpp::as<std::string>(plan["objective"])),
          Rcpp::as<bool>(plan["intercept"]),
          size_from_r(plan["n"], "n"),
          size_from_r(plan["parts"], "parts"),
          double_from_r(plan["lambda"], "lambda"),
          Epsilon(double_from_r(plan["epsilon"], "epsilon"))};
}

}  // namespace

// The least scale of integer noise at which data that move by `d_in` lose at most `epsilon`.
// [[Rcpp::export(rng = false)]]
SEXP core_laplace_scale(SEXP d_in, SEXP epsilon) {
  return guarded([&] {
    return Rf_ScalarReal(laplace_scale(exact_rational(double_from_r(d_in, "d_in")),
                                       Epsilon(double_from_r(epsilon, "epsilon"))));
  });
}

// The exponent of the public lattice of a vector domain's rows.
// [[Rcpp::export(rng = false)]]
SEXP core_lattice_exponent(SEXP domain) {
  return guarded([&] {
    return Rf_ScalarInteger(lattice_of_rows(row_domain(from_handle<Domain>(domain)).atom).exponent);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_lattice_refine(SEXP input_domain, SEXP input_metric, int bits) {
  return guarded([&] {
    return to_handle(make_lattice_refine(
        from_handle<Domain>(input_domain), from_handle<Metric>(input_metric), bits));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_lattice_mean(int total_exponent, SEXP count, int mean_exponent) {
  return guarded([&] {
    return to_handle(lattice_mean({total_exponent}, size_from_r(count, "count"), {mean_exponent}));
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

// [[Rcpp::export(rng = false)]]
SEXP core_make_subset_statistics(SEXP input_domain,
                                 SEXP input_metric,
                                 std::string inner,
                                 SEXP blocks) {
  return guarded([&] {
    return to_handle(make_subset_statistics(from_handle<Domain>(input_domain),
                                            from_handle<Metric>(input_metric),
                                            parse_block_function(inner),
                                            size_from_r(blocks, "blocks"),
                                            l1_distance(AtomType::i64)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_block_total(SEXP input_domain, SEXP input_metric) {
  return guarded([&] {
    return to_handle(
        make_block_total(from_handle<Domain>(input_domain), from_handle<Metric>(input_metric)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_grid_cell(SEXP input_domain, SEXP input_metric, double origin, double width) {
  return guarded([&] {
    return to_handle(make_grid_cell(
        from_handle<Domain>(input_domain), from_handle<Metric>(input_metric), origin, width));
  });
}

// Columns and moments as parallel vectors; places count from 0.
// [[Rcpp::export(rng = false)]]
SEXP core_make_noisy_moments(Rcpp::List columns, Rcpp::List moments, SEXP n) {
  return guarded([&] {
    const Rcpp::LogicalVector is_mean = moments["is_mean"];
    const Rcpp::NumericVector first = numbers(moments, "first");
    const Rcpp::NumericVector second = numbers(moments, "second");
    const Rcpp::NumericVector epsilon = numbers(moments, "epsilon");
    std::vector<Moment> wanted;
    for (R_xlen_t i = 0; i < is_mean.size(); ++i) {
      wanted.push_back({is_mean.at(i) != 0,
                        static_cast<std::size_t>(first.at(i)),
                        static_cast<std::size_t>(second.at(i)),
                        Epsilon(epsilon.at(i))});
    }
    return to_handle(make_noisy_moments(columns_from_r(columns), wanted, size_from_r(n, "n")));
  });
}

// From the columns of a frame to count, sums and, with `products`, sums of products of its rows
// without a gap.
// [[Rcpp::export(rng = false)]]
SEXP core_make_joint_moments(
    Rcpp::List columns, bool products, SEXP count_weight, SEXP epsilon, SEXP n) {
  return guarded([&] {
    const JointPlan plan{products,
                         size_from_r(count_weight, "count_weight"),
                         Epsilon(double_from_r(epsilon, "epsilon")),
                         size_from_r(n, "n")};
    return to_handle(make_joint_moments(columns_from_r(columns), plan));
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

// The response is the first column.
// [[Rcpp::export(rng = false)]]
SEXP core_make_objective_perturbation(Rcpp::List columns, Rcpp::List plan) {
  return guarded([&] {
    return to_handle(make_objective_perturbation(columns_from_r(columns), glm_plan_from_r(plan)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_make_stable_top_k(
    SEXP input_domain, SEXP input_metric, SEXP k, SEXP scale, SEXP threshold) {
  return guarded([&] {
    return to_handle(
        make_stable_top_k(from_handle<Domain>(input_domain),
                          from_handle<Metric>(input_metric),
                          size_from_r(k, "k"),
                          double_from_r(scale, "scale"),
                          static_cast<std::int64_t>(size_from_r(threshold, "threshold"))));
  });
}

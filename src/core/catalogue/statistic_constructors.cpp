#include "core/catalogue/families.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/measurements/class_moments.h"
#include "core/measurements/cluster_moments.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/joint_moments.h"
#include "core/measurements/joint_quantiles.h"
#include "core/measurements/joint_residuals.h"
#include "core/measurements/moments_by_position.h"
#include "core/measurements/noisy_moments.h"
#include "core/measurements/objective_perturbation.h"
#include "core/measurements/private_quantile.h"
#include "core/measurements/stable_top_k.h"
#include "core/numeric/directed.h"
#include "core/postprocessing/joint_fit.h"
#include "core/postprocessing/lattice_mean.h"
#include "core/postprocessing/next_clusters.h"
#include "core/postprocessing/snap.h"
#include "core/sample_aggregate/block_total.h"
#include "core/sample_aggregate/subset_statistics.h"
#include "core/sample_aggregate/trimmed_mean.h"
#include "core/sample_aggregate/winsorized_mean.h"
#include "core/table/column_rows.h"
#include "core/table/cross_classify.h"
#include "core/table/placed_levels.h"
#include "core/table/prepare.h"
#include "core/table/present_bin.h"
#include "core/transformations/rows/grid_cell.h"
#include "core/transformations/sums/lattice_refine.h"

namespace dp {
namespace {

Made subset_statistics(const Arguments& in) {
  return make_subset_statistics(in.domain("input_domain"),
                                in.metric("input_metric"),
                                parse_block_function(in.text("function")),
                                in.size("blocks"),
                                l1_distance(AtomType::i64));
}

// Both halves of the loss, of shift and stretch, are 1 / (2 scale).
Made trimmed_sum(const Arguments& in) {
  const double scale = in.real("scale");
  return make_trimmed_sum(in.domain("input_domain"),
                          in.metric("input_metric"),
                          in.size("trim"),
                          1 / (3 * scale),
                          1 / (4 * scale));
}

// The scale of the selections is `selection_ratio` times the noise scale.
Made winsorized_mean(const Arguments& in) {
  const std::vector<Scalar> quantiles = in.constants("quantiles", AtomType::f64);
  WinsorizedRule rule{{std::get<double>(quantiles.at(0)), std::get<double>(quantiles.at(1))},
                      {},
                      in.real("reach"),
                      mul_up(in.real("selection_ratio"), in.real("scale")),
                      in.real("scale")};
  for (const Scalar& each : in.constants("candidates", AtomType::i64)) {
    rule.candidates.push_back(std::get<std::int64_t>(each));
  }
  return make_winsorized_mean(in.domain("input_domain"),
                              in.metric("input_metric"),
                              Lattice{Read<int>::from(in, "exponent")},
                              rule);
}

Made prepare(const Arguments& in) {
  return make_prepare(in.domain("input_domain"),
                      in.metric("input_metric"),
                      in.columns("columns").at(0),
                      in.size("n"));
}

Made derive_columns(const Arguments& in) {
  return make_derive_columns(in.program("program"),
                             in.flag("drops") ? SourceGaps::kept : SourceGaps::imputed);
}

Made present_bin(const Arguments& in) {
  return make_present_bin(in.domain("input_domain"),
                          in.metric("input_metric"),
                          in.columns("columns").at(0),
                          in.reals("edges"));
}

Made place_levels(const Arguments& in) {
  return make_place_levels(in.columns("columns"),
                           in.flag("drops") ? LevelGaps::own_place : LevelGaps::imputed,
                           in.size("n"));
}

Made column_rows(const Arguments& in) { return make_column_rows(in.text("column"), in.size("n")); }

Made cross_classify(const Arguments& in) {
  return make_cross_classify(in.texts("variables"), in.sizes("sizes"), in.size("n"));
}

Made joint_quantiles_of_cells(const Arguments& in) {
  return make_joint_quantiles_of_cells(in.domain("input_domain"),
                                       in.metric("input_metric"),
                                       in.measure("output_measure"),
                                       in.constants("candidates", AtomType::f64),
                                       in.reals("alphas"),
                                       in.real("scale"));
}

Made private_quantile_of_cells(const Arguments& in) {
  return make_private_quantile_of_cells(in.domain("input_domain"),
                                        in.metric("input_metric"),
                                        in.measure("output_measure"),
                                        in.constants("candidates", AtomType::f64),
                                        in.real("alpha"),
                                        in.real("scale"));
}

// Whether a flag that came later than its step was given, and is TRUE.
bool is_set(const Arguments& in, const char* name) { return in.is_given(name) && in.flag(name); }

// The moments as parallel vectors; places of columns count from 0.
Made planned_noisy_moments(const Arguments& in) {
  const std::vector<double> is_mean = in.reals("is_mean");
  const std::vector<double> first = in.reals("first");
  const std::vector<double> second = in.reals("second");
  const std::vector<double> epsilon = in.reals("epsilon");
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < is_mean.size(); ++i) {
    moments.push_back({is_mean.at(i) != 0,
                       static_cast<std::size_t>(first.at(i)),
                       static_cast<std::size_t>(second.at(i)),
                       Epsilon(epsilon.at(i))});
  }
  return make_noisy_moments(in.columns("columns"), moments, in.size("n"));
}

Made planned_joint_moments(const Arguments& in) {
  const JointPlan plan{Gaps::dropped,
                       in.flag("products"),
                       in.size("count_weight"),
                       Epsilon(in.real("epsilon")),
                       in.size("n"),
                       is_set(in, "weights")};
  return make_joint_moments(in.columns("columns"), plan);
}

Made planned_imputed_moments(const Arguments& in) {
  const JointPlan plan{Gaps::imputed, true, 1, Epsilon(in.real("epsilon")), in.size("n")};
  return make_joint_moments(in.columns("columns"), plan);
}

Gaps gaps(const Arguments& in) { return in.flag("drops") ? Gaps::dropped : Gaps::imputed; }

Made planned_gaussian_moments(const Arguments& in) {
  return make_gaussian_moments(in.columns("columns"), {gaps(in), in.real("scale"), in.size("n")});
}

// Joint residuals of a linear model, whose response is the first column.
Made planned_joint_residuals(const Arguments& in) {
  const std::vector<ColumnSpec> columns = in.columns("columns");
  const bool intercept = in.flag("intercept");
  const JointPlan moments{
      gaps(in), true, 1, Epsilon(in.real("epsilon")), in.size("n"), is_set(in, "weights")};
  const auto fit = [columns, moments, intercept](const std::vector<double>& released,
                                                 Epsilon epsilon) {
    JointPlan stage = moments;
    stage.epsilon = epsilon;
    return joint_fit(columns, stage, intercept, released);
  };
  return make_joint_residuals(columns, {moments, intercept, in.real("squares_share"), fit});
}

Made planned_class_moments(const Arguments& in) {
  const ClassPlan plan{in.text("classes_in"),
                       in.size("classes"),
                       gaps(in),
                       Epsilon(in.real("epsilon")),
                       in.size("n")};
  return make_class_moments(in.columns("columns"), plan);
}

// Centres as shares of the ranges of columns, one centre after the other.
Made planned_cluster_moments(const Arguments& in) {
  const std::vector<ColumnSpec> columns = in.columns("columns");
  const std::uint64_t rounds = in.size("rounds");
  const Epsilon epsilon(in.real("epsilon"));
  const auto around = [size = columns.size()](const std::vector<double>& centres) {
    return clusters_around(centres, size);
  };
  const auto next = [size = columns.size(), rounds, epsilon](const Clusters& at,
                                                             const std::vector<double>& cells) {
    const double scale = to_double_nearest(cluster_scale(size, rounds, epsilon));
    return next_centres(at, cells, size, scale);
  };
  return make_cluster_moments(columns,
                              {in.reals("start"), rounds, epsilon, in.size("n"), around, next});
}

Made planned_moments_by_position(const Arguments& in) {
  const JointPlan plan{gaps(in), true, in.size("count_weight"), Epsilon(in.real("epsilon")), 0};
  return make_moments_by_position(in.columns("columns").at(0), plan, in.sizes("sizes"));
}

// The response is the first column; an offset and weights are the last ones.
Made planned_objective_perturbation(const Arguments& in) {
  const GlmPlan plan{parse_glm_family(in.text("objective")),
                     in.flag("intercept"),
                     in.size("n"),
                     in.size("parts"),
                     in.real("lambda"),
                     Epsilon(in.real("epsilon")),
                     in.flag("drops"),
                     {},
                     is_set(in, "offset"),
                     is_set(in, "weights")};
  return make_objective_perturbation(in.columns("columns"), plan);
}

// A model of all rows together, with the statistics for the errors of the coefficients.
Made planned_one_step(const Arguments& in) {
  const GlmPlan plan{parse_glm_family(in.text("objective")),
                     in.flag("intercept"),
                     in.size("n"),
                     1,
                     in.real("lambda"),
                     Epsilon(in.real("epsilon")),
                     in.flag("drops"),
                     {in.real("inference_share"), in.flag("sandwich")},
                     is_set(in, "offset"),
                     is_set(in, "weights")};
  return make_objective_perturbation(in.columns("columns"), plan);
}

// Gaussian noise, with its loss as one pair.
Made approximate_gaussian(const Arguments& in) {
  const Measurement noisy =
      make_gaussian(in.domain("input_domain"), in.metric("input_metric"), in.real("scale"));
  return make_fix_delta(make_zCDP_to_approxDP(noisy), Delta(in.real("delta")));
}

Made snap_numbers(const Arguments& in) {
  return Postprocessor{snap(in.reals("width"), in.reals("lowest"), in.reals("highest")), ""};
}

Made mean_of_lattice(const Arguments& in) {
  return Postprocessor{lattice_mean({Read<int>::from(in, "total_exponent")},
                                    in.size("count"),
                                    {Read<int>::from(in, "mean_exponent")}),
                       ""};
}

}  // namespace

std::vector<Constructor> statistic_constructors() {
  std::vector<Constructor> all{
      constructor("lattice_refine", make_lattice_refine, {"input_domain", "input_metric", "bits"}),
      constructor("grid_cell", make_grid_cell, {"input_domain", "input_metric", "origin", "width"}),
      constructor("prepare", {"input_domain", "input_metric", "columns", "n"}, prepare),
      constructor("derive_columns", {"program", "drops"}, derive_columns),
      constructor("present_bin", {"input_domain", "input_metric", "columns", "edges"}, present_bin),
      constructor("place_levels", {"columns", "drops", "n"}, place_levels),
      constructor("column_rows", {"column", "n"}, column_rows),
      constructor("cross_classify", {"variables", "sizes", "n"}, cross_classify),
      constructor("subset_statistics",
                  {"input_domain", "input_metric", "function", "blocks"},
                  subset_statistics),
      constructor("block_total", make_block_total, {"input_domain", "input_metric"}),
      constructor("trimmed_sum", {"input_domain", "input_metric", "trim", "scale"}, trimmed_sum)
          .falls_with("scale"),
      constructor("winsorized_mean",
                  {"input_domain",
                   "input_metric",
                   "exponent",
                   "quantiles",
                   "candidates",
                   "reach",
                   "selection_ratio",
                   "scale"},
                  winsorized_mean)
          .falls_with("scale"),
      constructor(
          "joint_quantiles_of_cells",
          {"input_domain", "input_metric", "output_measure", "candidates", "alphas", "scale"},
          joint_quantiles_of_cells)
          .falls_with("scale"),
      constructor(
          "private_quantile_of_cells",
          {"input_domain", "input_metric", "output_measure", "candidates", "alpha", "scale"},
          private_quantile_of_cells)
          .falls_with("scale"),
      constructor("noisy_moments",
                  {"columns", "is_mean", "first", "second", "epsilon", "n"},
                  planned_noisy_moments),
      constructor("joint_moments",
                  {"columns", "products", "count_weight", "epsilon", "n", "weights"},
                  planned_joint_moments),
      constructor("imputed_moments", {"columns", "epsilon", "n"}, planned_imputed_moments),
      constructor("gaussian_moments", {"columns", "drops", "scale", "n"}, planned_gaussian_moments)
          .falls_with("scale"),
      constructor("moments_then_residuals",
                  {"columns", "intercept", "drops", "epsilon", "squares_share", "n", "weights"},
                  planned_joint_residuals),
      constructor("class_moments",
                  {"columns", "classes_in", "classes", "drops", "epsilon", "n"},
                  planned_class_moments),
      constructor("cluster_moments",
                  {"columns", "start", "rounds", "epsilon", "n"},
                  planned_cluster_moments),
      constructor("moments_by_position",
                  {"columns", "drops", "count_weight", "epsilon", "sizes"},
                  planned_moments_by_position),
      constructor("objective_perturbation",
                  {"columns",
                   "objective",
                   "intercept",
                   "n",
                   "parts",
                   "lambda",
                   "epsilon",
                   "drops",
                   "offset",
                   "weights"},
                  planned_objective_perturbation),
      constructor("objective_then_curvature",
                  {"columns",
                   "objective",
                   "intercept",
                   "n",
                   "lambda",
                   "epsilon",
                   "drops",
                   "inference_share",
                   "sandwich",
                   "offset",
                   "weights"},
                  planned_one_step),
      constructor("lattice_mean", {"total_exponent", "count", "mean_exponent"}, mean_of_lattice),
      constructor("stable_top_k",
                  make_stable_top_k,
                  {"input_domain", "input_metric", "k", "scale", "threshold"})
          .falls_with("scale")
          .falls_with("threshold", Values::wholes),
      constructor("approximate_gaussian",
                  {"input_domain", "input_metric", "scale", "delta"},
                  approximate_gaussian)
          .falls_with("scale"),
      constructor("snap", {"width", "lowest", "highest"}, snap_numbers),
  };
  for (Constructor& each : all) each = std::move(each).needs({});
  return all;
}

}  // namespace dp

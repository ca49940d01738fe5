// Scores of candidates for a quantile, trees of counts, and postprocessors of noisy counts.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/postprocessing/cdf.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/quantiles_from_counts.h"
#include "core/transformations/trees/b_ary_tree.h"
#include "core/transformations/trees/quantile_score_candidates.h"

namespace dp {
namespace {

Made on_vectors(AtomType type, Function function) {
  return Postprocessor{std::move(function), "Vec<" + std::string(name(type)) + ">"};
}

Made quantiles_from_counts(const Arguments& in) {
  const AtomType type = in.type(".TA", "bin_edges");
  const AtomType float_type = in.type(".F", "alphas");
  return on_vectors(type,
                    make_quantiles_from_counts(in.constants("bin_edges", type),
                                               in.constants("alphas", float_type),
                                               parse_interpolation(in.text("interpolation")),
                                               type,
                                               float_type));
}

Made consistent_tree(const Arguments& in) {
  const AtomType type = in.type(".TIA", nullptr);
  return on_vectors(
      type,
      make_consistent_b_ary_tree(in.size("branching_factor"), type, in.type(".TOA", nullptr)));
}

}  // namespace

std::vector<Constructor> quantile_constructors() {
  return {
      constructor("make_quantile_score_candidates",
                  make_quantile_score_candidates,
                  {"input_domain", "input_metric", "candidates", "alpha"})
          .example(in_r::rows_of("i32") + ", candidates = c(1L, 3L), alpha = 0.5"),
      constructor("make_b_ary_tree",
                  make_b_ary_tree,
                  {"input_domain", "input_metric", "leaf_count", "branching_factor"})
          .example(in_r::rows_of("i32", "l1_distance('i32')") +
                   ", leaf_count = 4, branching_factor = 2"),
      constructor(
          "make_consistent_b_ary_tree", {"branching_factor", ".TIA", ".TOA"}, consistent_tree)
          .example("branching_factor = 2"),
      constructor("make_cdf",
                  {".TA"},
                  [](const Arguments& in) {
                    const AtomType type = in.type(".TA", nullptr);
                    return on_vectors(type, make_cdf(type));
                  })
          .example(""),
      constructor("make_quantiles_from_counts",
                  {"bin_edges", "alphas", "interpolation", ".TA", ".F"},
                  quantiles_from_counts)
          .example("bin_edges = c(0L, 10L, 20L), alphas = c(0.25, 0.5)"),
  };
}

}  // namespace dp

// The best of many candidates.
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/measurements/joint_quantiles.h"
#include "core/measurements/noisy_max.h"
#include "core/measurements/private_quantile.h"

namespace dp {

std::vector<Constructor> selection_constructors() {
  return {
      constructor("make_noisy_max",
                  make_noisy_max,
                  {"input_domain", "input_metric", "output_measure", "scale", "negate"})
          .example(in_r::scores() + ", output_measure = max_divergence(), scale = 2")
          .falls_with("scale"),
      constructor("make_noisy_top_k",
                  make_noisy_top_k,
                  {"input_domain", "input_metric", "output_measure", "k", "scale", "negate"})
          .example(in_r::scores() + ", output_measure = max_divergence(), k = 2L, scale = 2")
          .falls_with("scale"),
      constructor("make_report_noisy_max_gumbel",
                  make_report_noisy_max_gumbel,
                  {"input_domain", "input_metric", "scale", "optimize"})
          .example(in_r::scores() + ", scale = 2"),
      constructor(
          "make_private_quantile",
          make_private_quantile,
          {"input_domain", "input_metric", "output_measure", "candidates", "alpha", "scale"})
          .example(in_r::rows_of("i32") +
                   ", output_measure = max_divergence(), candidates = 0:10, alpha = 0.5, scale = 2")
          .falls_with("scale"),
      constructor(
          "make_joint_quantiles",
          make_joint_quantiles,
          {"input_domain", "input_metric", "output_measure", "candidates", "alphas", "scale"})
          .example(in_r::rows_of("i32") + ", output_measure = max_divergence(), candidates = 0:10, "
                                          "alphas = c(0.25, 0.75), scale = 4")
          .falls_with("scale"),
  };
}

}  // namespace dp

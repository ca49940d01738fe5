// The best of many candidates.
#include "core/catalogue/families.h"
#include "core/measurements/noisy_max.h"
#include "core/measurements/private_quantile.h"

namespace dp {

std::vector<Constructor> selection_constructors() {
  return {
      constructor("make_noisy_max",
                  make_noisy_max,
                  {"input_domain", "input_metric", "output_measure", "scale", "negate"})
          .falls_with("scale"),
      constructor("make_noisy_top_k",
                  make_noisy_top_k,
                  {"input_domain", "input_metric", "output_measure", "k", "scale", "negate"})
          .falls_with("scale"),
      constructor("make_report_noisy_max_gumbel",
                  make_report_noisy_max_gumbel,
                  {"input_domain", "input_metric", "scale", "optimize"}),
      constructor(
          "make_private_quantile",
          make_private_quantile,
          {"input_domain", "input_metric", "output_measure", "candidates", "alpha", "scale"})
          .falls_with("scale"),
  };
}

}  // namespace dp

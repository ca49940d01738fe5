#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"
#include "core/combinators/adaptive_composition.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/fully_adaptive_composition.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/poisson_subsample.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/privacy_filter.h"
#include "core/combinators/select_private_candidate.h"
#include "core/combinators/subsample_without_replacement.h"

namespace dp {
namespace {

Made privacy_filter(const Arguments& in) {
  const Odometer& odometer = in.odometer("odometer");
  return make_privacy_filter(odometer,
                             in.distance("d_in", odometer.input_metric()),
                             in.distance("d_out", odometer.output_measure()));
}

Made private_candidate(const Arguments& in) {
  return make_select_private_candidate(in.measurement("measurement"),
                                       in.real("stop_probability"),
                                       in.real("threshold"),
                                       in.score_of_release());
}

}  // namespace

std::vector<Constructor> combinator_constructors() {
  return {
      constructor("make_chain_tt", make_chain_tt, {"transformation1", "transformation0"})
          .example("transformation1 = make_sum(" + in_r::bounded_rows("c(0L, 10L)", "size = 4") +
                   "), transformation0 = make_clamp(vector_domain(atom_domain(.T = 'i32'), size = "
                   "4), symmetric_distance(), c(0L, 10L))"),
      constructor("make_chain_mt", make_chain_mt, {"measurement1", "transformation0"})
          .example("measurement1 = " + in_r::noisy_number("laplace") +
                   ", transformation0 = make_sum(" + in_r::bounded_rows("c(0L, 10L)", "size = 4") +
                   ")"),
      constructor("make_chain_pm", make_chain_pm, {"postprocess1", "measurement0"})
          .example("postprocess1 = new_function(identity, 'ExtrinsicObject'), measurement0 = " +
                   in_r::noisy_number("laplace")),
      constructor("make_composition", make_composition, {"measurements"})
          .example("measurements = list(" + in_r::noisy_number("laplace") + ", " +
                   in_r::noisy_number("laplace") + ")"),
      constructor("make_adaptive_composition",
                  make_adaptive_composition,
                  {"input_domain", "input_metric", "output_measure", "d_in", "d_mids"})
          .example(in_r::number_of("i32") +
                   ", output_measure = max_divergence(), d_in = 6L, d_mids = c(0.5, 0.25)"),
      constructor("make_fully_adaptive_composition",
                  make_fully_adaptive_composition,
                  {"input_domain", "input_metric", "output_measure"})
          .example(in_r::number_of("i32") + ", output_measure = max_divergence()"),
      constructor("make_privacy_filter", {"odometer", "d_in", "d_out"}, privacy_filter)
          .example("odometer = make_fully_adaptive_composition(atom_domain(.T = 'i32'), "
                   "absolute_distance('i32'), max_divergence()), d_in = 6L, d_out = 1"),
      constructor("make_fix_delta", make_fix_delta, {"measurement", "delta"})
          .example("measurement = make_zCDP_to_approxDP(" + in_r::noisy_number("gaussian") +
                   "), delta = 1e-7"),
      constructor("make_approximate", make_approximate, {"measurement"})
          .example("measurement = " + in_r::noisy_number("laplace")),
      constructor("make_pureDP_to_zCDP", make_pureDP_to_zCDP, {"measurement"})
          .example("measurement = " + in_r::noisy_number("laplace")),
      constructor("make_zCDP_to_approxDP", make_zCDP_to_approxDP, {"measurement"})
          .example("measurement = " + in_r::noisy_number("gaussian")),
      constructor(
          "make_fixed_approxDP_to_approxDP", make_fixed_approxDP_to_approxDP, {"measurement"})
          .example("measurement = make_approximate(" + in_r::noisy_number("laplace") + ")"),
      constructor("make_pureDP_to_RDP", make_pureDP_to_RDP, {"measurement"})
          .example("measurement = " + in_r::noisy_number("laplace")),
      constructor("make_zCDP_to_RDP", make_zCDP_to_RDP, {"measurement"})
          .example("measurement = " + in_r::noisy_number("gaussian")),
      constructor("make_RDP_to_approxDP", make_RDP_to_approxDP, {"measurement"})
          .example("measurement = make_zCDP_to_RDP(" + in_r::noisy_number("gaussian") + ")"),
      constructor("make_population_amplification",
                  make_population_amplification,
                  {"measurement", "population_size"})
          .example("measurement = make_sum(" + in_r::bounded_rows("c(0L, 10L)", "size = 4") +
                   ") |> then_laplace(scale = 10), population_size = 100")
          .needs(kPromised),
      constructor("make_poisson_subsample", make_poisson_subsample, {"measurement", "rate"})
          .example("measurement = make_count(" + in_r::rows_of("i32") +
                   ") |> then_laplace(scale = 10), rate = 0.01"),
      constructor("make_subsample_without_replacement",
                  make_subsample_without_replacement,
                  {"measurement", "size", "population"})
          .example("measurement = make_metric_unbounded(" +
                   in_r::bounded_rows("c(0L, 10L)", "size = 4", "change_one_distance()") +
                   ") |> then_sum() |> then_laplace(scale = 10), size = 4, population = 100"),
      constructor("make_select_private_candidate",
                  {"measurement", "stop_probability", "threshold"},
                  private_candidate)
          .example("measurement = make_composition(list(" + in_r::noisy_number("laplace") + ", " +
                   in_r::noisy_number("laplace") + ")), stop_probability = 0.1, threshold = 5"),
  };
}

}  // namespace dp

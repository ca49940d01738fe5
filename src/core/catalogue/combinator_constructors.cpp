#include "core/catalogue/families.h"
#include "core/combinators/adaptive_composition.h"
#include "core/combinators/chain.h"
#include "core/combinators/composition.h"
#include "core/combinators/fix_delta.h"
#include "core/combinators/fully_adaptive_composition.h"
#include "core/combinators/measure_cast.h"
#include "core/combinators/population_amplification.h"
#include "core/combinators/privacy_filter.h"
#include "core/combinators/select_private_candidate.h"

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
      constructor("make_chain_tt", make_chain_tt, {"transformation1", "transformation0"}),
      constructor("make_chain_mt", make_chain_mt, {"measurement1", "transformation0"}),
      constructor("make_chain_pm", make_chain_pm, {"postprocess1", "measurement0"}),
      constructor("make_composition", make_composition, {"measurements"}),
      constructor("make_adaptive_composition",
                  make_adaptive_composition,
                  {"input_domain", "input_metric", "output_measure", "d_in", "d_mids"}),
      constructor("make_fully_adaptive_composition",
                  make_fully_adaptive_composition,
                  {"input_domain", "input_metric", "output_measure"}),
      constructor("make_privacy_filter", {"odometer", "d_in", "d_out"}, privacy_filter),
      constructor("make_fix_delta", make_fix_delta, {"measurement", "delta"}),
      constructor("make_approximate", make_approximate, {"measurement"}),
      constructor("make_pureDP_to_zCDP", make_pureDP_to_zCDP, {"measurement"}),
      constructor("make_zCDP_to_approxDP", make_zCDP_to_approxDP, {"measurement"}),
      constructor(
          "make_fixed_approxDP_to_approxDP", make_fixed_approxDP_to_approxDP, {"measurement"}),
      constructor("make_population_amplification",
                  make_population_amplification,
                  {"measurement", "population_size"})
          .needs(kPromised),
      constructor("make_select_private_candidate",
                  {"measurement", "stop_probability", "threshold"},
                  private_candidate),
  };
}

}  // namespace dp

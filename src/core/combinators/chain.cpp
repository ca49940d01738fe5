#include "core/combinators/chain.h"

#include <string>
#include <utility>
#include <vector>

#include "core/accounting/pld.h"

namespace dp {
namespace {

template <class T>
void check_same(
    const T& output, const T& input, const char* plural, const char* word, ErrorKind kind) {
  if (output == input) return;
  std::string text = std::string("Intermediate ") + plural + " don't match.\n";
  if (debug(output) == debug(input)) {
    text += std::string("    The structure of the intermediate ") + plural +
            " are the same, but the parameters differ.\n    shared_" + word + ": " + debug(output);
  } else {
    text += std::string("    output_") + word + ": " + debug(output) + "\n    input_" + word +
            ":  " + debug(input);
  }
  throw Error(kind, text);
}

// One more row before a transformation can be one less row after it.
LossMap after(const LossMap& outer, const StabilityMap& inner) {
  if (!outer) return nullptr;
  return [outer, inner](const Distance& d_in) {
    std::vector<LossPair> pairs = outer(inner(d_in));
    for (LossPair& pair : pairs) pair = symmetric_pair(pair);
    return pairs;
  };
}

}  // namespace

void check_same_domain(const Domain& output, const Domain& input) {
  check_same(output, input, "domains", "domain", ErrorKind::domain_mismatch);
}

void check_same_metric(const Metric& output, const Metric& input) {
  check_same(output, input, "metrics", "metric", ErrorKind::metric_mismatch);
}

void check_same_measure(const Measure& output, const Measure& input) {
  check_same(output, input, "measures", "measure", ErrorKind::measure_mismatch);
}

Transformation make_chain_tt(const Transformation& outer, const Transformation& inner) {
  check_same_domain(inner.output_domain(), outer.input_domain());
  check_same_metric(inner.output_metric(), outer.input_metric());
  return inner.then(outer);
}

Measurement make_chain_mt(const Measurement& outer, const Transformation& inner) {
  check_same_domain(inner.output_domain(), outer.input_domain());
  check_same_metric(inner.output_metric(), outer.input_metric());
  return Measurement(inner.input_domain(),
                     inner.input_metric(),
                     outer.output_measure(),
                     inner.function().then(outer.function()),
                     outer.privacy_map().after(inner.stability_map()),
                     after(outer.loss_map(), inner.stability_map()));
}

Measurement make_chain_pm(const Function& postprocess, const Measurement& inner) {
  return Measurement(inner.input_domain(),
                     inner.input_metric(),
                     inner.output_measure(),
                     inner.function().then(postprocess),
                     inner.privacy_map(),
                     inner.loss_map());
}

}  // namespace dp

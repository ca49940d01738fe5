#include "core/combinators/composition.h"

#include <utility>

#include "core/accounting/compose.h"

namespace dp {
namespace {

// Members whose releases answer queries later must hand over in order where the measure composes
// sequentially only (approximate zCDP): this loop, the only place that starts a member, is where
// the member before it has to be retired. Releases of today are plain values.
Value release_all(const std::vector<Function>& functions, const Value& arg) {
  Value::Tuple releases;
  releases.reserve(functions.size());
  for (const Function& function : functions) releases.push_back(function(arg));
  return releases;
}

}  // namespace

Measurement make_composition(const std::vector<Measurement>& measurements) {
  if (measurements.empty()) {
    throw Error(ErrorKind::make_measurement, "Must have at least one measurement");
  }
  const Measurement& first = measurements.front();
  std::vector<Function> functions;
  std::vector<PrivacyMap> maps;
  for (const Measurement& member : measurements) {
    if (member.input_domain() != first.input_domain()) {
      throw Error(ErrorKind::domain_mismatch, "All input domains must be the same");
    }
    if (member.input_metric() != first.input_metric()) {
      throw Error(ErrorKind::metric_mismatch, "All input metrics must be the same");
    }
    if (member.output_measure() != first.output_measure()) {
      throw Error(ErrorKind::metric_mismatch, "All output measures must be the same");
    }
    functions.push_back(member.function());
    maps.push_back(member.privacy_map());
  }
  const Measure measure = first.output_measure();
  check_composable(measure);
  return Measurement(
      first.input_domain(),
      first.input_metric(),
      measure,
      whole_function([functions](const Value& arg) { return release_all(functions, arg); }),
      [measure, maps](const Distance& d_in) {
        std::vector<Distance> losses;
        losses.reserve(maps.size());
        for (const PrivacyMap& map : maps) losses.push_back(map(d_in));
        return compose(measure, losses);
      });
}

}  // namespace dp

#include "core/combinators/composition.h"

#include <algorithm>
#include <utility>

#include "core/accounting/compose.h"
#include "core/accounting/loss_pairs.h"
#include "core/combinators/release_sequence.h"
#include "core/measurements/composable.h"

namespace dp {
namespace {

Value release_all(const std::vector<Composable>& members, const Value& arg) {
  ReleaseSequence release(members.front()->output_measure(),
                          arg,
                          "Compositor has received a new query. To satisfy the sequentiality "
                          "constraint of composition, only the most recent release from the parent "
                          "compositor may be interacted with.");
  Value::Tuple releases;
  releases.reserve(members.size());
  for (const Composable& member : members) releases.push_back(release(member));
  return releases;
}

// The laws of all members, if any has laws. Otherwise the composition is described by its map,
// which can be tighter than the maps of its members, such as the sum of several rho.
LossMap composed_loss_map(const std::vector<Composable>& members) {
  const auto has_laws = [](const Composable& member) { return bool(member->loss_map()); };
  if (std::none_of(members.begin(), members.end(), has_laws)) return nullptr;
  return [members](const Distance& d_in) {
    std::vector<LossPair> pairs;
    for (const Composable& member : members) {
      for (LossPair& pair : loss_pairs(*member, d_in)) pairs.push_back(std::move(pair));
    }
    return pairs;
  };
}

}  // namespace

Measurement make_composition(const std::vector<Measurement>& measurements) {
  if (measurements.empty()) {
    throw Error(ErrorKind::make_measurement, "Must have at least one measurement");
  }
  const std::vector<Composable> members(measurements.begin(), measurements.end());
  const Measurement& first = measurements.front();
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
  }
  const Measure measure = first.output_measure();
  check_composable(measure);
  return Measurement(
      first.input_domain(),
      first.input_metric(),
      measure,
      whole_function([members](const Value& arg) { return release_all(members, arg); }),
      [measure, members](const Distance& d_in) {
        std::vector<Distance> losses;
        losses.reserve(members.size());
        for (const Composable& member : members) losses.push_back(member->map(d_in));
        return compose(measure, losses);
      },
      composed_loss_map(members));
}

}  // namespace dp

// Privacy maps: the loss of a release, and the condition under which it holds.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "core/metrics/distance_map.h"

namespace dp {

// Maps d_in to a privacy loss, rounded toward more, or throws. No loss is negative or NaN in any
// part: failed_map is thrown instead, even if the user wrote the map.
//
// Most maps hold for any two neighbours. The map of an amplified measurement holds only if
// membership in the data is a secret, and nothing else is released from them. It is marked, and
// then() and after() keep the mark. A map made from it in a way that drops the mark throws
// failed_map, because an unmarked map must not read a marked one. The map of a measurement that
// draws its own sample holds for any two neighbours, and has a different mark (composable.h).
class PrivacyMap {
 public:
  // Holds for any two neighbours.
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, PrivacyMap>>>
  PrivacyMap(F map)  // NOLINT: a function of d_in is a map
      : PrivacyMap(DistanceMap(std::move(map)), Sample::none) {}

  // Holds if the data are a secret sample, and nothing else is released from them.
  static PrivacyMap of_secret_sample(DistanceMap map) { return {std::move(map), Sample::secret}; }

  // Holds because each release draws a secret sample of the rows.
  static PrivacyMap of_drawn_sample(DistanceMap map) { return {std::move(map), Sample::drawn}; }

  Distance operator()(const Distance& d_in) const;

  bool needs_secret_sample() const { return sample_ == Sample::secret; }
  bool draws_sample() const { return sample_ == Sample::drawn; }

  // This map's losses, converted to another measure.
  PrivacyMap then(std::function<Distance(const Distance& loss)> convert) const;

  // This map at the distances of `stability_map`.
  PrivacyMap after(DistanceMap stability_map) const;

 private:
  enum class Sample { none, secret, drawn };
  PrivacyMap(DistanceMap map, Sample sample);

  DistanceMap map_;
  Sample sample_;
};

}  // namespace dp

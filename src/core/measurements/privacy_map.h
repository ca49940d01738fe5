// Privacy maps: what a release loses, and on what condition.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "core/metrics/distance_map.h"

namespace dp {

// d_in to a privacy loss, rounded toward more, or an error. No loss is negative or NaN in any part:
// failed_map is thrown instead, also if the caller wrote the map.
//
// Most maps hold for any two neighbours. That of an amplified measurement holds on the condition
// that who is in the data is a secret that nothing else is released from, and is marked: then() and
// after() keep the mark. A map made of another one in a way that drops the mark throws failed_map,
// because an unmarked map may not read a marked one. That of a measurement which draws a sample
// itself holds for any two neighbours, and has a mark of another kind (composable.h).
class PrivacyMap {
 public:
  // Holds for any two neighbours.
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, PrivacyMap>>>
  PrivacyMap(F map)  // NOLINT: a function of d_in is a map
      : PrivacyMap(DistanceMap(std::move(map)), Sample::none) {}

  // Holds if the data are a secret sample that nothing else is released from.
  static PrivacyMap of_secret_sample(DistanceMap map) { return {std::move(map), Sample::secret}; }

  // Holds because each release draws a sample of the rows, which nobody sees.
  static PrivacyMap of_drawn_sample(DistanceMap map) { return {std::move(map), Sample::drawn}; }

  Distance operator()(const Distance& d_in) const;

  bool needs_secret_sample() const { return sample_ == Sample::secret; }
  bool draws_sample() const { return sample_ == Sample::drawn; }

  // This map's losses, converted to another measure.
  PrivacyMap then(std::function<Distance(const Distance& loss)> convert) const;

  // This map at the distances that `stability_map` leaves.
  PrivacyMap after(DistanceMap stability_map) const;

 private:
  enum class Sample { none, secret, drawn };
  PrivacyMap(DistanceMap map, Sample sample);

  DistanceMap map_;
  Sample sample_;
};

}  // namespace dp

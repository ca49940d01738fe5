// The parts of privacy losses that have structure.
#pragma once

#include <memory>

#include "core/measures/measure.h"
#include "core/measures/privacy_profile.h"
#include "core/metrics/distance.h"

namespace dp {

// The profile in `loss`; failed_cast if it is anything else.
inline const PrivacyProfile& profile_in(const Distance& loss) {
  const auto* profile = loss.as<std::shared_ptr<const PrivacyProfile>>();
  if (profile == nullptr) throw Error(ErrorKind::failed_cast, "the loss must be a PrivacyProfile.");
  return **profile;
}

// The loss under an approximate measure; failed_cast if it is anything else.
struct ApproximateLoss {
  Distance inner;  // under the inner measure
  double delta;
};
inline ApproximateLoss approximate_in(const Distance& loss) {
  const auto* pair = loss.as<Distance::Tuple>();
  if (pair == nullptr || pair->size() != 2) {
    throw Error(ErrorKind::failed_cast, "the loss must be a pair.");
  }
  return {(*pair)[0], number_in<double>((*pair)[1])};
}

// Whether `measure` is the approximate form of the plain measure `inner`.
inline bool is_approximate(const Measure& measure, MeasureKind inner) {
  return measure.kind == MeasureKind::approximate && measure.inner->kind == inner;
}

}  // namespace dp

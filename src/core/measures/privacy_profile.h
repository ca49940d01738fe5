// Privacy profiles: every (epsilon, delta) that a release satisfies, as a curve.
#pragma once

#include <functional>
#include <utility>

namespace dp {

// epsilon to the least delta known for it. Distributions Y, Y' are within the profile if for all
// epsilon >= 0 and all events S, P[Y in S] <= exp(epsilon) P[Y' in S] + delta(epsilon).
class PrivacyProfile {
 public:
  // `curve` must not increase, and every point of it must be a valid delta.
  explicit PrivacyProfile(std::function<double(double)> curve) : curve_(std::move(curve)) {}

  // The curve at `epsilon`. Throws failed_map unless epsilon >= 0 (+0, not -0), or if the curve has
  // no number there or one below 0.
  double delta(double epsilon) const;

  // The least double with delta(epsilon) <= `delta`; infinite if the curve does not come down to
  // `delta` by about 1e154, and 0 if `delta` is 1. Throws failed_map unless `delta` is in [0, 1]
  // (+0, not -0).
  double epsilon(double delta) const;

 private:
  std::function<double(double)> curve_;
};

}  // namespace dp

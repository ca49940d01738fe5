// The loss of two independent releases, without a transform.
//
// delta(epsilon) averages the delta of the second release, at epsilon minus the loss of the first,
// over the first loss. This is a sum of positive numbers, so no digit cancels. A transform has an
// error at each of its points. That error exceeds a delta far out in a tail that falls more slowly
// than any tilt, such as the tail of a release from a small sample.
#pragma once

#include <cstdint>

#include "core/accounting/tilted_composition.h"
#include "core/measures/loss_grid.h"

namespace dp {

class TwoDraws {
 public:
  // Both grids have one step.
  TwoDraws(const LossGrid& first, const LossGrid& second);

  // An upper bound of the delta of the sum of finite losses: tight at grid points, the chord in
  // exp(epsilon) in between. Takes one step for each point of the first grid.
  double delta(double epsilon) const;

 private:
  double at(std::int64_t point) const;

  LossGrid first_;
  TiltedCurve second_;
};

}  // namespace dp

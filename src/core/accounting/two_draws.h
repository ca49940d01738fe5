// The loss of two independent releases, without a transform.
//
// delta(epsilon) is the mean over the loss of the first of the delta of the second at what is left:
// a sum of positive numbers, in which no digit cancels. A transform has an error for each of its
// points, which is large next to a delta far out in a tail that falls more slowly than any tilt can
// follow, as that of a release from a small sample does.
#pragma once

#include <cstdint>

#include "core/accounting/tilted_composition.h"
#include "core/measures/loss_grid.h"

namespace dp {

class TwoDraws {
 public:
  // Grids of one step.
  TwoDraws(const LossGrid& first, const LossGrid& second);

  // At least the delta of the sum of finite losses; at grid points that, in between the chord in
  // exp(epsilon). Takes as many steps as the first grid has points.
  double delta(double epsilon) const;

 private:
  double at(std::int64_t point) const;

  LossGrid first_;
  TiltedCurve second_;
};

}  // namespace dp

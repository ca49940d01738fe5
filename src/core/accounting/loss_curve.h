// The loss of several independent releases, as an upper bound of its delta at every epsilon.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/accounting/atom_sums.h"
#include "core/accounting/tilted_composition.h"
#include "core/accounting/two_draws.h"
#include "core/measures/loss_law.h"

namespace dp {

struct RepeatedLaw {
  LossLawPtr law;
  std::uint64_t times;
};

// Bound from one grid. It is valid at every epsilon, and tight if its points are close enough and
// reach far enough.
struct GridCurve {
  double step = 1;
  double infinite = 0;  // mass of infinite losses, and of those beyond the grid
  std::vector<TiltedCurve> curves;
  std::optional<TwoDraws> two;  // if that is all

  double delta(double epsilon) const;
};

class LossCurve {
 public:
  // Does not increase in `epsilon`, which is not negative.
  double delta(double epsilon) const;

 private:
  friend LossCurve compose_losses(const std::vector<RepeatedLaw>& listed,
                                  std::optional<double> step);

  double highest_ = 0;  // largest finite loss
  std::vector<GridCurve> grids_;
  std::optional<AtomSums> atoms_;  // if there is no grid
};

// Composes on a grid of `step`, a power of two, from the middle of the loss to where delta is below
// 1e-60; further out the last tilt still gives a bound. Losses beyond `reach` count as infinite, or
// as -reach. Empty if it takes too many points.
std::optional<GridCurve> compose_on_grid(const std::vector<RepeatedLaw>& laws,
                                         double step,
                                         double reach);

// Calls compose_on_grid() with `step` rounded down to a power of two, or with a step it chooses.
// Laws with few atoms are added up first, without a grid. If there are other laws, their sum joins
// the grid as one law.
//
// A release from a small sample loses almost nothing, and with a small probability almost as much
// as a release from all data, which is thousands of standard deviations more. Then there are
// several grids, each coarser than the one before and reaching further. The best bound counts at
// every epsilon.
//
// Throws invalid_distance if `step` is not positive and finite, or too small.
LossCurve compose_losses(const std::vector<RepeatedLaw>& listed, std::optional<double> step);

}  // namespace dp

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

// What is known from one grid: sound at every epsilon, close where its points are close enough and
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

// compose_on_grid() with `step` rounded down to a power of two, or chosen; then laws with few atoms
// are added up by themselves, and come to the grid, if there are others, as one.
//
// The loss of a release from a small sample is next to nothing, and with a small probability almost
// that of the whole data: thousands of its standard deviations. Then there are several grids, each
// coarser than the one before and reaching further, and at every epsilon the best of them counts.
//
// Throws invalid_distance if `step` is not positive and finite, or too small.
LossCurve compose_losses(const std::vector<RepeatedLaw>& listed, std::optional<double> step);

}  // namespace dp

// The loss of several independent releases, as an upper bound of its delta at every epsilon.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/accounting/atom_sums.h"
#include "core/accounting/tilted_composition.h"
#include "core/measures/loss_law.h"

namespace dp {

struct RepeatedLaw {
  LossLawPtr law;
  std::uint64_t times;
};

class LossCurve {
 public:
  // Does not increase in `epsilon`, which is not negative.
  double delta(double epsilon) const;

 private:
  friend std::optional<LossCurve> compose_on_grid(const std::vector<RepeatedLaw>& laws,
                                                  double step);
  friend LossCurve compose_losses(const std::vector<RepeatedLaw>& listed,
                                  std::optional<double> step);

  double step_ = 1;
  double infinite_ = 0;  // mass of infinite losses
  double highest_ = 0;   // largest finite loss
  std::vector<TiltedCurve> curves_;
  std::optional<AtomSums> atoms_;  // if there is no grid
};

// Composes on a grid of `step`, a power of two, from the middle of the loss to where delta is below
// 1e-60; further out the last tilt still gives a bound. Empty if it takes too many points.
std::optional<LossCurve> compose_on_grid(const std::vector<RepeatedLaw>& laws, double step);

// compose_on_grid() with `step` rounded down to a power of two, or chosen; then laws with few atoms
// are added up by themselves, and come to the grid, if there are others, as one. Throws
// invalid_distance if it is not positive and finite, or too small.
LossCurve compose_losses(const std::vector<RepeatedLaw>& listed, std::optional<double> step);

}  // namespace dp

// The noise of a query: integers of one law, what they cost, and how far they go.
//
// Numbers of all groups are integers on a lattice. Under a pure measure each gets discrete Laplace
// noise, and loses L1 / scale; under a concentrated one discrete Gaussian noise, and loses
// L2^2 / (2 scale^2). Both hold for all groups together, because noise is independent and the norms
// are those of all of them (norms.h). Sources: laplace.h, gaussian.h.
#pragma once

#include <memory>

#include "core/measurements/noise_stage.h"
#include "core/numeric/integer.h"
#include "core/numeric/parameters.h"
#include "core/query/norms.h"

namespace dp::query {

enum class NoiseKind : std::uint8_t { laplace, gaussian };

class NoiseLaw {
 public:
  // Throws make_measurement unless `scale`, in steps of the lattice, is positive and finite.
  NoiseLaw(NoiseKind kind, double scale);

  NoiseKind kind() const { return kind_; }
  double scale() const { return scale_; }

  // Rounded up.
  double loss(const Sensitivity& sensitivity) const;

  // At least P[Z >= t], t >= 0.
  double tail(const Integer& t) const;

  // About the standard deviation; of small Gaussians, an upper bound.
  double deviation() const;

  // The a with P[|Z| >= a] <= alpha that the accuracy functions of the package have: of Laplace
  // noise that of its law continued to all a, of a Gaussian the least whole one, from 1 on.
  double accuracy(Alpha alpha) const;

  // The least whole number that |Z| exceeds with probability alpha at most.
  double reach(Alpha alpha) const;

  std::shared_ptr<const GridNoise> noise() const;

 private:
  NoiseKind kind_;
  double scale_;
};

// How many standard deviations a normal number, or a Laplace number, exceeds with probability alpha
// in one direction or the other.
double normal_deviations(Alpha alpha);
double laplace_deviations(Alpha alpha);

// The least scale at which the loss is at most `loss`. Throws budget if there is none.
double scale_for_loss(NoiseKind kind, const Sensitivity& sensitivity, double loss);

// The largest scale whose accuracy is at most `accuracy`, to a relative 1e-12. Throws
// make_measurement if there is none: noise on whole numbers is never closer than 1.
double scale_for_accuracy(NoiseKind kind, double accuracy, Alpha alpha);

}  // namespace dp::query

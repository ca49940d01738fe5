// The noise of a query: integer distributions, their privacy loss, and their tails.
//
// All numbers of all groups are integers on a lattice. Under a pure measure each gets discrete
// Laplace noise, with loss L1 / scale. Under a concentrated measure each gets discrete Gaussian
// noise, with loss L2^2 / (2 scale^2). Both losses hold for all groups together, because the noise
// is independent and the norms cover all groups (norms.h). Sources: laplace.h, gaussian.h.
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

  // Privacy loss, rounded up.
  double loss(const Sensitivity& sensitivity) const;

  // Upper bound of P[Z >= t], for t >= 0.
  double tail(const Integer& t) const;

  // Approximate standard deviation; for small Gaussians, an upper bound.
  double deviation() const;

  // The a with P[|Z| >= a] <= alpha, as in the package's accuracy functions. For Laplace noise the
  // law is continued to all real a; for a Gaussian a is the least whole number, from 1 on.
  double accuracy(Alpha alpha) const;

  // The least whole number that |Z| exceeds with probability at most alpha.
  double reach(Alpha alpha) const;

  std::shared_ptr<const GridNoise> noise() const;

 private:
  NoiseKind kind_;
  double scale_;
};

// Two-sided quantile: the number of standard deviations that a normal, or Laplace, variable exceeds
// in magnitude with probability alpha.
double normal_deviations(Alpha alpha);
double laplace_deviations(Alpha alpha);

// The least scale whose loss is at most `loss`. Throws budget if there is none.
double scale_for_loss(NoiseKind kind, const Sensitivity& sensitivity, double loss);

// The largest scale whose accuracy is at most `accuracy`, to a relative 1e-12. Throws
// make_measurement if there is none: noise on whole numbers never has an accuracy below 1.
double scale_for_accuracy(NoiseKind kind, double accuracy, Alpha alpha);

}  // namespace dp::query

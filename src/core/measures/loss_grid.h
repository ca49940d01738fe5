// A privacy-loss distribution on the multiples of a step, never below the original one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dp {

// Outcomes with a loss between two grid points are split among both, so that the probabilities
// under P and under Q do not change:
//
//   upper share = (1 - exp(-f)) / (1 - exp(-step)),   f = loss - lower grid point.
//
// Merging the two restores the outcome, so the new pair dominates the old one. Its delta is the
// same at grid points, and the chord in between. The error of delta is of second order in the step.
// Every rounding is toward more mass or more loss, which can only raise delta.
//
// Source: Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), "Connect the Dots: Tighter
// Discrete Approximations of Privacy Loss Distributions".
class LossGrid {
 public:
  // `step` is a power of two; `reach` is about the largest magnitude of a loss. Throws
  // invalid_distance unless step is such, or if there are more than kMostPoints.
  LossGrid(double step, double reach);

  static constexpr std::int64_t kMostPoints = std::int64_t{1} << 23;

  double step() const { return step_; }

  // Outcomes of probability `mass` at most and loss `loss` at most, which may be infinite.
  void add(double mass, double loss);

  // P-mass of infinite losses. At most 1.
  double infinite() const { return infinite_ < 1 ? infinite_ : 1; }

  // masses()[i] is the P-mass of the loss (first() + i) * step(). May be empty; else the first and
  // last are positive.
  const std::vector<double>& masses() const { return masses_; }
  std::int64_t first() const { return first_; }

  // Drops empty points at both ends.
  void trim();

 private:
  double& at(std::int64_t point);

  double step_;
  double whole_gap_;  // 1 - exp(-step)
  double infinite_ = 0;
  std::int64_t first_;
  std::vector<double> masses_;
};

// Upper bound of a sum or product of nonnegative numbers, from its rounded value x.
inline double more(double x) { return x * (1 + 0x1p-51); }

}  // namespace dp

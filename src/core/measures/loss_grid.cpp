#include "core/measures/loss_grid.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/approx.h"

namespace dp {
namespace {

// Covers the errors of two gaps of 32 u, an exponential of 8 u and six operations of u.
constexpr double kShareSlack = 1 + 0x1p-46;

// Smaller masses count as this, so that only a share can make a product underflow.
constexpr double kLeastMass = 0x1p-900;
constexpr double kUnderflow = 0x1p-1000;

}  // namespace

LossGrid::LossGrid(double step, double reach) : step_(step) {
  int exponent;
  if (!(step > 0 && step < 0x1p500) || std::frexp(step, &exponent) != 0.5) {
    throw Error(ErrorKind::invalid_distance, "`step` must be a power of two.");
  }
  const double points = std::ceil(reach / step) + 2;
  if (!(points * 2 < static_cast<double>(kMostPoints))) {
    throw Error(ErrorKind::invalid_distance, "`step` is too small for losses of this size.");
  }
  whole_gap_ = exp_gap_near(step);
  first_ = -static_cast<std::int64_t>(points);
  masses_.resize(2 * static_cast<std::size_t>(points) + 1);
}

// Below the grid the lowest point takes all, which is more loss; above it is infinite.
double& LossGrid::at(std::int64_t point) {
  const std::int64_t index = std::max(point - first_, std::int64_t{0});
  if (index >= static_cast<std::int64_t>(masses_.size())) return infinite_;
  return masses_[static_cast<std::size_t>(index)];
}

void LossGrid::add(double mass, double loss) {
  if (!(loss / step_ < static_cast<double>(kMostPoints))) {
    infinite_ = more(infinite_ + mass);
    return;
  }
  const double position = std::max(std::floor(loss / step_), -static_cast<double>(kMostPoints));
  const double lower = position * step_;
  const auto point = static_cast<std::int64_t>(position);
  // Exact, but for a loss just below zero, where it may round up to the step.
  const double over = std::clamp(loss - lower, 0.0, step_);
  mass = std::max(mass, kLeastMass);
  const double lower_share = exp_approx(-over) * (exp_gap_near(step_ - over) / whole_gap_);
  double& below = at(point);
  below = more(below + mass * lower_share * kShareSlack);
  if (over == 0) return;
  const double upper_share = exp_gap_near(over) / whole_gap_;
  double& above = at(point + 1);
  above = more(above + (mass * upper_share * kShareSlack + kUnderflow));
}

void LossGrid::trim() {
  const auto positive = [](double mass) { return mass > 0; };
  const auto end = std::find_if(masses_.rbegin(), masses_.rend(), positive).base();
  masses_.erase(end, masses_.end());
  const auto begin = std::find_if(masses_.begin(), masses_.end(), positive);
  first_ += begin - masses_.begin();
  masses_.erase(masses_.begin(), begin);
}

}  // namespace dp

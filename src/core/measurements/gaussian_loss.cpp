#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "core/measurements/noise_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/measures/smooth_loss.h"
#include "core/numeric/near.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kMostAtomScale = 0x1p15;
constexpr double kMostShift = 256;  // in units of the scale

// Noise further out than this many scales has a probability below kTail on either side, both of the
// normal and of the discrete law: exp(-24^2 / 2), of which that is a Chernoff bound.
constexpr double kReach = 24;
constexpr double kTail = 0x1p-415;

// On the side of small losses, whose mass may as well count as a little more of one.
constexpr double kNearReach = 12;
constexpr double kNearTail = 0x1p-103;

// Relative errors of exponents up to 700, of exponentials and of the factors before them.
constexpr double kMassSlack = 1 + 0x1p-40;
constexpr double kInverseRootTwoPi = 0x1.9884533d43651p-2;  // rounded up

class DiscreteGaussianLossLaw final : public LossLaw {
 public:
  DiscreteGaussianLossLaw(const Integer& steps, const Rational& scale)
      : steps_(to_double_nearest(Rational(steps))),
        scale_(to_double_up(scale)),
        curvature_(to_double_nearest(1 / (2 * scale * scale))),
        slope_(to_double_nearest(steps / (2 * scale * scale))),
        last_(std::ceil(kReach * scale_) + 1) {}

  auto parameters() const { return std::tie(steps_, scale_, curvature_, slope_, last_); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    return {2 * slope_ * scale_, slope_ * (steps_ + 2 * last_)};
  }

  void add_to(LossGrid& grid) const override {
    const double share = kMassSlack / total();
    for (double z = -last_; z <= last_; ++z) {
      grid.add(density(z) * share * kMassSlack, loss(z));
    }
    grid.add(kTail, std::numeric_limits<double>::infinity());
    grid.add(kTail, loss(last_));
  }

 private:
  double density(double z) const { return exp_near(-z * z * curvature_); }
  double loss(double z) const {
    const double loss = slope_ * (steps_ - 2 * z);
    return loss + std::fabs(loss) * 0x1p-50;
  }

  // The sum of the density, from below. It is at least sqrt(2 pi) times the scale by Poisson's
  // formula, and from a scale of 4 on no more than 1 + 2^-400 times that.
  double total() const {
    double sum = scale_ / kInverseRootTwoPi;
    if (scale_ < 4) {
      sum = 0;
      for (double z = -last_; z <= last_; ++z) sum += density(z);
    }
    return sum / kMassSlack;
  }

  double steps_;
  double scale_;
  double curvature_;  // 1 / (2 scale^2)
  double slope_;      // d / (2 scale^2)
  double last_;
};

// On a grid fine enough for every number that counts: see the header.
class GaussianLossLaw final : public LossLaw {
 public:
  GaussianLossLaw(double shift, double scale, double size)
      : shift_(shift), scale_(scale), size_(size) {}

  auto parameters() const { return std::tie(shift_, scale_, size_); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    return {shift_, shift_ * (shift_ / 2 + kReach) + excess(kReach)};
  }

  void add_to(LossGrid& grid) const override {
    const double mean = shift_ / 2 * shift_;
    add_smooth(grid, -kNearReach, kReach, {mean, shift_}, [&](double x, double width) {
      const double more = excess(std::fabs(x));
      const double mass = width * kInverseRootTwoPi * exp_near(-x * x / 2);
      const double loss = mean + shift_ * x;
      const double rounding = (mean + shift_ * std::fabs(x)) * 0x1p-48;
      grid.add(mass * (1 + more) * kQuadratureSlack, loss + rounding + more);
    });
    grid.add(kTail * size_ * 2, std::numeric_limits<double>::infinity());
    grid.add(kNearTail, mean - shift_ * kNearReach + excess(kNearReach));
  }

 private:
  // Of a single number what the header says, at a noise of x under P and up to x + shift under Q.
  // Of several what it is at most, for each.
  double excess(double x) const {
    const double far = (size_ == 1 ? x : kReach) + shift_ + 1;
    return (far * far + 1) / (3 * scale_) / scale_ * size_ + 0x1p-100;
  }

  double shift_;  // in units of the scale
  double scale_;
  double size_;
};

}  // namespace

ShiftLoss gaussian_shift_loss(const Rational& scale, std::optional<std::uint64_t> size) {
  const double below = to_double_down(scale);
  const double count = size ? static_cast<double>(*size) : 0x1p64;
  const bool atoms = size == 1 && below < kMostAtomScale;
  // The excess of the law must stay negligible, at the largest shift.
  if (!atoms && count > 1 && !(below > 0x1p29 * std::sqrt(count))) return {};
  return [=](const Rational& shift) -> LossPair {
    const Rational moved = size == 1 ? Rational(floor(shift)) : shift;
    if (moved == 0) return finite_loss_pair({{1, 1}});
    if (scale == 0 || moved > kMostShift * scale) return total_loss_pair();
    LossLawPtr law;
    if (atoms) {
      law = std::make_shared<DiscreteGaussianLossLaw>(floor(moved), scale);
    } else {
      law = std::make_shared<GaussianLossLaw>(
          to_double_up(moved / scale), below, std::max(count, 1.0));
    }
    return {law, law};
  };
}

}  // namespace dp

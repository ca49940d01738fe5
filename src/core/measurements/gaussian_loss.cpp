#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "core/measurements/gaussian.h"
#include "core/measurements/noise_loss.h"
#include "core/measures/concentrated_law.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/measures/smooth_loss.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kMostAtomScale = 0x1p15;
constexpr double kMostShift = 256;  // in units of the scale

// Noise further out than this many scales has a probability below kTail on either side, for both
// the normal and the discrete law, by the Chernoff bound exp(-24^2 / 2).
constexpr double kReach = 24;
constexpr double kTail = 0x1p-415;

// Reach on the side of small losses, whose mass can be moved to a slightly larger loss.
constexpr double kNearReach = 12;
constexpr double kNearTail = 0x1p-103;

constexpr double kInverseRootTwoPi = 0x1.9884533d43651p-2;  // rounded up

// A number on the integers that moves by `steps`, with noise of a variance that need not be the
// square of a rational number; masses are raised by a factor of `inflation`.
class DiscreteGaussianLossLaw final : public LossLaw {
 public:
  DiscreteGaussianLossLaw(const Integer& steps, const Rational& variance, double inflation)
      : steps_(to_double_nearest(Rational(steps))),
        scale_(sqrt_up(to_double_up(variance))),
        curvature_(to_double_nearest(1 / (2 * variance))),
        slope_(to_double_nearest(steps / (2 * variance))),
        last_(std::ceil(kReach * scale_) + 1),
        inflation_(inflation) {}

  auto parameters() const {
    return std::tie(steps_, scale_, curvature_, slope_, last_, inflation_);
  }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    return {2 * slope_ * scale_, slope_ * (steps_ + 2 * last_)};
  }

  double most() const override { return loss(-last_); }

  std::vector<LossAtom> atoms() const override {
    std::vector<LossAtom> atoms;
    if (2 * last_ > kMostLossAtoms) return atoms;
    each_atom([&](double mass, double loss) { atoms.push_back({mass, loss}); });
    return atoms;
  }

  void add_to(LossGrid& grid) const override {
    each_atom([&](double mass, double loss) { grid.add(mass, loss); });
  }

 private:
  template <class Visit>
  void each_atom(Visit visit) const {
    const double share = kMassSlack / total() * inflation_;
    for (double z = -last_; z <= last_; ++z) {
      visit(density(z) * share * kMassSlack, loss(z));
    }
    visit(2 * kTail, std::numeric_limits<double>::infinity());
    visit(2 * kTail, loss(last_));
  }

  double density(double z) const { return exp_approx(-z * z * curvature_); }
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
  double inflation_;
};

// The law on a grid that is fine enough for every relevant number, see the header.
class GaussianLossLaw final : public LossLaw {
 public:
  GaussianLossLaw(double shift, double scale, double size, double inflation)
      : shift_(shift), scale_(scale), size_(size), inflation_(inflation) {}

  auto parameters() const { return std::tie(shift_, scale_, size_, inflation_); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    return {shift_, shift_ * (shift_ / 2 + kReach) + excess(kReach)};
  }

  double most() const override {
    const double end = shift_ * (shift_ / 2 + kReach);
    return end * (1 + 0x1p-40) + excess(kReach);
  }

  void add_to(LossGrid& grid) const override {
    const double mean = shift_ / 2 * shift_;
    add_smooth(grid, -kNearReach, kReach, {mean, shift_}, [&](double x, double width) {
      const double more = excess(std::fabs(x));
      const double mass = width * kInverseRootTwoPi * exp_approx(-x * x / 2) * inflation_;
      const double loss = mean + shift_ * x;
      const double rounding = (mean + shift_ * std::fabs(x)) * 0x1p-48;
      grid.add(mass * (1 + more) * kQuadratureSlack, loss + rounding + more);
    });
    grid.add(kTail * size_ * 4, std::numeric_limits<double>::infinity());
    grid.add(kNearTail * 2, mean - shift_ * kNearReach + excess(kNearReach));
  }

 private:
  // The excess of the header for a single number, at a noise of x under P and up to x + shift under
  // Q. For several numbers, an upper bound for each.
  double excess(double x) const {
    const double far = (size_ == 1 ? x : kReach) + shift_ + 1;
    return (far * far + 1) / (3 * scale_) / scale_ * size_ + 0x1p-100;
  }

  double shift_;  // in units of the scale
  double scale_;
  double size_;
  double inflation_;
};

// An upper bound of the sum of exp(-decay |y|^2) over all nonzero points y of a lattice of this
// dimension whose points are at least 1 apart: at most (2 j + 3)^dimensions of them are at a
// distance from j to j + 1, because balls around them of radius 1/2 do not overlap. Infinite if
// that is large.
double lattice_sum_up(double dimensions, double decay) {
  if (dimensions == 0) return 0;
  double sum = 0;
  for (double j = 1; j < 100; ++j) {
    const double exponent = dimensions * ln1p_near(2 * j + 2) - decay * j * j;
    if (!(exponent < -20)) return std::numeric_limits<double>::infinity();
    sum += exp_approx(exponent);
  }
  return 2 * sum;  // far more than its rounding, and than what lies further out
}

bool is_squarefree(std::uint64_t n) {
  for (std::uint64_t i = 2; i * i <= n; ++i) {
    if (n % (i * i) == 0) return false;
  }
  return true;
}

// Vectors of integers, see the header. Returns the pair of rho if the correction is not negligible.
LossPair integer_vector_pair(const Rational& shift,
                             const Rational& scale,
                             std::optional<std::uint64_t> size) {
  constexpr double kMostLength = 0x1p30;
  constexpr double kMostCorrection = 0x1p-41;
  constexpr double kTwiceSquaredPi = 19.7;  // from below
  const Integer length = floor(shift * shift);
  if (length == 0) return finite_loss_pair({{1, 1}});
  const auto by_rho = [&] { return concentrated_pair(Rho(gaussian_loss(shift, scale))); };
  if (Rational(length) > Rational(kMostLength)) return by_rho();
  auto n = static_cast<std::uint64_t>(length);
  while (!is_squarefree(n)) ++n;

  const Rational variance = scale * scale * Integer(n);
  const double decay = kTwiceSquaredPi * to_double_down(scale * scale);
  const auto squares = static_cast<double>(n);
  const double coordinates = size ? std::min(squares, static_cast<double>(*size) + 4) : squares;
  const double correction = n == 1 ? 0
                                   : lattice_sum_up(coordinates - 1, decay / squares) +
                                         lattice_sum_up(1, decay * squares);
  if (!(correction <= kMostCorrection)) return by_rho();

  const double inflation = 1 + 2 * kMostCorrection;
  const double deviation = sqrt_down(to_double_down(variance));
  LossLawPtr law;
  if (deviation < kMostAtomScale) {
    law = std::make_shared<DiscreteGaussianLossLaw>(Integer(n), variance, inflation);
  } else {
    law = std::make_shared<GaussianLossLaw>(
        sqrt_up(to_double_up(Integer(n) / (scale * scale))), deviation, 1, inflation);
  }
  return {law, law};
}

}  // namespace

ShiftLoss gaussian_shift_loss(const Rational& scale, std::optional<std::uint64_t> size) {
  const double below = to_double_down(scale);
  const double count = size ? static_cast<double>(*size) : 0x1p64;
  const bool atoms = size == 1 && below < kMostAtomScale;
  // The excess of the law must stay negligible at the largest shift.
  const bool is_fine = atoms || !(count > 1) || below > 0x1p29 * std::sqrt(count);
  return [=](const Rational& shift) -> LossPair {
    const Rational moved = size == 1 ? Rational(floor(shift)) : shift;
    if (moved == 0) return finite_loss_pair({{1, 1}});
    if (scale == 0 || moved > kMostShift * scale) return total_loss_pair();
    if (!is_fine) return integer_vector_pair(moved, scale, size);
    LossLawPtr law;
    if (atoms) {
      law = std::make_shared<DiscreteGaussianLossLaw>(floor(moved), scale * scale, 1);
    } else {
      law = std::make_shared<GaussianLossLaw>(
          to_double_up(moved / scale), below, std::max(count, 1.0), 1);
    }
    return {law, law};
  };
}

}  // namespace dp

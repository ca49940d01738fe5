#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "core/measurements/noise_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/measures/smooth_loss.h"
#include "core/numeric/approx.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kMostAtoms = 0x1p16;

class LaplaceLossLaw final : public LossLaw {
 public:
  LaplaceLossLaw(const Integer& steps, const Rational& scale)
      : steps_(to_double_up(Rational(steps))),
        rate_(to_double_up(1 / scale)),
        most_(to_double_up(steps / scale)),
        least_(-to_double_down(steps / scale)),
        stay_(1 / (1 + exp_approx(-rate_)) * kMassSlack) {}

  auto parameters() const { return std::tie(steps_, rate_, most_, least_, stay_); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override { return {std::min(most_, 1.75), most_}; }
  double most() const override { return most_; }

  std::vector<LossAtom> atoms() const override {
    std::vector<LossAtom> atoms;
    if (steps_ > kMostLossAtoms) return atoms;
    each_atom([&](double mass, double loss) { atoms.push_back({mass, loss}); });
    return atoms;
  }

  void add_to(LossGrid& grid) const override {
    if (steps_ <= kMostAtoms) {
      each_atom([&](double mass, double loss) { grid.add(mass, loss); });
    } else {
      add_ends(grid);
      add_density(grid);
    }
  }

 private:
  template <class Visit>
  void each_atom(Visit visit) const {
    visit(stay_, most_);                                     // z <= 0
    visit(stay_ * exp_approx(least_) * kMassSlack, least_);  // z >= d
    const double peak = exp_gap_near(rate_) * stay_ * kMassSlack;
    for (double z = 1; z < steps_; ++z) {
      const double loss = (steps_ - 2 * z) * rate_;
      visit(peak * exp_approx(-z * rate_) * kMassSlack, loss + std::fabs(loss) * 0x1p-50);
    }
  }

  void add_ends(LossGrid& grid) const {
    grid.add(stay_, most_);
    grid.add(stay_ * exp_approx(least_) * kMassSlack, least_);
  }

  // In x = -z / scale: density exp(x) / 2, loss s + 2 x.
  void add_density(LossGrid& grid) const {
    constexpr double kDepth = 250;  // beyond, e^-250 / 2 in all, counts as if there
    const double excess = rate_ * rate_ + most_ * 0x1p-48;
    const double end = -rate_ / 2;
    const double begin = std::max(rate_ / 2 - most_, -kDepth);
    if (most_ > kDepth) grid.add(exp_approx(-kDepth), most_ - 2 * kDepth + excess);
    add_smooth(grid, begin, end, {most_, 2}, [&](double x, double width) {
      grid.add(width * exp_approx(x) / 2 * kQuadratureSlack, most_ + 2 * x + excess);
    });
  }

  double steps_;
  double rate_;   // 1 / scale
  double most_;   // d / scale, rounded up
  double least_;  // -d / scale, rounded up
  double stay_;   // P[Z <= 0]
};

}  // namespace

ShiftLoss laplace_shift_loss(const Rational& scale, std::optional<std::uint64_t>) {
  return [scale](const Rational& shift) -> LossPair {
    const Integer steps = floor(shift);
    if (steps == 0) return finite_loss_pair({{1, 1}});
    // Beyond 700 exponentials leave the range of doubles, and no protection remains.
    if (scale == 0 || steps > 700 * scale) return total_loss_pair();
    const LossLawPtr law = std::make_shared<LaplaceLossLaw>(steps, scale);
    return {law, law};
  };
}

}  // namespace dp

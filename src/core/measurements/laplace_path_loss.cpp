#include "core/measurements/laplace_path_loss.h"

#include <algorithm>
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

constexpr int kMostTotal = 700;  // beyond, exponentials leave the range of doubles

class LaplacePathLossLaw final : public LossLaw {
 public:
  LaplacePathLossLaw(const Rational& total, const Rational& step)
      : most_(to_double_up(total)),
        least_(-to_double_down(total)),
        span_(to_double_up(total - step)),
        stay_(1 / (1 + exp_approx(-to_double_up(step))) * kMassSlack),
        move_(1 / (1 + exp_approx(to_double_down(step))) * kMassSlack) {}

  auto parameters() const { return std::tie(most_, least_, span_, stay_, move_); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override { return {std::min(most_, 1.75), most_}; }
  double most() const override { return most_; }

  void add_to(LossGrid& grid) const override {
    grid.add(stay_, most_);
    grid.add(stay_ * exp_approx(least_) * kMassSlack, least_);
    const double excess = span_ * 0x1p-48;
    // Uses x = -y, because losses must increase.
    add_smooth(grid, -span_, 0, {span_, 2}, [&](double x, double width) {
      grid.add(width * exp_approx(x) * move_ * kQuadratureSlack, span_ + 2 * x + excess);
    });
  }

 private:
  double most_;   // eta, rounded up
  double least_;  // -eta, rounded up
  double span_;   // eta - r, rounded up
  double stay_;   // s
  double move_;   // 1 - s
};

}  // namespace

LossPair laplace_path_pair(const Rational& total, const Rational& step) {
  if (total == 0) return finite_loss_pair({{1, 1}});
  if (total > kMostTotal) return total_loss_pair();
  const LossLawPtr law = std::make_shared<LaplacePathLossLaw>(total, std::min(step, total));
  return {law, law};
}

}  // namespace dp

#include "core/measures/profile_loss_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/measures/finite_loss_law.h"
#include "core/measures/loss_grid.h"
#include "core/numeric/approx.h"

namespace dp {
namespace {

constexpr double kMostEpsilon = 600;
constexpr int kSteps = 2048;

// Relative rounding of a hull point, and of numbers computed from two of them.
constexpr double kRounding = 0x1p-46;

struct HullPoint {
  double epsilon;
  double x;  // exp(epsilon)
  double delta;
  bool operator==(const HullPoint& other) const {
    return epsilon == other.epsilon && x == other.x && delta == other.delta;
  }
};

double slope(const HullPoint& a, const HullPoint& b) { return (b.delta - a.delta) / (b.x - a.x); }

// Where the profile is as good as flat, to the last bit: beyond the loss of a bounded one there is
// nothing.
double last_epsilon(const PrivacyProfile& profile) {
  constexpr double kNegligible = 1e-40;
  const double enough = std::max(profile.delta(kMostEpsilon) * (1 + 1e-9), kNegligible);
  double low = 0;
  double high = kMostEpsilon;
  double middle = high / 2;
  while (low < middle && middle < high && high > 1e-9) {
    (profile.delta(middle) > enough ? low : high) = middle;
    middle = low + (high - low) / 2;
  }
  return high;
}

std::vector<HullPoint> lower_hull(const PrivacyProfile& profile) {
  const double last = last_epsilon(profile);
  std::vector<HullPoint> hull;
  const auto append = [&](HullPoint point) {
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  append({-std::numeric_limits<double>::infinity(), 0, 1});
  double low = 1;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const double epsilon = last * i / kSteps;
    const double x = exp_approx(epsilon);
    const double above = profile.delta(std::fabs(epsilon));
    const double delta = i < 0 ? exp_gap_near(-epsilon) + x * above : above;
    low = std::min(low, delta * (1 + kRounding));
    append({epsilon, x, low});
  }
  return hull;
}

class ProfileLossLaw final : public LossLaw {
 public:
  explicit ProfileLossLaw(std::vector<HullPoint> hull) : hull_(std::move(hull)) {}

  const std::vector<HullPoint>& parameters() const { return hull_; }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    double sum = 0;
    double squares = 0;
    each_mass([&](double mass, double loss) {
      sum += mass * loss;
      squares += mass * loss * loss;
    });
    return {std::sqrt(std::max(squares - sum * sum, 0.0)), hull_.back().epsilon};
  }

  double most() const override { return hull_.back().epsilon; }

  void add_to(LossGrid& grid) const override {
    each_mass([&](double mass, double loss) { grid.add(mass, loss); });
    grid.add(hull_.back().delta, std::numeric_limits<double>::infinity());
  }

 private:
  // The mass at a point is exp(loss) times the change of slope there; the curve ends flat. Each
  // slope carries the rounding of its two points.
  template <class Visit>
  void each_mass(Visit visit) const {
    for (std::size_t i = 1; i < hull_.size(); ++i) {
      const bool last = i + 1 == hull_.size();
      const double before = slope(hull_[i - 1], hull_[i]);
      const double after = last ? 0 : slope(hull_[i], hull_[i + 1]);
      const double x = hull_[i].x;
      double error = x / (x - hull_[i - 1].x) * hull_[i - 1].delta;
      if (!last) error += x / (hull_[i + 1].x - x) * hull_[i].delta;
      visit(std::max((after - before) * x, 0.0) + error * kRounding * 4, hull_[i].epsilon);
    }
  }

  std::vector<HullPoint> hull_;
};

}  // namespace

LossPair profile_loss_pair(const PrivacyProfile& profile) {
  if (profile.delta(0) == 0) return finite_loss_pair({{1, 1}});
  const LossLawPtr law = std::make_shared<ProfileLossLaw>(lower_hull(profile));
  return {law, law};
}

}  // namespace dp

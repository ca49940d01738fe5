#include "core/measures/finite_loss_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/measures/loss_grid.h"
#include "core/numeric/directed.h"
#include "core/numeric/enclosure.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Upper limit of atoms in sums of losses without a grid.
constexpr std::size_t kMostAtoms = std::size_t{1} << 16;

struct Point : LossAtom {
  Point(double mass_at, double loss_at) : LossAtom{mass_at, loss_at} {}
  bool operator<(const Point& other) const { return loss < other.loss; }
  bool operator==(const Point& other) const { return mass == other.mass && loss == other.loss; }
};

class FiniteLossLaw final : public LossLaw {
 public:
  explicit FiniteLossLaw(std::vector<Point> points) : points_(std::move(points)) {}

  const std::vector<Point>& parameters() const { return points_; }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

  LossExtent extent() const override {
    double mass = 0;
    double sum = 0;
    double squares = 0;
    double reach = 0;
    for (const Point& point : points_) {
      if (std::isinf(point.loss)) continue;
      mass += point.mass;
      sum += point.mass * point.loss;
      squares += point.mass * point.loss * point.loss;
      reach = std::max(reach, std::fabs(point.loss));
    }
    if (mass == 0) return {0, 0};
    const double mean = sum / mass;
    return {std::sqrt(std::max(squares / mass - mean * mean, 0.0)), reach};
  }

  double most() const override {
    double most = -kInfinity;
    for (const Point& point : points_) {
      if (!std::isinf(point.loss)) most = std::max(most, point.loss);
    }
    return std::isinf(most) ? 0 : most;
  }

  std::vector<LossAtom> atoms() const override {
    if (points_.size() > kMostAtoms) return {};
    return {points_.begin(), points_.end()};
  }

  void add_to(LossGrid& grid) const override {
    for (const Point& point : points_) grid.add(point.mass, point.loss);
  }

 private:
  std::vector<Point> points_;
};

double ratio_loss(const Rational& p, const Rational& q) {
  if (q == 0) return kInfinity;
  return upper_double(log(p / q, kEnclosureTiers[0]));
}

std::vector<Point> points_of(const std::vector<OutcomePair>& outcomes, bool backward) {
  std::vector<Point> points;
  for (const OutcomePair& outcome : outcomes) {
    const Rational& p = backward ? outcome.q : outcome.p;
    const Rational& q = backward ? outcome.p : outcome.q;
    if (p > 0) points.emplace_back(to_double_up(p), ratio_loss(p, q));
  }
  std::sort(points.begin(), points.end());
  return points;
}

LossLawPtr finite_law(std::vector<Point> points) {
  return std::make_shared<FiniteLossLaw>(std::move(points));
}

}  // namespace

LossPair finite_loss_pair(const std::vector<OutcomePair>& outcomes, std::uint64_t times) {
  std::vector<Point> forward = points_of(outcomes, false);
  std::vector<Point> backward = points_of(outcomes, true);
  const bool symmetric = forward == backward;
  const LossLawPtr law = finite_law(std::move(forward));
  return {law, symmetric ? law : finite_law(std::move(backward)), times};
}

LossPair approximate_dp_pair(Epsilon epsilon, Delta delta) {
  constexpr double kMostEpsilon = 700;  // beyond, a loss is no protection, and exp(-loss) no double
  const double loss = epsilon.value();
  if (!(loss <= kMostEpsilon)) return total_loss_pair();
  const double kept = sub_up(1.0, delta.value());
  const double truth = mul_up(kept, div_up(1.0, add_down(1.0, exp_down(-loss))));
  const double lie = mul_up(kept, div_up(1.0, add_down(1.0, exp_down(loss))));
  std::vector<Point> points = {{truth, loss}, {lie, -loss}};
  if (delta.value() > 0) points.emplace_back(delta.value(), kInfinity);
  const LossLawPtr law = finite_law(std::move(points));
  return {law, law};
}

LossLawPtr law_of_atoms(const std::vector<LossAtom>& atoms) {
  std::vector<Point> points;
  for (const LossAtom& atom : atoms) points.emplace_back(atom.mass, atom.loss);
  return finite_law(std::move(points));
}

LossPair total_loss_pair() {
  const LossLawPtr law = finite_law({{1, kInfinity}});
  return {law, law};
}

}  // namespace dp

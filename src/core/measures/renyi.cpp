#include "core/measures/renyi.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric/approx.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr double kNoProtection = std::numeric_limits<double>::infinity();

// A search for the least delta, over its logarithm, as near as it gets, in terms of alpha - 1.
class OrderSearch {
 public:
  OrderSearch(const std::function<double(double)>& curve, double epsilon)
      : curve_(curve), epsilon_(epsilon) {
    move_out();
    halve();
  }

  // alpha - 1.
  double best() const { return best_; }

 private:
  static constexpr double kLeast = 0x1p-30;
  static constexpr double kMost = 0x1p60;
  static constexpr double kEnough = -800;  // delta is below the doubles

  double log_delta(double rest) {
    const double alpha = rest + 1;
    const double found =
        rest * (curve_(alpha) - epsilon_) + alpha * ln1p_near(-1 / alpha) - ln_near(rest);
    if (found < least_) {
      best_ = rest;
      least_ = found;
    }
    return found;
  }

  // In steps of a factor of 2, as long as delta falls. Where it is infinite on both sides, which a
  // divergence may be at all orders from some on, it is less further down.
  void move_out() {
    double here = log_delta(best_);
    for (double next = 2; next <= kMost && here > kEnough; next *= 2) {
      const double there = log_delta(next);
      if (!(there < here)) break;
      here = there;
    }
    for (double next = best_ / 2; next >= kLeast && here > kEnough; next /= 2) {
      const double there = log_delta(next);
      if (!(there <= here)) break;
      here = there;
    }
  }

  // Golden sections of what lies around the best one.
  void halve() {
    constexpr double kShare = 0.6180339887498949;
    constexpr int kSections = 40;
    double low = best_ / 2;
    double high = best_ * 2;
    double left = high - kShare * (high - low);
    double right = low + kShare * (high - low);
    double at_left = log_delta(left);
    double at_right = log_delta(right);
    for (int i = 0; i < kSections; ++i) {
      if (at_left <= at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - kShare * (high - low);
        at_left = log_delta(left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + kShare * (high - low);
        at_right = log_delta(right);
      }
    }
  }

  const std::function<double(double)>& curve_;
  double epsilon_;
  double best_ = 1;
  double least_ = kNoProtection;
};

}  // namespace

double pure_renyi(Epsilon epsilon_type, RenyiOrder alpha_type) {
  constexpr double kMostEpsilon = 700;   // e^-epsilon is no more than a rounding of epsilon
  constexpr double kMostOrder = 0x1p53;  // alpha - 1 is exact
  constexpr double kMostExponent = 600;  // e^t is a double, and e^-2t is none
  const double epsilon = epsilon_type.value();
  const double alpha = alpha_type.value();
  if (epsilon == 0 || epsilon > kMostEpsilon || alpha > kMostOrder) return epsilon;
  const double rest = alpha - 1;
  const double t = mul_up(rest, epsilon);
  const double odds_down = exp_down(-epsilon);
  if (t > kMostExponent) {
    // ln((1 + e^-(2t + epsilon)) / (1 + e^-epsilon)) is added to t.
    const double less = sub_down(ln1p_down(odds_down), std::numeric_limits<double>::denorm_min());
    return sub_up(epsilon, div_down(less, rest));
  }
  const double gap = -expm1_down(-add_up(t, epsilon));
  const double x = div_up(mul_up(expm1_up(t), gap), add_down(1.0, odds_down));
  return std::min(div_up(ln1p_up(x), rest), epsilon);
}

double concentrated_renyi(Rho rho_type, RenyiOrder alpha_type) {
  const double rho = rho_type.value();
  const double alpha = alpha_type.value();
  if (rho == 0) return 0;
  constexpr double kLargest = std::numeric_limits<double>::max();
  return alpha * rho < kLargest ? mul_up(alpha, rho) : kNoProtection;
}

double order_delta(RenyiOrder alpha_type, double loss, Epsilon epsilon_type) {
  // exp of this is far above any alpha - 1 that a search meets with a non-trivial answer.
  constexpr double kHopeless = 700;
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double alpha = alpha_type.value();
  const double epsilon = epsilon_type.value();
  if (epsilon == kNoProtection) return 0;
  if (loss == kNoProtection) return 1;
  const double excess = sub_up(loss, epsilon);
  // The product is rounded up: its first factor must be, or down if the second is negative.
  const double factor = excess < 0 ? sub_down(alpha, 1.0) : sub_up(alpha, 1.0);
  const double product = factor * excess;
  if (product > kHopeless) return 1;
  const double first = std::isfinite(product) ? mul_up(factor, excess) : -kLargest;
  const double second = mul_up(alpha, ln1p_up(-div_down(1.0, alpha)));
  const double exponent = add_up(first, second);
  return std::min(div_up(exp_up(exponent), sub_down(alpha, 1.0)), 1.0);
}

double renyi_delta(const std::function<double(double)>& curve, Epsilon epsilon) {
  if (epsilon.value() == kNoProtection || curve(2) == 0) return 0;
  const double alpha = OrderSearch(curve, epsilon.value()).best() + 1;
  return order_delta(RenyiOrder(alpha), curve(alpha), epsilon);
}

}  // namespace dp

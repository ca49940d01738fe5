#include "core/measurements/selection_loss.h"

#include <algorithm>

#include "core/measurements/noise_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/measures/profile_loss_law.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr int kMostEta = 600;  // beyond, a loss is as good as no protection

// Rounded up.
double bounded_range_delta(double eta, double epsilon) {
  if (epsilon >= eta) return 0;
  const double miss = sub_up(1.0, exp_down(mul_down(0.5, sub_down(epsilon, eta))));
  return std::min(div_up(mul_up(miss, miss), -expm1_up(-eta)), 1.0);
}

}  // namespace

LossPair permute_and_flip_pair(const Rational& eta) {
  if (eta == 0) return finite_loss_pair({{1, 1}});
  const Rational steps = power_of_two(40);
  return laplace_shift_loss(steps / eta, 1)(steps);
}

LossPair exponential_mechanism_pair(const Rational& eta) {
  if (eta == 0) return finite_loss_pair({{1, 1}});
  if (eta > kMostEta) return total_loss_pair();
  const double range = to_double_up(eta);
  return profile_loss_pair(
      PrivacyProfile([range](double epsilon) { return bounded_range_delta(range, epsilon); }));
}

}  // namespace dp

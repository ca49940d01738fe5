#include "core/measurements/threshold.h"

#include <algorithm>

#include "core/numeric/directed.h"
#include "core/numeric/normal_tail.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr unsigned kSurvivalBits = 512;

// (1 - delta)^n, rounded down. Every product errs by 2^-512 at most.
double survival(double delta, std::uint32_t n) {
  const auto scaled = [](const Rational& x) { return floor(x * (Integer(1) << kSurvivalBits)); };
  Integer power = scaled(exact_rational(sub_down(1.0, delta)));
  Integer result = scaled(1);
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = (result * power) >> kSurvivalBits;
    power = (power * power) >> kSurvivalBits;
  }
  return scaled_to_double_down(result, -static_cast<int>(kSurvivalBits));
}

}  // namespace

double laplace_tail(const Integer& t, const Rational& scale) {
  const double beyond = exp_up(to_double_up(-t / scale));
  const double next = exp_down(to_double_down(-1 / scale));
  return div_up(beyond, add_down(1.0, next));
}

double gaussian_tail(const Integer& t, const Rational& sigma) {
  constexpr double kRootTwoPi = 0x1.40d931ff62705p+1;  // below it
  const Rational at = t / sigma;
  const double weight = exp_up(to_double_up(-at * at / 2));
  const double ratio = exp_up(to_double_up(-(2 * t + 1) / (2 * sigma * sigma)));
  double bound = 1;
  if (ratio < 1) {
    const double total =
        std::max(1.0, mul_down(kRootTwoPi, std::min(to_double_down(sigma), 0x1p1000)));
    bound = std::min(bound, div_up(div_up(weight, sub_down(1.0, ratio)), total));
  }
  const double x = to_double_down(at);
  const double density = normal_density_up(x);
  const double first = std::min(1.0, to_double_up(exact_rational(density) / sigma));
  return std::min(bound, add_up(first, normal_tail_up(x)));
}

double any_of(double delta, std::uint32_t n) {
  if (delta >= 1) return n == 0 ? 0 : 1;
  return std::min(1.0, sub_up(1.0, survival(delta, n)));
}

}  // namespace dp

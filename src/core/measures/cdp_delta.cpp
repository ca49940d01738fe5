#include "core/measures/cdp_delta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/measures/renyi.h"
#include "core/numeric/approx.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Where the exponent minus ln(alpha - 1) is least: its derivative in alpha changes sign there.
// The optimum lies below (epsilon + 1) / (2 rho) + 2.
double best_alpha(double rho, double epsilon) {
  double low = 1.01;
  double high = std::min((epsilon + 1) / (2 * rho) + 2, kLargest);
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) return high;
    const double slope = (2 * middle - 1) * rho - epsilon + ln1p_near(-1 / middle);
    (slope < 0 ? low : high) = middle;
  }
}

}  // namespace

double cdp_delta(Rho rho_type, Epsilon epsilon_type) {
  const double rho = rho_type.value();
  const double epsilon = epsilon_type.value();
  if (rho == 0 || epsilon == kUnbounded) return 0;
  if (rho == kUnbounded) return 1;

  const double alpha = best_alpha(rho, epsilon);
  if (alpha * rho == kUnbounded) return 1;
  return order_delta(RenyiOrder(alpha), mul_up(alpha, rho), epsilon_type);
}

double closed_form_cdp_epsilon(Rho rho_type, Delta delta) {
  const double rho = rho_type.value();
  if (rho == 0) return 0;
  if (rho == kUnbounded || delta.value() == 0) return kUnbounded;
  const double spread = sqrt_up(mul_up(rho, -ln_down(delta.value())));
  return add_up(rho, mul_up(2.0, spread));
}

}  // namespace dp

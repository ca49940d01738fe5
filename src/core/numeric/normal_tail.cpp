#include "core/numeric/normal_tail.h"

#include <cmath>

#include "core/error.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

// 2.50662827463100050241576528481...: below and above sqrt(2 pi).
constexpr double kRootTwoPiDown = 0x1.40d931ff62705p+1;
constexpr double kRootTwoPiUp = 0x1.40d931ff62706p+1;

void check(double x) {
  if (!(x >= 0) || std::isinf(x)) {
    throw Error(ErrorKind::overflow, "A normal tail begins at a finite number from 0 up.");
  }
}

// P[N >= x] = 1/2 - density(x) (x + x^3/3 + x^5/(3 5) + ...), all terms positive: omitted terms
// only make the bound larger.
double near_tail(double x) {
  constexpr int kTerms = 60;  // at x <= 2, the last is below 1e-30
  double term = x;
  double sum = x;
  for (int n = 1; n < kTerms; ++n) {
    term = div_down(mul_down(mul_down(term, x), x), 2.0 * n + 1);
    sum = add_down(sum, term);
  }
  const double density = div_down(exp_down(-div_up(mul_up(x, x), 2.0)), kRootTwoPiUp);
  return sub_up(0.5, mul_down(density, sum));
}

// P[N >= x] = density(x) / (x + 1/(x + 2/(x + 3/(x + ...)))), whose denominators from every depth
// on are at least x. From the inside out, an upper bound of one is a lower bound of the one around
// it.
double far_tail(double x) {
  constexpr int kDepth = 100;  // even; at x >= 2 the rest matters by less than 1e-15
  double lower = x;
  for (int n = kDepth; n > 0; n -= 2) {
    const double upper = add_up(x, div_up(static_cast<double>(n), lower));
    lower = add_down(x, div_down(n - 1.0, upper));
  }
  return div_up(normal_density_up(x), lower);
}

}  // namespace

double normal_density_up(double x) {
  check(x);
  const double half_square = x < 0x1p500 ? div_down(mul_down(x, x), 2.0) : 0x1p999;
  return div_up(exp_up(-half_square), kRootTwoPiDown);
}

double normal_tail_up(double x) {
  check(x);
  if (x > 0x1p20) return normal_density_up(x);  // 2^-1074
  return x < 2 ? near_tail(x) : far_tail(x);
}

}  // namespace dp

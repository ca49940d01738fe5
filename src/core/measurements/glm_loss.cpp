#include "core/measurements/glm_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/error.h"

namespace dp {
namespace {

double power_of_two_double(std::int64_t k) {
  const std::uint64_t word = static_cast<std::uint64_t>(k + 1023) << 52;
  double power;
  std::memcpy(&power, &word, sizeof power);
  return power;
}

// 1 / i!, correctly rounded: 13! is a double.
constexpr int kDegree = 13;
constexpr std::array<double, kDegree + 1> kInverseFactorials = [] {
  std::array<double, kDegree + 1> inverse{};
  double factorial = 1;
  for (int i = 0; i <= kDegree; ++i) {
    if (i > 1) factorial *= i;
    inverse[static_cast<std::size_t>(i)] = 1 / factorial;
  }
  return inverse;
}();

// Sums every second term of Taylor's polynomial, starting from degree `last` downwards.
double every_second_term(double square, std::size_t last) {
  double sum = kInverseFactorials[last];
  for (std::size_t i = last; i > 1; i -= 2) sum = kInverseFactorials[i - 2] + sum * square;
  return sum;
}

double logistic(double t) {
  const double e = exp_of_nonpositive(-std::fabs(t));
  const double tail = e / (1 + e);
  return t >= 0 ? 1 - tail : tail;
}

double logit_slope(double t, double y) { return logistic(t) - y; }

double logit_curvature(double t, double) {
  const double p = logistic(t);
  return p * (1 - p);
}

double poisson_slope(double t, double y) { return exp_of_nonpositive(std::min(t, 0.0)) - y; }

double poisson_curvature(double t, double) {
  return t < 0 ? exp_of_nonpositive(std::max(t, -64.0)) : 0.0;
}

constexpr double kOlsBend = 2;

double ols_slope(double t, double y) { return std::clamp(t - y, -kOlsBend, kOlsBend); }

double ols_curvature(double t, double y) { return std::fabs(t - y) <= kOlsBend ? 1.0 : 0.0; }

constexpr double kProbitBend = -3;
constexpr double kProbitFlat = 8;  // beyond, the ratio below is under 2^-47

// The inverse Mills' ratio phi(t) / Phi(t), which falls from 3.2831 at -3 to 0. With s = |t|,
// Phi(s) = 1 / 2 + phi(s) (s + s^3 / 3 + s^5 / (3 * 5) + ...), all terms positive. At s = 8 the
// first 140 terms leave less than 2^-60. Horner's rule rounds each of them. But only some ten
// matter in the lower tail, where the difference to 1 magnifies errors 750 times.
//
// If s is small, few terms matter. A step of Horner's rule increases with its input sum, even after
// rounding, and from 2 k + 1 >= 2 s^2 on sums are between 1 and 2. So if steps from 1 and from 2
// reach the same value, steps from the 140th term reach it as well.
constexpr int kTerms = 140;

double horner_step(double sum, double square, int k) { return 1 + sum * square / (2 * k + 1); }

double odd_series(double square) {
  const int first = 12 + static_cast<int>(std::min(1.0 * kTerms, 3 * square));
  double sum = 1;
  if (first < kTerms) {
    double above = 2;
    for (int k = first; k > 0; --k) {
      sum = horner_step(sum, square, k);
      above = horner_step(above, square, k);
    }
    if (sum == above) return sum;
    sum = 1;
  }
  for (int k = kTerms; k > 0; --k) sum = horner_step(sum, square, k);
  return sum;
}

struct NormalLaw {
  double density;  // phi(t)
  double below;    // Phi(t)
};

NormalLaw normal_law(double t) {
  constexpr double kDensityAtZero = 0.3989422804014327;
  const double s = std::fabs(t);
  const double sum = odd_series(s * s);
  const double density = kDensityAtZero * exp_of_nonpositive(-0.5 * s * s);
  const double half = density * s * sum;
  return {density, t >= 0 ? 0.5 + half : 0.5 - half};
}

double inverse_mills(double t) {
  const NormalLaw law = normal_law(t);
  return law.density / law.below;
}

double bent_mills(double t) { return inverse_mills(std::clamp(t, kProbitBend, kProbitFlat)); }

double probit_slope(double t, double y) { return (1 - y) * bent_mills(-t) - y * bent_mills(t); }

double mills_curvature(double t) {
  if (t < kProbitBend || t > kProbitFlat) return 0;
  const double ratio = inverse_mills(t);
  return ratio * (t + ratio);
}

double probit_curvature(double t, double y) {
  return y * mills_curvature(t) + (1 - y) * mills_curvature(-t);
}

// phi^2 / (Phi (1 - Phi)) between the bends, with its maximum at 0.
double probit_information(double t, double) {
  return probit_curvature(t, normal_law(std::clamp(t, -kProbitFlat, kProbitFlat)).below);
}

constexpr double kTwoOverPi = 0.6366197723675814;

}  // namespace

double exp_of_nonpositive(double x) {
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  constexpr double kInverseLog2 = 0x1.71547652b82fep+0;
  x = std::max(x, -64.0);
  const double k = std::floor(x * kInverseLog2 + 0.5);
  const double r = (x - k * kLog2High) - k * kLog2Low;
  // Two independent sums, which a processor can compute in parallel.
  const double even = every_second_term(r * r, kDegree - 1);
  const double odd = every_second_term(r * r, kDegree);
  return (even + r * odd) * power_of_two_double(static_cast<std::int64_t>(k));
}

// Slope bounds are attained or approached, for probit at its bend. The curvature of logit is p (1 -
// p), of probit below 1 (Sampford 1953), of poisson e^t with t <= 0.
const GlmLoss& glm_loss(GlmFamily family) {
  static const GlmLoss kLogit{
      1, 0.25, 0x1p-48, logit_slope, logit_curvature, 0.25, logit_curvature};
  static const GlmLoss kProbit{
      3.2832, 1, 0x1p-36, probit_slope, probit_curvature, kTwoOverPi, probit_information};
  static const GlmLoss kPoisson{
      1, 1, 0x1p-48, poisson_slope, poisson_curvature, 1, poisson_curvature};
  static const GlmLoss kOls{kOlsBend, 1, 0x1p-48, ols_slope, ols_curvature, 1, ols_curvature};
  switch (family) {
    case GlmFamily::logit:
      return kLogit;
    case GlmFamily::probit:
      return kProbit;
    case GlmFamily::poisson:
      return kPoisson;
    case GlmFamily::ols:
      return kOls;
  }
  throw Error(ErrorKind::make_measurement, "`objective` is unknown.");
}

GlmFamily parse_glm_family(const std::string& name) {
  if (name == "logit") return GlmFamily::logit;
  if (name == "probit") return GlmFamily::probit;
  if (name == "poisson") return GlmFamily::poisson;
  if (name == "ols") return GlmFamily::ols;
  throw Error(ErrorKind::make_measurement,
              "`objective` must be one of logit, probit, poisson and ols.");
}

}  // namespace dp

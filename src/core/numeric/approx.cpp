#include "core/numeric/approx.h"

#include <array>
#include <cmath>

#include "core/error.h"

namespace dp {
namespace {

// ln 2 in two parts; the first has 32 bits, so its product with an integer of 11 bits is exact.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;

// 1 / 0!, 1 / 1!, ..., 1 / 19!, each to nearest.
constexpr std::array<double, 20> inverse_factorials() {
  std::array<double, 20> inverse{};
  double factorial = 1;  // exact up to 18!, within u for 19!
  for (unsigned n = 0; n < inverse.size(); ++n) {
    if (n > 0) factorial *= n;
    inverse[n] = 1 / factorial;
  }
  return inverse;
}
constexpr std::array<double, 20> kInverse = inverse_factorials();

// sum x^n / (n + 1)! for |x| <= 0.35 up to n = 14, the rest below 2^-60. From the inside out every
// step hands on a third of its error of 3 u at most, so what stays is below 3 u.
double exp_ratio(double x) {
  double sum = kInverse[15];
  for (unsigned n = 15; n > 0; --n) sum = kInverse[n] + x * sum;
  return sum;
}

// Taylor series for |x| <= pi / 4 + 2^-50, the rest below 2^-60: errors as above, below 3 u.
double sine(double x) {
  const double square = x * x;
  double sum = kInverse[19];
  for (unsigned n = 19; n > 1; n -= 2) sum = kInverse[n - 2] - square * sum;
  return x * sum;
}
double cosine(double x) {
  const double square = x * x;
  double sum = kInverse[18];
  for (unsigned n = 18; n > 0; n -= 2) sum = kInverse[n - 2] - square * sum;
  return sum;
}

// 2 artanh(s) = 2 (s + s^3 / 3 + ...) for |s| <= 0.18 up to s^23, the rest below 2^-60 of it. The
// sum in brackets is near 1 and within 2 u, the whole within 4 u and what s is off by.
double artanh_twice(double s) {
  const double square = s * s;
  double sum = 1.0 / 23;
  for (int n = 21; n > 0; n -= 2) sum = 1.0 / n + square * sum;
  return 2 * s * sum;
}

}  // namespace

// x = k ln 2 + r. k * kLn2High is exact and so is its difference from x, which is within a factor
// of two of it; what kLn2Low leaves out is below 2^-75, so r is within 2 u of the real one. Then
// exp(r) = 1 + r * exp_ratio(r) adds below 5 u, and the power of two nothing.
double exp_approx(double x) {
  if (!(x <= 700)) throw Error(ErrorKind::overflow, "An exponential overflows.");
  if (x < -700) x = -700;
  const double k = std::nearbyint(x * kInverseLn2);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  return std::ldexp(1 + r * exp_ratio(r), static_cast<int>(k));
}

// For small x the series itself, all factors of it near 1; else 1 - exp(-x) is above 0.29, and the
// error of the exponential, below 8 u * 0.71, becomes at most 20 u of it.
double exp_gap_near(double x) { return x < 0.35 ? x * exp_ratio(-x) : 1 - exp_approx(-x); }

// With s = x / (2 + x), which is within 2 u, ln(1 + x) = 2 artanh(s), as long as s is small. Else
// 1 + x = 2^k f and f = (1 + s) / (1 - s): the sum 1 + x is off by u, which is below 3 u of a
// logarithm of magnitude 0.34 or more, f - 1 is exact, and so is k times the first part of ln 2.
double ln1p_near(double x) {
  if (!(x > -1 && std::isfinite(x))) {
    throw Error(ErrorKind::overflow, "A logarithm is not finite.");
  }
  if (std::fabs(x) < 0x1p-54) return x;  // half of it might be no double
  if (x > -0.29 && x < 0.41) return artanh_twice(x / (2 + x));
  int k = 0;
  double f = std::frexp(1 + x, &k);
  if (f < 0.70710678) {
    f *= 2;
    --k;
  }
  return k * kLn2High + (k * kLn2Low + artanh_twice((f - 1) / (f + 1)));
}

// x = 2^k f, all of it exact, and so is f - 1: s is within 2 u, and the second summand within 6 u.
// The first is exact; it is 0, or the sum is half of it at least.
double ln_near(double x) {
  if (!(x > 0 && std::isfinite(x))) {
    throw Error(ErrorKind::overflow, "A logarithm is not finite.");
  }
  int k = 0;
  double f = std::frexp(x, &k);
  if (f < 0.70710678) {
    f *= 2;
    --k;
  }
  return k * kLn2High + (k * kLn2Low + artanh_twice((f - 1) / (f + 1)));
}

// Turned into the first eighth of the circle, where the angle has an error of 2 u of pi / 4, the
// functions of 3 u each; together below 7 u.
std::complex<double> root_of_unity_near(std::size_t k, std::size_t n) {
  constexpr double kPi = 0x1.921fb54442d18p+1;
  const std::size_t eighths = k * 8 / n;
  // Distance from the nearest axis, in eighths of the circle: exact, as n is a power of two.
  const double within = static_cast<double>(k * 8 % n) / static_cast<double>(n);
  const bool rising = eighths % 2 == 0;
  const double angle = (rising ? within : 1 - within) * (kPi / 4);
  const double along = cosine(angle);
  const double across = sine(angle);
  const double x = rising ? along : across;
  const double y = rising ? across : along;
  switch (eighths / 2) {
    case 0:
      return {x, y};
    case 1:
      return {-y, x};
    case 2:
      return {-x, -y};
    default:
      return {y, -x};
  }
}

}  // namespace dp

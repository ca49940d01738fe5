// Logarithms and exponentials of directed.h: an enclosure of the exact result, rounded outward.
//
// At 256 bits an enclosure is narrower than 2^-223 of its value. No result of these functions on a
// double is known, or to be expected, so close to a double without being one, except where the
// function is next to a tangent or an asymptote (exp near 0 and -inf, ln1p near 0): there the
// inequality that separates the two decides. So the results are correctly rounded, and sound in
// any case.
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/enclosure.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

constexpr unsigned kBits = 256;

// exp(x) is above the largest double from here on, and below the least positive double before.
constexpr double kExpOverflows = 710;
constexpr double kExpUnderflows = -746;

[[noreturn]] void not_finite(const std::string& function) {
  throw Error(ErrorKind::overflow,
              "(x)." + function + "() is not finite. Consider tightening your parameters.");
}

// Whether a result of this enclosure is past the largest double also when rounded to nearest. No
// exponential is so close to the halfway point that its enclosure contains it.
bool rounds_to_infinity(const Enclosure& e) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return e.lower > Real(kLargest) + ldexp(Real(1), 1023 - 53);
}

Enclosure enclose_ln(double x, const char* function) {
  if (!(x > 0) || std::isinf(x)) not_finite(function);
  return log(exact_rational(x), kBits);
}

Enclosure enclose_ln1p(double x, const char* function) {
  if (!(x > -1) || std::isinf(x)) not_finite(function);
  return log(1 + exact_rational(x), kBits);
}

}  // namespace

template <class T>
T log2_up(T x) {
  if (!(x > 0) || std::isinf(x)) not_finite("inf_log2");
  int exponent;
  if (std::frexp(x, &exponent) == T{0.5}) return static_cast<T>(exponent - 1);
  static const Enclosure kPerNaturalUnit = enclose(1) / log(Rational(2), kBits);
  return cast_up<T>(upper_double(log(exact_rational(x), kBits) * kPerNaturalUnit));
}
template float log2_up(float);
template double log2_up(double);

double ln_up(double x) { return upper_double(enclose_ln(x, "inf_ln")); }
double ln_down(double x) { return lower_double(enclose_ln(x, "neg_inf_ln")); }

// ln(1 + x) <= x.
double ln1p_up(double x) { return std::fmin(upper_double(enclose_ln1p(x, "inf_ln1p")), x); }
double ln1p_down(double x) { return lower_double(enclose_ln1p(x, "neg_inf_ln1p")); }

// exp(x) is on the same side of 1 as x is of 0.
double exp_up(double x) {
  if (!(x < kExpOverflows)) not_finite("inf_exp");
  if (x < kExpUnderflows) return std::numeric_limits<double>::denorm_min();
  const double result = upper_double(exp(exact_rational(x), kBits));
  if (std::isinf(result)) not_finite("inf_exp");
  return x < 0 ? std::fmin(result, 1) : result;
}

double exp_down(double x) {
  if (!(x < kExpOverflows)) not_finite("neg_inf_exp");
  if (x < kExpUnderflows) return 0;
  const Enclosure exact = exp(exact_rational(x), kBits);
  if (rounds_to_infinity(exact)) not_finite("neg_inf_exp");
  return x > 0 ? std::fmax(lower_double(exact), 1) : lower_double(exact);
}

// exp(x) - 1 is at least x, and above -1.
double expm1_up(double x) {
  if (!(x < kExpOverflows)) not_finite("inf_expm1");
  if (x < kExpUnderflows) return std::isinf(x) ? -1 : std::nextafter(-1.0, 0.0);
  const double result = upper_double(expm1(exact_rational(x), kBits));
  if (std::isinf(result)) not_finite("inf_expm1");
  return result;
}

double expm1_down(double x) {
  if (!(x < kExpOverflows)) not_finite("neg_inf_expm1");
  if (x < kExpUnderflows) return -1;
  const Enclosure exact = expm1(exact_rational(x), kBits);
  if (rounds_to_infinity(exact)) not_finite("neg_inf_expm1");
  return std::fmax(lower_double(exact), std::fmax(x, -1));
}

}  // namespace dp

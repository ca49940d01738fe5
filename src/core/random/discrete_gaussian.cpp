#include "core/random/discrete_gaussian.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/gaussian_ziggurat.h"
#include "core/random/lazy_uniform.h"
#include "core/random/leading_bits.h"

namespace dp {
namespace {

Integer numerator_of(const Rational& sigma) {
  Integer a = numerator(sigma);
  if (a < 0) throw Error(ErrorKind::failed_function, "`sigma` must not be negative.");
  return a;
}

// floor(a / b).
Integer whole_part(const Integer& a, const Integer& b) {
  if (!fits_word(a) || !fits_word(b)) return a / b;
  return static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(b);
}

// 2^exponent, or the power next to it within 2^-1000 and 2^1000.
double power_of_two_near(std::int64_t exponent) {
  const std::int64_t biased = std::clamp<std::int64_t>(exponent, -1000, 1000) + 1023;
  const auto pattern = static_cast<std::uint64_t>(biased) << 52;
  double power;
  std::memcpy(&power, &pattern, sizeof(power));
  return power;
}

// The chance to keep y is exp(-numerator / denominator).
struct Penalty {
  Integer numerator;
  Integer denominator;
};

// (|y| - sigma^2 / t)^2 / (2 sigma^2), sigma = a / b, over a common denominator.
Penalty penalty(const Integer& y, const Integer& a, const Integer& b, const Integer& t) {
  const Integer gap = abs(y) * b * b * t - a * a;
  const Integer spread = a * b * t;
  return {gap * gap, 2 * spread * spread};
}

}  // namespace

Integer discrete_gaussian(const Rational& sigma, BitSource& bits) {
  const Integer a = numerator_of(sigma);
  if (a == 0) return 0;
  const Integer b = denominator(sigma);
  const Integer t = a / b + 1;
  for (;;) {
    const Integer y = discrete_laplace(t, bits);
    const Penalty x = penalty(y, a, b, t);
    if (bernoulli_exp(x.numerator, x.denominator, bits)) return y;
  }
}

DiscreteGaussian::DiscreteGaussian(const Rational& sigma)
    : a_(numerator_of(sigma)),
      b_(denominator(sigma)),
      t_(whole_part(a_, b_) + 1),
      proposal_(t_, 1) {
  if (a_ == 0) return;
  const LeadingBits leading = leading_bits(a_, b_);
  inverse_ = 0x1p64 / static_cast<double>(leading.mantissa);
  inverse_exponent_ = -leading.exponent;
  unit_ = inverse_ * power_of_two_near(inverse_exponent_);
  // From 2^64 on sigma / t is within 2^-63 of 1.
  shift_ = fits_word(t_) ? static_cast<double>(leading.mantissa) /
                               static_cast<double>(static_cast<std::uint64_t>(t_)) *
                               power_of_two_near(leading.exponent - 64)
                         : 1.0;
}

// |y| / sigma for |y| = digits * 2^exponent to a relative 2^-49, or kFar if it is beyond.
double DiscreteGaussian::standardize(std::uint64_t digits, std::int64_t exponent) const {
  return std::min(
      static_cast<double>(digits) * (inverse_ * power_of_two_near(exponent + inverse_exponent_)),
      kFar);
}

Integer DiscreteGaussian::draw(BitSource& bits) const {
  if (a_ == 0) return 0;
  for (;;) {
    Integer y = proposal_.draw(bits);
    if (fits_word(y)) {
      if (keeps(standardize(static_cast<std::uint64_t>(*y.backend().limbs())), y, bits)) return y;
      continue;
    }
    const Integer size = abs(y);
    const unsigned drop = msb(size) - 63;
    const auto digits = static_cast<std::uint64_t>(Integer(size >> drop));
    if (keeps(standardize(digits, drop), y, bits)) return y;
  }
}

std::int64_t DiscreteGaussian::draw_int64(BitSource& bits) const {
  if (a_ == 0) return 0;
  for (;;) {
    const std::int64_t y = proposal_.draw_int64(bits);
    if (keeps(standardize(static_cast<std::uint64_t>(y < 0 ? -y : y)), y, bits)) return y;
  }
}

template <class I>
bool DiscreteGaussian::keeps(double x, const I& y, BitSource& bits) const {
  const std::uint64_t word = bits.word();
  const std::optional<bool> verdict = compare(x, word);
  return verdict ? *verdict : decide(y, word, bits);
}

// Whether U < exp(-(x - shift)^2 / 2), if the first 64 bits of U tell. The penalty is off by less
// than (1 + x^2) 2^-47 in any rounding mode, fused or not.
std::optional<bool> DiscreteGaussian::compare(double x, std::uint64_t word) const {
  if (word == 0) return std::nullopt;
  const FixedInterval log = neg_log(word, 0);
  const double gap = x - shift_;
  const double bar = gap * gap * 0.5;
  const double slack = (x * x + 1.0) * 0x1p-38;
  if (static_cast<double>(log.lower) * 0x1p-57 > bar + slack) return true;
  if (static_cast<double>(log.upper) * 0x1p-57 < bar - slack) return false;
  return std::nullopt;
}

bool DiscreteGaussian::decide(const Integer& y, std::uint64_t word, BitSource& bits) const {
  LazyUniform u(word, 64, bits);
  const Penalty x = penalty(y, a_, b_, t_);
  return is_below_exp(u, x.numerator, x.denominator);
}

void DiscreteGaussian::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  if (size >= GaussianZiggurat::kWorthwhile && a_ != 0 && fits_int64()) {
    GaussianZiggurat(a_, b_).fill(out, size, bits);
  } else {
    std::generate_n(out, size, [&] { return draw_int64(bits); });
  }
}

}  // namespace dp

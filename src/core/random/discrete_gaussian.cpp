#include "core/random/discrete_gaussian.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/lanes.h"
#include "core/random/laplace_blocks.h"
#include "core/random/lazy_uniform.h"
#include "core/random/leading_bits.h"

namespace dp {
namespace {

Integer numerator_of(const Rational& sigma) {
  Integer a = numerator(sigma);
  if (a < 0) throw Error(ErrorKind::failed_function, "`sigma` must not be negative.");
  return a;
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
    : a_(numerator_of(sigma)), b_(denominator(sigma)), t_(a_ / b_ + 1), proposal_(t_, 1) {
  if (a_ == 0) return;
  const LeadingBits leading = leading_bits(a_, b_);
  inverse_ = 0x1p64 / static_cast<double>(leading.mantissa);
  inverse_exponent_ = -leading.exponent;
  const LeadingBits ratio = leading_bits(a_, b_ * t_);
  const auto exponent = std::max<std::int64_t>(ratio.exponent - 64, -2000);  // then it is 0
  shift_ = std::ldexp(static_cast<double>(ratio.mantissa), static_cast<int>(exponent));
}

// |y| / sigma for |y| = digits * 2^exponent to a relative 2^-49, or kFar if it is beyond: there the
// penalty exceeds 2^38, more than -ln U can be while 64 bits of U are not all zero.
double DiscreteGaussian::standardize(std::uint64_t digits, std::int64_t exponent) const {
  constexpr double kFar = 0x1p20;
  const auto scale = std::clamp<std::int64_t>(exponent + inverse_exponent_, -1000, 900);
  const double x = std::ldexp(static_cast<double>(digits) * inverse_, static_cast<int>(scale));
  return std::min(x, kFar);
}

Integer DiscreteGaussian::draw(BitSource& bits) const {
  if (a_ == 0) return 0;
  for (;;) {
    Integer y = proposal_.draw(bits);
    const Integer size = abs(y);
    const unsigned length = size == 0 ? 0 : msb(size) + 1;
    const unsigned drop = length > 64 ? length - 64 : 0;
    const Integer digits = size >> drop;
    if (keeps(standardize(static_cast<std::uint64_t>(digits), drop), y, bits)) return y;
  }
}

std::int64_t DiscreteGaussian::draw_int64(BitSource& bits) const {
  if (a_ == 0) return 0;
  for (;;) {
    const std::int64_t y = proposal_.draw_int64(bits);
    const auto size = static_cast<std::uint64_t>(y < 0 ? -y : y);
    if (keeps(standardize(size, 0), y, bits)) return y;
  }
}

bool DiscreteGaussian::keeps(double x, const Integer& y, BitSource& bits) const {
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
  if (size >= LaplaceBlocks::kWorthwhile && a_ != 0 && fits_int64()) {
    fill_blocks(out, size, bits);
  } else {
    std::generate_n(out, size, [&] { return draw_int64(bits); });
  }
}

void DiscreteGaussian::fill_blocks(std::int64_t* out, std::size_t size, BitSource& bits) const {
  struct Block {
    std::int64_t proposals[kLaneBlock] = {};
    std::uint64_t words[kLaneBlock] = {};
    std::int64_t verdicts[kLaneBlock] = {};
    ~Block() { erase(this, sizeof(Block)); }
  } block;
  const LaplaceBlocks proposals(proposal_);
  const bool in_lanes = inverse_exponent_ < 60;
  const GaussianLanes lanes{in_lanes ? standardize(1, 0) : 0.0, shift_};
  std::int64_t* const end = out + size;
  while (out < end) {
    const auto missing = static_cast<std::size_t>(end - out);
    const std::size_t part = std::min(kLaneBlock, missing + missing / 2 + 8);
    proposals.fill(block.proposals, part, bits);
    bits.words(block.words, part);
    if (in_lanes) {
      gaussian_lanes(lanes, block.proposals, block.words, block.verdicts, part);
    } else {
      std::fill_n(block.verdicts, part, kUndecided);
    }
    for (std::size_t i = 0; i < part && out < end; ++i) {
      const std::int64_t y = block.proposals[i];
      std::int64_t kept = block.verdicts[i];
      if (kept == kUndecided) {
        const double x = standardize(static_cast<std::uint64_t>(y < 0 ? -y : y), 0);
        const std::optional<bool> verdict = compare(x, block.words[i]);
        kept = verdict ? *verdict : decide(y, block.words[i], bits);
      }
      *out = y;
      out += kept;
    }
  }
}

}  // namespace dp

#include "core/random/inversion.h"

#include <cmath>
#include <utility>

#include "core/random/exp_enclosure.h"
#include "core/random/leading_bits.h"

namespace dp {
namespace {

// c = -ln((1 + p) / 2), where (1 + p) / 2 * 2^64 lies in [w, w + 4] because p is known to 3 units.
FixedInterval fold_offset(const Integer& a, const Integer& b) {
  const ExpEnclosure p = exp_minus(b, a, 64);
  const Integer w = ((Integer(1) << 64) + p.lower) >> 1;
  return neg_log(static_cast<std::uint64_t>(w), 2);
}

}  // namespace

Inversion::Inversion(Integer a, Integer b, Law law, unsigned halvings)
    : a_(std::move(a)), b_(std::move(b)), law_(law), halvings_(halvings), offset_{0, 0} {
  if (law == Law::folded) offset_ = fold_offset(a_, b_ << halvings);
  const LeadingBits s = leading_bits(a_, b_);
  mantissa_ = s.mantissa;
  surplus_ = s.exact ? 0 : 1;
  shift_ = static_cast<std::uint64_t>(64 + 57 - s.exponent + halvings);
}

std::uint64_t Inversion::magnitude(std::uint64_t word, BitSource& bits) const {
  word &= ~std::uint64_t{1};
  if (word == 0) return decide(word, 0, bits);
  const FixedInterval log = neg_log(word, 1);
  const std::uint64_t least = log.lower + offset_.lower;
  const std::uint64_t most = log.upper + offset_.upper;
  if (shift_ >= 128) return certified_slack == 0 ? 0 : decide(word, 0, bits);
  const uint128_t low = static_cast<uint128_t>(mantissa_) * least;
  const uint128_t high = static_cast<uint128_t>(mantissa_) * most + surplus_ * most;
  const auto from = static_cast<std::uint64_t>(low >> shift_);
  return from == static_cast<std::uint64_t>(high >> shift_) ? from : decide(word, from, bits);
}

double Inversion::approximate_scale() const {
  return shift_ > 1000 ? 0.0
                       : std::ldexp(static_cast<double>(mantissa_), 57 - static_cast<int>(shift_));
}

// The largest k that U reaches, given that it reaches `at_least`: gallop, then bisect.
std::uint64_t Inversion::decide(std::uint64_t word, std::uint64_t at_least, BitSource& bits) const {
  LazyUniform u(word >> 1, 63, bits);
  std::uint64_t reached = at_least;
  std::uint64_t step = 1;
  while (reaches(reached + step, u)) {
    reached += step;
    step *= 2;
  }
  std::uint64_t missed = reached + step;
  while (missed - reached > 1) {
    const std::uint64_t middle = reached + (missed - reached) / 2;
    if (reaches(middle, u)) {
      reached = middle;
    } else {
      missed = middle;
    }
  }
  return reached;
}

bool Inversion::reaches(const Integer& k, LazyUniform& u) const {
  const Integer b = b_ << halvings_;
  return law_ == Law::folded ? is_below_folded_exp(u, b, a_, k) : is_below_exp(u, b * k, a_);
}

}  // namespace dp

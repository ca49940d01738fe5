#include "core/random/discrete_laplace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/random/geometric.h"
#include "core/random/laplace_blocks.h"
#include "core/random/uniform.h"

namespace dp {
namespace {

constexpr unsigned kQuotientBits = 20;  // the quotient's scale lies in (2^18, 2^20)

[[noreturn]] void refuse_negative() {
  throw Error(ErrorKind::failed_function, "`scale` must not be negative.");
}

}  // namespace

Integer discrete_laplace(const Rational& scale, BitSource& bits) {
  const Integer a = numerator(scale);
  const Integer b = denominator(scale);
  if (a < 0) refuse_negative();
  if (a == 0) return 0;
  for (;;) {
    const bool negative = bits.bit();
    const Integer magnitude = geometric(b, a, bits);
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;  // a second zero would double its mass
  }
}

DiscreteLaplace::DiscreteLaplace(const Rational& scale)
    : DiscreteLaplace(numerator(scale), denominator(scale)) {}

DiscreteLaplace::DiscreteLaplace(Integer a, Integer b) {
  if (a < 0) refuse_negative();
  if (a == 0) {
    fits_int64_ = true;
    return;
  }
  // a / b lies in (2^(length - 2), 2^length).
  const auto length = static_cast<std::int64_t>(msb(a)) - static_cast<std::int64_t>(msb(b)) + 1;
  fits_int64_ = length <= 55 || (length == 56 && a <= b << 55);
  if (length > kQuotientBits) remainder_bits_ = static_cast<unsigned>(length - kQuotientBits);
  quotient_.emplace(std::move(a), std::move(b), Inversion::Law::geometric, remainder_bits_);
}

Integer DiscreteLaplace::draw(BitSource& bits) const {
  if (!quotient_) return 0;
  for (;;) {
    const std::uint64_t word = bits.word();
    const std::uint64_t quotient = quotient_->magnitude(word, bits);
    const bool negative = (word & 1) != 0;
    Integer magnitude = quotient;
    if (remainder_bits_ > 0 && remainder_bits_ <= kWordRemainderBits && can_join(quotient)) {
      magnitude = join(quotient, remainder(bits.word(), bits));
    } else if (remainder_bits_ > 0) {
      magnitude = (magnitude << remainder_bits_) | large_remainder(bits);
    }
    if (negative && magnitude == 0) continue;
    if (negative) magnitude.backend().negate();
    return magnitude;
  }
}

std::int64_t DiscreteLaplace::draw_int64(BitSource& bits) const {
  if (!fits_int64_) {
    throw Error(ErrorKind::overflow, "`scale` must be at most 2^55 for 64-bit noise.");
  }
  if (!quotient_) return 0;
  for (;;) {
    const std::uint64_t word = bits.word();
    const std::uint64_t quotient = quotient_->magnitude(word, bits);
    const std::uint64_t rest = remainder_bits_ > 0 ? remainder(bits.word(), bits) : 0;
    const bool negative = (word & 1) != 0;
    const std::int64_t magnitude = join(quotient, rest);
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;
  }
}

void DiscreteLaplace::refuse_draw() {
  throw Error(ErrorKind::overflow, "A noise draw exceeds 64 bits.");
}

// The guard leaves one remainder in 2^18 open, and 1 - x <= exp(-x) <= 1 - x + x^2 / 2 most of
// these for x = r / scale < 2^-18. `gap` is exact, as it has fewer than 47 bits.
std::optional<bool> DiscreteLaplace::keeps_remainder(std::uint64_t r,
                                                     std::uint64_t prefix,
                                                     unsigned known) const {
  if (certified_slack != 0) return std::nullopt;
  const double x = std::ldexp(static_cast<double>(r), -static_cast<int>(remainder_bits_)) /
                   quotient_->approximate_scale();
  const std::uint64_t above = (std::uint64_t{1} << known) - 1 - prefix;  // U <= 1 - above 2^-known
  const auto gap = [&](std::uint64_t steps) {
    return std::ldexp(static_cast<double>(steps), -static_cast<int>(known));
  };
  if (gap(above) > x * (1 + 0x1p-40)) return true;
  if (gap(above + 1) < x * (1 - x) * (1 - 0x1p-40)) return false;
  return std::nullopt;
}

std::uint64_t DiscreteLaplace::decide_remainder(std::uint64_t word, BitSource& bits) const {
  const unsigned known = 64 - remainder_bits_;  // bits of U in the word, after those of r
  for (;; word = bits.word()) {
    const std::uint64_t r = word >> known;
    if (has_open_guard(word << remainder_bits_)) return r;
    const std::uint64_t prefix = word & ((std::uint64_t{1} << known) - 1);
    const auto keeps = keeps_remainder(r, prefix, known);
    if (keeps && *keeps) return r;
    if (keeps) continue;
    LazyUniform u(prefix, known, bits);
    if (is_below_exp(u, r * quotient_->b(), quotient_->a())) return r;
  }
}

Integer DiscreteLaplace::large_remainder(BitSource& bits) const {
  for (;;) {
    Integer r = uniform_bits(remainder_bits_, bits);
    const std::uint64_t word = bits.word();
    if (has_open_guard(word)) return r;
    LazyUniform u(word, 64, bits);
    if (is_below_exp(u, r * quotient_->b(), quotient_->a())) return r;
  }
}

void DiscreteLaplace::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  if (size >= LaplaceBlocks::kWorthwhile && quotient_ && fits_int64_) {
    LaplaceBlocks(*this).fill(out, size, bits);
  } else {
    std::generate_n(out, size, [&] { return draw_int64(bits); });
  }
}

}  // namespace dp

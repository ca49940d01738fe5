#include "core/random/discrete_laplace.h"

#include <algorithm>
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

DiscreteLaplace::DiscreteLaplace(Integer a, Integer b) : a_(std::move(a)), b_(std::move(b)) {
  if (a_ < 0) refuse_negative();
  fits_int64_ = a_ <= b_ << 55;
  if (a_ == 0) return;
  const auto length = static_cast<std::int64_t>(msb(a_)) - static_cast<std::int64_t>(msb(b_)) + 1;
  if (length > kQuotientBits) remainder_bits_ = static_cast<unsigned>(length - kQuotientBits);
  quotient_.emplace(a_, Integer(b_ << remainder_bits_), Inversion::Law::geometric);
}

Integer DiscreteLaplace::draw(BitSource& bits) const {
  if (!quotient_) return 0;
  for (;;) {
    const std::uint64_t word = bits.word();
    Integer magnitude = quotient_->magnitude(word, bits);
    if (remainder_bits_ > 0) magnitude = (magnitude << remainder_bits_) | large_remainder(bits);
    const bool negative = (word & 1) != 0;
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;
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

std::uint64_t DiscreteLaplace::decide_remainder(std::uint64_t word, BitSource& bits) const {
  const unsigned known = 64 - remainder_bits_;  // bits of U in the word, after those of r
  for (;; word = bits.word()) {
    const std::uint64_t r = word >> known;
    if (has_open_guard(word << remainder_bits_)) return r;
    LazyUniform u(word & ((std::uint64_t{1} << known) - 1), known, bits);
    if (is_below_exp(u, r * b_, a_)) return r;
  }
}

Integer DiscreteLaplace::large_remainder(BitSource& bits) const {
  for (;;) {
    Integer r = uniform_bits(remainder_bits_, bits);
    const std::uint64_t word = bits.word();
    if (has_open_guard(word)) return r;
    LazyUniform u(word, 64, bits);
    if (is_below_exp(u, r * b_, a_)) return r;
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

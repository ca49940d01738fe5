#include "core/random/constant_time_bernoulli.h"

#include <cmath>

#include "core/error.h"

namespace dp {
namespace {

constexpr unsigned kWord = 64;

// The highest set bit alone; 0 of 0.
std::uint64_t highest_bit(std::uint64_t x) {
  for (unsigned shift = 1; shift < kWord; shift *= 2) x |= x >> shift;
  return x ^ (x >> 1);
}

// 1 if x is not 0.
std::uint64_t is_set(std::uint64_t x) { return (x | (std::uint64_t{0} - x)) >> (kWord - 1); }

}  // namespace

ConstantTimeBernoulli::ConstantTimeBernoulli(double p) : certain_(p == 1) {
  if (!(p >= 0 && p <= 1)) {
    throw Error(ErrorKind::failed_function, "`p` must be between 0 and 1.");
  }
  if (certain_) return;
  // Multiplying by a power of two and taking off the whole part are exact.
  for (double rest = p; rest > 0;) {
    rest = std::ldexp(rest, kWord);
    const double whole = std::floor(rest);
    digits_.push_back(static_cast<std::uint64_t>(whole));
    rest -= whole;
  }
  if (digits_.empty()) return;
  const auto trailing = static_cast<unsigned>(__builtin_ctzll(digits_.back()));
  cost_ = static_cast<unsigned>(digits_.size()) * kWord - trailing;
}

bool ConstantTimeBernoulli::draw(BitSource& bits) const {
  if (certain_) return true;
  std::uint64_t answer = 0;
  std::uint64_t found = 0;
  unsigned left = cost_;
  for (const std::uint64_t digits : digits_) {
    const unsigned count = left < kWord ? left : kWord;
    const std::uint64_t word = bits.bits(count) << (kWord - count);
    answer |= is_set(highest_bit(word) & digits) & ~found & 1;
    found |= is_set(word);
    left -= count;
  }
  return answer != 0;
}

}  // namespace dp

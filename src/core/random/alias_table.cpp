#include "core/random/alias_table.h"

#include "core/random/lazy_uniform.h"

namespace dp {
namespace {

int leading_zeros(uint128_t x) {
  const auto upper = static_cast<std::uint64_t>(x >> 64);
  return upper != 0 ? __builtin_clzll(upper) : 64 + __builtin_clzll(static_cast<std::uint64_t>(x));
}

}  // namespace

AliasTable::AliasTable(const Weights& weights) : total_(0) {
  for (const uint128_t weight : weights) total_ += weight;

  // Each column holds `total`. One with less is filled up from one that has enough.
  std::array<std::uint8_t, kSize> poor;
  std::array<std::uint8_t, kSize> rich;
  std::size_t poor_count = 0;
  std::size_t rich_count = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    const auto column = static_cast<std::uint8_t>(i);
    keep_[i] = weights[i] * kSize;
    alias_[i] = column;
    if (keep_[i] < total_) {
      poor[poor_count++] = column;
    } else {
      rich[rich_count++] = column;
    }
  }
  while (poor_count > 0) {
    const std::uint8_t taker = poor[--poor_count];
    const std::uint8_t giver = rich[rich_count - 1];
    alias_[taker] = giver;
    keep_[giver] -= total_ - keep_[taker];
    if (keep_[giver] < total_) {
      --rich_count;
      poor[poor_count++] = giver;
    }
  }

  const int zeros = leading_zeros(total_);
  const uint128_t top = ((total_ << zeros) >> 64) + 1;
  const auto inverse = static_cast<std::uint64_t>((uint128_t{1} << 126) / top);
  for (std::size_t i = 0; i < kSize; ++i) {
    threshold_[i] = static_cast<std::uint32_t>((((keep_[i] << zeros) >> 64) * inverse) >> 102);
  }
}

std::size_t AliasTable::choose(std::uint32_t word, BitSource& bits) const {
  const Pick found = pick(word);
  if (found.is_certain) return found.outcome;
  const auto column = static_cast<std::uint8_t>(word);
  const Integer total(total_);
  LazyUniform u(word >> 8, 24, bits);
  for (;; u.extend()) {
    const Integer bar = Integer(keep_[column]) << u.count();
    if ((u.prefix() + 1) * total <= bar) return column;
    if (u.prefix() * total >= bar) return alias_[column];
  }
}

}  // namespace dp

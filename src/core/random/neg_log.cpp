#include "core/random/neg_log.h"

#include <array>

#include "core/numeric/integer.h"

namespace dp {
namespace {

constexpr std::uint64_t kLn2 = 0xB17217F7D1CF79AC;  // round(2^64 ln 2)

constexpr std::uint64_t inverse(std::uint64_t k) {  // round(2^64 / k)
  return static_cast<std::uint64_t>(((uint128_t{1} << 64) + k / 2) / k);
}

struct Tables {
  std::array<std::uint32_t, 1024> reciprocal;  // ceil(2^19 / (1 + i / 1024))
  std::array<std::uint64_t, 1024> log;         // round(2^64 ln(reciprocal / 2^18))
};

// ln(c / 2^18) = 2 atanh z with z = (c - 2^18) / (c + 2^18), by its series in units of 2^-90.
constexpr std::uint64_t log_of_reciprocal(std::uint32_t c) {
  const uint128_t p = c - (1u << 18);
  const uint128_t q = c + (1u << 18);
  uint128_t power = (p << 91) / q;
  uint128_t sum = 0;
  for (unsigned k = 1; power != 0; k += 2) {
    sum += power / k;
    power = power * p / q * p / q;
  }
  return static_cast<std::uint64_t>((sum + (uint128_t{1} << 25)) >> 26);
}

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t i = 0; i < 1024; ++i) {
    const std::uint32_t c = ((1u << 29) + 1023 + i) / (1024 + i);
    tables.reciprocal[i] = c;
    tables.log[i] = log_of_reciprocal(c);
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint64_t high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<uint128_t>(a) * b) >> 64);
}

}  // namespace

#ifdef DP_TEST_HOOKS
std::uint64_t certified_slack = 0;
#endif

FixedInterval neg_log(std::uint64_t w, unsigned unread) {
  const auto zeros = static_cast<unsigned>(__builtin_clzll(w));
  const std::uint64_t m = w << zeros;
  const std::uint64_t i = (m >> 53) & 1023;

  // 1 + r = m / 2^63 * reciprocal / 2^19, with r in units of 2^-73 and below 2^-9.99
  const auto r = static_cast<std::uint64_t>(
      (static_cast<uint128_t>(m) * kTables.reciprocal[i] - (uint128_t{1} << 82)) >> 9);
  std::uint64_t h = inverse(6);
  h = inverse(5) - (high(r, h) >> 9);
  h = inverse(4) - (high(r, h) >> 9);
  h = inverse(3) - (high(r, h) >> 9);
  h = inverse(2) - (high(r, h) >> 9);
  const std::uint64_t log1p = (r - (high(r, high(r, h)) >> 9)) >> 9;  // units of 2^-64

  const int128_t sum = static_cast<int128_t>(zeros) * kLn2 + kTables.log[i] - log1p;
  const auto value = static_cast<std::int64_t>(sum >> 7);

  // The slope of -ln at w is -1 / w, and w >= 2^(63 - zeros).
  const unsigned reach = unread + zeros;
  const std::uint64_t below =
      1 + (reach <= 6 ? 1 : std::uint64_t{1} << (reach - 6)) + certified_slack;
  const auto at = static_cast<std::uint64_t>(value < 0 ? 0 : value);
  return {at > below ? at - below : 0, at + 2 + certified_slack};
}

}  // namespace dp

#include "core/numeric/text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

#include "core/numeric/decimal.h"
#include "core/numeric/int128.h"
#include "core/numeric/limits.h"

namespace dp {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether `text` is `word`, which is in lower case, whatever the case of its ASCII letters.
bool is_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != word[i]) return false;
  }
  return true;
}

// An unsigned decimal literal, split; `valid` if the whole text is one.
struct Literal {
  std::string_view integer;
  std::string_view fraction;
  std::int64_t exponent = 0;
  bool valid = false;
};

std::string_view take_digits(std::string_view text, std::size_t* at) {
  const std::size_t from = *at;
  while (*at < text.size() && is_digit(text[*at])) ++*at;
  return text.substr(from, *at - from);
}

Literal split(std::string_view text) {
  Literal literal;
  std::size_t at = 0;
  literal.integer = take_digits(text, &at);
  if (at < text.size() && text[at] == '.') literal.fraction = take_digits(text, &++at);
  if (literal.integer.empty() && literal.fraction.empty()) return literal;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (negative || (at < text.size() && text[at] == '+')) ++at;
    const std::string_view digits = take_digits(text, &at);
    if (digits.empty()) return literal;
    constexpr std::int64_t kUnreachable = std::int64_t{1} << 53;  // by any number of digits
    for (const char c : digits) {
      if (literal.exponent < kUnreachable) literal.exponent = 10 * literal.exponent + (c - '0');
    }
    if (negative) literal.exponent = -literal.exponent;
  }
  literal.valid = at == text.size();
  return literal;
}

// Powers of ten that are exact in F: 5^22 < 2^53 and 5^10 < 2^24.
template <class F>
inline constexpr int kExactPowers = sizeof(F) == sizeof(double) ? 22 : 10;
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Numbers of this many digits always fit in 64 bits.
constexpr std::size_t kFewDigits = 18;

// An exact significand and an exact power of ten, so that one operation rounds once (Clinger 1990);
// false if one of them is not.
template <class F>
bool rounded_once(std::int64_t units, std::int64_t exponent, F* value) {
  if (exponent < -kExactPowers<F> || exponent > kExactPowers<F>) return false;
  if (units > static_cast<std::int64_t>(kMaxConsecutive<F>)) return false;
  const auto power = static_cast<F>(kPowersOfTen[exponent < 0 ? -exponent : exponent]);
  *value = exponent < 0 ? static_cast<F>(units) / power : static_cast<F>(units) * power;
  return true;
}

template <class F>
std::optional<F> parse_short(const Literal& literal) {
  if (literal.integer.size() + literal.fraction.size() > kFewDigits) return std::nullopt;
  std::int64_t units = 0;
  for (const char c : literal.integer) units = 10 * units + (c - '0');
  for (const char c : literal.fraction) units = 10 * units + (c - '0');
  F value;
  const std::int64_t exponent =
      literal.exponent - static_cast<std::int64_t>(literal.fraction.size());
  if (!rounded_once(units, exponent, &value)) return std::nullopt;
  return value;
}

// The last 16 characters' worth of `text`, which is no longer: the last one in the highest byte,
// and zeros before the first. On machines that keep the lowest byte first it takes four loads at
// most.
uint128_t as_bytes(std::string_view text) {
  const std::size_t size = text.size();
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const auto load = [](const char* from, auto word) {
    std::memcpy(&word, from, sizeof(word));
    return std::uint64_t{word};
  };
  const char* const end = text.data() + size;
  if (size >= 8) {
    const std::uint64_t front =
        size == 8 ? 0 : load(text.data(), std::uint64_t{}) << (8 * (16 - size));
    return static_cast<uint128_t>(load(end - 8, std::uint64_t{})) << 64 | front;
  }
  if (size >= 4) {
    const std::uint64_t word = load(end - 4, std::uint32_t{}) << 32 |
                               load(text.data(), std::uint32_t{}) << (8 * (8 - size));
    return static_cast<uint128_t>(word) << 64;
  }
#endif
  uint128_t bytes = 0;
  for (const char c : text) bytes = bytes >> 8 | uint128_t{static_cast<unsigned char>(c)} << 120;
  return bytes;
}

constexpr uint128_t everywhere(unsigned char byte) {
  uint128_t bytes = 0;
  for (int i = 0; i < 16; ++i) bytes = bytes << 8 | byte;
  return bytes;
}

// The first of the bytes that is zero, 16 if none is.
std::size_t first_zero(uint128_t bytes) {
  // A borrow from a zero byte may mark those after it, never one before.
  const uint128_t zeros = (bytes - everywhere(1)) & ~bytes & everywhere(128);
  const auto low = static_cast<std::uint64_t>(zeros);
  const auto high = static_cast<std::uint64_t>(zeros >> 64);
  if (zeros == 0) return 16;
  return static_cast<std::size_t>(low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll(high)) / 8;
}

// The number that eight digits spell, the first in the lowest byte: pairs, then pairs of pairs.
std::uint64_t eight_digits(std::uint64_t digits) {
  constexpr std::uint64_t kPairs = 0x000000ff000000ff;
  digits = digits * 10 + (digits >> 8);
  return ((digits & kPairs) * 0x000f424000000064 +
          ((digits >> 16) & kPairs) * 0x0000271000000001) >>
         32;
}

// At most 16 digits and a point, which is what nearly all columns of numbers hold, without a branch
// on any of them: where the point is cannot be predicted. False for any other text.
template <class F>
bool parse_plain(std::string_view text, F* value) {
  const std::size_t size = text.size();
  if (size == 0 || size > 16) return false;
  uint128_t bytes = as_bytes(text);
  const std::size_t point = first_zero(bytes ^ everywhere('.'));
  std::int64_t decimals = 0;
  if (point < 16) {
    if (size == 1) return false;  // no digit
    decimals = 15 - static_cast<std::int64_t>(point);
    const uint128_t before = (uint128_t{1} << (8 * point)) - 1;
    bytes = (bytes & ~(before << 8 | 0xff)) | (bytes & before) << 8;
  }
  // All bytes are digits now, but for zeros in front of them.
  const std::size_t count = point < 16 ? size - 1 : size;
  const uint128_t front = count == 16 ? 0 : ~uint128_t{0} >> (8 * count);
  const uint128_t digits = (bytes ^ everywhere('0')) & ~front;
  if ((((digits + everywhere(127 - 9)) | digits) & everywhere(128)) != 0) return false;
  const std::uint64_t units = eight_digits(static_cast<std::uint64_t>(digits)) * 100000000 +
                              eight_digits(static_cast<std::uint64_t>(digits >> 64));
  return rounded_once(static_cast<std::int64_t>(units), -decimals, value);
}

template <class F>
F parse_exactly(const Literal& literal) {
  const std::string digits = std::string(literal.integer) + std::string(literal.fraction);
  return nearest_to_decimal<F>(
      digits, literal.exponent - static_cast<std::int64_t>(literal.fraction.size()));
}

// Anything but plain numbers. Not inlined, so that those need none of its room on the stack.
template <class F>
__attribute__((noinline)) std::optional<F> parse_unsigned_float(std::string_view text) {
  const Literal literal = split(text);
  if (!literal.valid) {
    if (is_word(text, "inf") || is_word(text, "infinity")) {
      return std::numeric_limits<F>::infinity();
    }
    if (is_word(text, "nan")) return std::numeric_limits<F>::quiet_NaN();
    return std::nullopt;
  }
  if (const std::optional<F> quick = parse_short<F>(literal)) return quick;
#ifdef __cpp_lib_to_chars
  F value;
  // Out of range does not say on which side: that is left to exact arithmetic.
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{}) {
    return value;
  }
#endif
  return parse_exactly<F>(literal);
}

template <class F>
Decimal shortest_digits(F x) {
#ifdef __cpp_lib_to_chars
  // Scientific: in fixed notation large numbers would be written out to more than their digits.
  char text[32];
  const char* const end =
      std::to_chars(text, text + sizeof(text), x, std::chars_format::scientific).ptr;
  const Literal literal = split({text, static_cast<std::size_t>(end - text)});
  return {std::string(literal.integer) + std::string(literal.fraction),
          literal.exponent - static_cast<std::int64_t>(literal.fraction.size())};
#else
  return shortest_decimal(x);
#endif
}

std::string positional(const Decimal& decimal) {
  const auto size = static_cast<std::int64_t>(decimal.digits.size());
  const std::int64_t point = size + decimal.exponent;  // digits before the point
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
  if (point >= size) {
    return decimal.digits + std::string(static_cast<std::size_t>(decimal.exponent), '0');
  }
  const auto whole = static_cast<std::size_t>(point);
  return decimal.digits.substr(0, whole) + "." + decimal.digits.substr(whole);
}

template <class F>
std::string format_float(F value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  if (value == 0) return sign + "0";
  return sign + positional(shortest_digits(std::fabs(value)));
}

}  // namespace

template <class T>
std::optional<T> parse_number(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  std::string_view magnitude = text;
  // A branch, which is predicted, where arithmetic would wait for the text to come from memory.
  if (negative || (!text.empty() && text.front() == '+')) magnitude.remove_prefix(1);
  if constexpr (kIsFloat<T>) {
    T plain;
    if (parse_plain(magnitude, &plain)) return negative ? -plain : plain;
    const std::optional<T> value = parse_unsigned_float<T>(magnitude);
    return negative && value ? -*value : value;
  } else {
    if (magnitude.empty() || !is_digit(magnitude.front())) return std::nullopt;
    // from_chars knows "-", and refuses it for unsigned types, but not "+".
    const std::string_view literal = negative ? text : magnitude;
    const char* const end = literal.data() + literal.size();
    T value;
    const auto [stopped, error] = std::from_chars(literal.data(), end, value);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    return value;
  }
}

template <class T>
std::string format_number(T value) {
  if constexpr (kIsFloat<T>) {
    return format_float(value);
  } else {
    char text[24];
    return {text, std::to_chars(text, text + sizeof(text), value).ptr};
  }
}

#define DP_INSTANTIATE(T)                                   \
  template std::optional<T> parse_number(std::string_view); \
  template std::string format_number(T);

DP_INSTANTIATE(signed char)
DP_INSTANTIATE(short)
DP_INSTANTIATE(int)
DP_INSTANTIATE(long)
DP_INSTANTIATE(long long)
DP_INSTANTIATE(unsigned char)
DP_INSTANTIATE(unsigned short)
DP_INSTANTIATE(unsigned int)
DP_INSTANTIATE(unsigned long)
DP_INSTANTIATE(unsigned long long)
DP_INSTANTIATE(float)
DP_INSTANTIATE(double)

#undef DP_INSTANTIATE

}  // namespace dp

// Test support: difficult operands.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "core/error.h"

namespace dp::oracle {

// SplitMix64 (Steele, Lea and Flood 2014).
class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }

 private:
  std::uint64_t state_;
};

template <class F>
std::vector<F> edges() {
  using L = std::numeric_limits<F>;
  const std::vector<F> positive = {0,
                                   1,
                                   2,
                                   3,
                                   F{0.1F},
                                   F{0.5F},
                                   1 + L::epsilon(),
                                   1 - L::epsilon() / 2,
                                   std::ldexp(F{1}, L::digits),
                                   std::ldexp(F{1}, L::digits) - 1,
                                   std::ldexp(F{1}, L::digits) + 2,
                                   L::denorm_min(),
                                   3 * L::denorm_min(),
                                   L::min(),
                                   L::min() - L::denorm_min(),
                                   L::min() + L::denorm_min(),
                                   std::sqrt(L::min()),
                                   std::sqrt(L::max()),
                                   L::max() / 2,
                                   L::max(),
                                   std::nextafter(L::max(), F{0}),
                                   L::epsilon(),
                                   L::epsilon() / 2};
  std::vector<F> all = positive;
  for (const F x : positive) all.push_back(-x);
  return all;
}

// A finite number: any bit pattern, near 1, with few bits (so exact results occur), tiny, or an
// edge case.
template <class F>
F any_finite(Words& words) {
  using L = std::numeric_limits<F>;
  const F sign = words.below(2) == 0 ? F{1} : F{-1};
  const auto significand = static_cast<F>(words.next() >> (64 - L::digits));
  switch (words.below(5)) {
    case 0: {
      const std::uint64_t bits = words.next();
      F x;
      std::memcpy(&x, &bits, sizeof(x));
      return std::isfinite(x) ? x : F{1};
    }
    case 1:
      return sign * std::ldexp(significand, words.between(-L::digits - 40, -L::digits + 40));
    case 2:
      return sign * std::ldexp(static_cast<F>(words.below(256)), words.between(-20, 20));
    case 3:
      return sign * std::ldexp(significand,
                               words.between(L::min_exponent - 2 * L::digits,
                                             L::min_exponent + L::digits));
    default: {
      static const std::vector<F> kEdges = edges<F>();
      return kEdges[words.below(kEdges.size())];
    }
  }
}

// Result of f, or empty if it throws an error of `kind`.
template <class Function>
auto result_or_error(ErrorKind kind, Function f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const Error& error) {
    if (error.kind() != kind) throw;
    return std::nullopt;
  }
}

}  // namespace dp::oracle

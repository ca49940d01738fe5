// Exactness by enumeration: run a sampler on every bit string of a length and compare the mass of
// each outcome with its law.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "core/numeric/integer.h"
#include "support/recorded_bits.h"

namespace dp {

// Masses in units of 2^-length.
struct Enumeration {
  unsigned length = 0;
  std::map<Integer, std::uint64_t> mass;
  std::uint64_t unresolved = 0;
};

// Depth first: a string on which the sampler stops early stands for all its continuations.
template <class Sampler>
Enumeration enumerate(unsigned length, Sampler sampler) {
  Enumeration result;
  result.length = length;
  const std::uint64_t all = std::uint64_t{1} << length;
  // Strings in the order of their first bits: reversed(next) has the first bit on top.
  const auto reversed = [length](std::uint64_t x) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < length; ++i) out |= ((x >> i) & 1) << (length - 1 - i);
    return out;
  };
  BitString bits;
  for (std::uint64_t next = 0; next < all;) {
    bits.start(reversed(next), length);
    try {
      const Integer outcome = sampler(bits);
      const std::uint64_t covered = std::uint64_t{1} << (length - bits.used());
      result.mass[outcome] += covered;
      next += covered;
    } catch (const OutOfBits&) {
      ++result.unresolved;
      ++next;
    }
  }
  return result;
}

// A probability law by its point masses, each to a relative error of 1e-12 or better.
using Law = std::function<double(const Integer&)>;

// Whether an enumeration can come from the law: no outcome has more mass than the law gives it, and
// none lacks more than what is unresolved. Returns the first offence, or "" if there is none.
inline std::string contradiction(const Enumeration& found, const Law& law, int least, int most) {
  const double unit = std::ldexp(1.0, -static_cast<int>(found.length));
  const double unresolved = static_cast<double>(found.unresolved) * unit;
  for (const auto& [outcome, count] : found.mass) {
    if (static_cast<double>(count) * unit > law(outcome) * (1 + 1e-12)) {
      return outcome.str() + " has too much mass";
    }
  }
  for (int outcome = least; outcome <= most; ++outcome) {
    const auto at = found.mass.find(outcome);
    const double mass = at == found.mass.end() ? 0 : static_cast<double>(at->second) * unit;
    if (law(outcome) > mass + unresolved + 1e-12) {
      return std::to_string(outcome) + " has too little mass";
    }
  }
  return "";
}

}  // namespace dp

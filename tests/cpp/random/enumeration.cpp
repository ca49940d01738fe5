#include "random/enumeration.h"

#include <cmath>

namespace dp {

Enumeration enumerate(unsigned length, const std::function<Integer(BitString&)>& sampler) {
  Enumeration result;
  result.length = length;
  const std::uint64_t all = std::uint64_t{1} << length;
  // Orders strings by their first bits: reversed(next) puts the first bit on top.
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

std::string contradiction(const Enumeration& found, const Law& law, int least, int most) {
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

// Exactness by enumeration: runs a sampler on every bit string of a length, and compares the mass
// of each outcome with its law.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "core/numeric/integer.h"
#include "support/recorded_bits.h"
#include "support/tier.h"

namespace dp {

// Masses in units of 2^-length.
struct Enumeration {
  unsigned length = 0;
  std::map<Integer, std::uint64_t> mass;
  std::uint64_t unresolved = 0;
};

// This length leaves little mass unresolved and exposes the mutants.
constexpr unsigned kEnumeratedBits = test::in_tier(17u, 20u);

// Depth first. If the sampler stops early on a string, the string covers all its continuations.
Enumeration enumerate(unsigned length, const std::function<Integer(BitString&)>& sampler);

// A probability law by its point masses, each to a relative error of 1e-12 or better.
using Law = std::function<double(const Integer&)>;

// Tests whether an enumeration is consistent with the law. No outcome has more mass than the law
// allows, and none lacks more than the unresolved mass. Returns the first contradiction, or "".
std::string contradiction(const Enumeration& found, const Law& law, int least, int most);

}  // namespace dp

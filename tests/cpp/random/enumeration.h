// Exactness by enumeration: run a sampler on every bit string of a length and compare the mass of
// each outcome with its law.
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

// Strings of so many bits leave little unresolved, and show the mutants.
constexpr unsigned kEnumeratedBits = test::in_tier(17u, 20u);

// Depth first: a string on which the sampler stops early stands for all its continuations.
Enumeration enumerate(unsigned length, const std::function<Integer(BitString&)>& sampler);

// A probability law by its point masses, each to a relative error of 1e-12 or better.
using Law = std::function<double(const Integer&)>;

// Whether an enumeration can come from the law: no outcome has more mass than the law gives it, and
// none lacks more than what is unresolved. Returns the first offence, or "" if there is none.
std::string contradiction(const Enumeration& found, const Law& law, int least, int most);

}  // namespace dp

// SipHash of many tuples of words, several side by side: to each of them what SipHasher does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/siphash.h"

namespace dp::query {

// `size` tuples of `width` words, of which each begins `stride` words after the one before.
struct SipTuples {
  const std::uint64_t* first;
  std::size_t stride;
  std::size_t width;
  std::size_t size;
};

struct SipLanes {
  const char* name;
  // Of each tuple the hash of what `begun` has seen and the tuple's words.
  void (*hash)(const SipHasher& begun, const SipTuples& tuples, std::uint64_t* hashes);
};

// For the widest instruction set of this machine.
SipLanes sip_lanes();

// All that this machine can run, for tests.
std::vector<SipLanes> available_sip_lanes();

}  // namespace dp::query

// SipHash of many tuples of words, several in parallel, with the same results as SipHasher.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/siphash.h"

namespace dp::query {

// `size` tuples of `width` words; each begins `stride` words after the previous one.
struct SipTuples {
  const std::uint64_t* first;
  std::size_t stride;
  std::size_t width;
  std::size_t size;
};

struct SipLanes {
  const char* name;
  // Hashes each tuple, continuing the state `begun` with the tuple's words.
  void (*hash)(const SipHasher& begun, const SipTuples& tuples, std::uint64_t* hashes);
};

// The implementation for the widest instruction set of this machine.
SipLanes sip_lanes();

// All implementations that this machine can run, for tests.
std::vector<SipLanes> available_sip_lanes();

}  // namespace dp::query

// Repeatable bits: a source that restarts from the same seed and counts the bits it serves.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random/bit_source.h"

namespace dp::test {

// SplitMix64 (Steele, Lea, Flood 2014): equidistributed 64-bit words, for test data and for
// replays.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

class ScriptedBits final : public BitSource {
 public:
  explicit ScriptedBits(std::uint64_t seed) : BitSource(&own_), words_(seed) {}

  std::size_t taken() const { return taken_; }  // words

 protected:
  std::size_t supply(std::uint64_t* words) override {
    ++taken_;
    words[0] = words_();
    return 1;
  }

 private:
  Stock own_{};
  SplitMix words_;
  std::size_t taken_ = 0;
};

}  // namespace dp::test

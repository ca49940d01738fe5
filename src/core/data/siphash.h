// SipHash-2-4: a 64-bit hash under a 128-bit key.
//
// Without the key, the order of two hashes is unpredictable. With it, the hash is the same on every
// platform. Source: Aumasson and Bernstein (2012), "SipHash: a fast short-input PRF".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dp::query {

struct SipKey {
  std::uint64_t k0, k1;
};

// The key of 16 bytes, the lowest byte of each half first.
SipKey sip_key(const std::array<std::uint8_t, 16>& bytes);

std::uint64_t siphash(const SipKey& key, std::string_view bytes);

// Takes words one by one; the hash covers their bytes, the lowest first.
class SipHasher {
 public:
  // All that words so far have left.
  struct State {
    std::uint64_t v0, v1, v2, v3;
    std::uint64_t words;
  };

  explicit SipHasher(const SipKey& key)
      : state_{key.k0 ^ 0x736f6d6570736575,
               key.k1 ^ 0x646f72616e646f6d,
               key.k0 ^ 0x6c7967656e657261,
               key.k1 ^ 0x7465646279746573,
               0} {}

  const State& state() const { return state_; }

  void add(std::uint64_t word) {
    ++state_.words;
    mix(word);
  }

  std::uint64_t hash() { return finish(state_.words << 59); }

  // With up to seven bytes more, in the low bytes of `tail`; `size` counts all bytes.
  std::uint64_t hash(std::uint64_t tail, std::size_t size) {
    return finish(static_cast<std::uint64_t>(size) << 56 | tail);
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

  void round() {
    State& s = state_;
    s.v0 += s.v1;
    s.v1 = rotated(s.v1, 13) ^ s.v0;
    s.v0 = rotated(s.v0, 32);
    s.v2 += s.v3;
    s.v3 = rotated(s.v3, 16) ^ s.v2;
    s.v0 += s.v3;
    s.v3 = rotated(s.v3, 21) ^ s.v0;
    s.v2 += s.v1;
    s.v1 = rotated(s.v1, 17) ^ s.v2;
    s.v2 = rotated(s.v2, 32);
  }

  void mix(std::uint64_t word) {
    state_.v3 ^= word;
    round();
    round();
    state_.v0 ^= word;
  }

  std::uint64_t finish(std::uint64_t last) {
    mix(last);
    state_.v2 ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return state_.v0 ^ state_.v1 ^ state_.v2 ^ state_.v3;
  }

  State state_;
};

}  // namespace dp::query

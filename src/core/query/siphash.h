// SipHash-2-4: a hash of 64 bits under a key of 128.
//
// Without the key nobody can say which of two inputs has the smaller hash; with it, everybody gets
// the same one, on every platform. Source: Aumasson and Bernstein (2012), "SipHash: a fast
// short-input PRF".
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

// Words come one by one; the hash is that of their bytes, the lowest first.
class SipHasher {
 public:
  explicit SipHasher(const SipKey& key)
      : v0_(key.k0 ^ 0x736f6d6570736575),
        v1_(key.k1 ^ 0x646f72616e646f6d),
        v2_(key.k0 ^ 0x6c7967656e657261),
        v3_(key.k1 ^ 0x7465646279746573) {}

  void add(std::uint64_t word) {
    ++words_;
    mix(word);
  }

  std::uint64_t hash() { return finish(words_ << 59); }

  // With up to seven bytes more, in the low bytes of `tail`; `size` counts all bytes.
  std::uint64_t hash(std::uint64_t tail, std::size_t size) {
    return finish(static_cast<std::uint64_t>(size) << 56 | tail);
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

  void round() {
    v0_ += v1_;
    v1_ = rotated(v1_, 13) ^ v0_;
    v0_ = rotated(v0_, 32);
    v2_ += v3_;
    v3_ = rotated(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = rotated(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = rotated(v1_, 17) ^ v2_;
    v2_ = rotated(v2_, 32);
  }

  void mix(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }

  std::uint64_t finish(std::uint64_t last) {
    mix(last);
    v2_ ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

  std::uint64_t v0_, v1_, v2_, v3_;
  std::uint64_t words_ = 0;
};

}  // namespace dp::query

// SHA-256 of FIPS 180-4. It is in the core because its identities must be the same in every build,
// with or without a cryptography library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dp {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  void add(std::string_view bytes);

  // Of all that was added. Nothing may be added any more.
  Digest digest();

 private:
  void mix(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667,
                                      0xbb67ae85,
                                      0x3c6ef372,
                                      0xa54ff53a,
                                      0x510e527f,
                                      0x9b05688c,
                                      0x1f83d9ab,
                                      0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::uint64_t length_ = 0;  // in bytes
};

Digest sha256(std::string_view bytes);

// 64 lower-case hexadecimal digits.
std::string hexadecimal(const Digest& digest);

}  // namespace dp

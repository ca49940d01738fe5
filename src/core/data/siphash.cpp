#include "core/data/siphash.h"

namespace dp::query {
namespace {

std::uint64_t little_endian_word(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
  }
  return word;
}

}  // namespace

SipKey sip_key(const std::array<std::uint8_t, 16>& bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return {little_endian_word(text, 8), little_endian_word(text + 8, 8)};
}

std::uint64_t siphash(const SipKey& key, std::string_view bytes) {
  SipHasher hasher(key);
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) hasher.add(little_endian_word(bytes.data() + i, 8));
  return hasher.hash(little_endian_word(bytes.data() + i, bytes.size() - i), bytes.size());
}

}  // namespace dp::query

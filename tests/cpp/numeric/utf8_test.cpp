#include "core/numeric/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace dp::test::utf8_test {
namespace {

// By definition: the shortest encoding of each character except surrogates.
std::string encoded(std::uint32_t code) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](int shift) { return byte(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {byte(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {byte(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

bool is_surrogate(std::uint32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

TEST(Utf8, EveryCharacterIsTextAndNothingCutShort) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    const std::string bytes = encoded(code);
    ASSERT_EQ(is_utf8(bytes), !is_surrogate(code)) << code;
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      ASSERT_FALSE(is_utf8(bytes.substr(0, size))) << code;
      ASSERT_FALSE(is_utf8(bytes.substr(size))) << code;
    }
  }
  EXPECT_FALSE(is_utf8(encoded(0x110000)));
  EXPECT_TRUE(is_utf8(""));
}

TEST(Utf8, OfAllShortStringsOfBytesThoseAreTextThatSpellCharacters) {
  std::set<std::string> characters;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    if (!is_surrogate(code)) characters.insert(encoded(code));
  }
  // Whether `bytes` can be split into characters.
  const auto spells = [&](const std::string& bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
      std::size_t size = 1;
      while (at + size <= bytes.size() && characters.count(bytes.substr(at, size)) == 0) ++size;
      if (at + size > bytes.size()) return false;
      at += size;
    }
    return true;
  };
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string two{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(is_utf8(two), spells(two)) << first << ' ' << second;
      for (const int third : {0x00, 0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF}) {
        const std::string three = two + static_cast<char>(third);
        ASSERT_EQ(is_utf8(three), spells(three)) << first << ' ' << second << ' ' << third;
      }
    }
  }
}

}  // namespace
}  // namespace dp::test::utf8_test

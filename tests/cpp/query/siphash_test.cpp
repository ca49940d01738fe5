#include "core/data/siphash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expressions/text_pool.h"
#include "core/query/sip_lanes.h"

namespace dp::test::siphash_test {
namespace {

using query::siphash;

query::SipKey published_key() {
  std::array<std::uint8_t, 16> bytes;
  for (std::uint8_t i = 0; i < 16; ++i) bytes[i] = i;
  return query::sip_key(bytes);
}

std::string counting_bytes(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

// Aumasson and Bernstein (2012), appendix A, and the first vectors of their reference code.
TEST(SipHash, IsThePublishedOne) {
  EXPECT_EQ(siphash(published_key(), counting_bytes(15)), 0xa129ca6149be45e5);
  EXPECT_EQ(siphash(published_key(), ""), 0x726fdb47dd0e0e31);
  EXPECT_EQ(siphash(published_key(), counting_bytes(1)), 0x74f839c593dc67fd);
  EXPECT_EQ(siphash(published_key(), counting_bytes(8)), 0x93f5f5799a932462);
}

TEST(SipHash, WordsAreTheirBytesTheLowestFirst) {
  query::SipHasher hasher(published_key());
  hasher.add(0x0706050403020100);
  hasher.add(0x0f0e0d0c0b0a0908);
  EXPECT_EQ(hasher.hash(), siphash(published_key(), counting_bytes(16)));
}

// Hashes tuples of each width, in bulk and one by one. Batch sizes include full and partial lanes.
TEST(SipLanes, AreTheHashesOfTheirTuplesOneByOne) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t i = 0; i < 200; ++i) words.push_back(i * i * 0x9e3779b97f4a7c15 + i);
  query::SipHasher begun(published_key());
  begun.add(7);
  for (const query::SipLanes& lanes : query::available_sip_lanes()) {
    for (const std::size_t width : {1, 2, 5}) {
      for (const std::size_t stride : {width, width + 3}) {
        for (const std::size_t size : {0, 1, 8, 23}) {
          std::vector<std::uint64_t> hashes(size);
          lanes.hash(begun, {words.data(), stride, width, size}, hashes.data());
          for (std::size_t i = 0; i < size; ++i) {
            query::SipHasher hasher = begun;
            for (std::size_t w = 0; w < width; ++w) hasher.add(words[i * stride + w]);
            ASSERT_EQ(hashes[i], hasher.hash()) << lanes.name << " " << width << " " << stride;
          }
        }
      }
    }
  }
}

TEST(TextPool, EqualTextsHaveOneNumberAndOthersNone) {
  query::TextPool texts;
  const std::string lasting = "b";
  const std::int64_t a = texts.copy("a");
  EXPECT_EQ(texts.view(lasting), texts.copy("b"));
  EXPECT_EQ(texts.copy("a"), a);
  EXPECT_NE(texts.copy(std::string("a\0", 2)), a);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = std::to_string(i);
    EXPECT_EQ(texts.text(texts.copy(text)), text);
    EXPECT_EQ(texts.copy(text), texts.copy(text));
  }
}

}  // namespace
}  // namespace dp::test::siphash_test

#include "core/ledger/chain.h"

#include <gtest/gtest.h>

#include <string>

namespace dp::test::chain_test {
namespace {

ChainSecret secret_of(const std::string& bytes) {
  ChainSecret secret{};
  std::copy(bytes.begin(), bytes.end(), secret.begin());
  return secret;
}

// RFC 4231, cases 1 and 2. Shorter keys are padded with zeros.
TEST(HmacSha256, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(hexadecimal(hmac_sha256(secret_of(std::string(20, '\x0b')), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hexadecimal(hmac_sha256(secret_of("Jefe"), "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(ChainHash, IsThatOfTheFormatAndTheRecord) {
  EXPECT_EQ(chain_hash(std::nullopt, "{}"), hexadecimal(sha256("psilence-ledger-1\n{}")));
  EXPECT_EQ(chain_hash(secret_of("Jefe"), "{}"),
            hexadecimal(hmac_sha256(secret_of("Jefe"), "psilence-ledger-1\n{}")));
}

TEST(SplitLine, TakesTheHashOutOfALine) {
  const std::string hash(64, 'a');
  const auto parts = split_line(R"({"charge":1,"hash":")" + hash + R"(","kind":"release"})");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->hash, hash);
  EXPECT_EQ(parts->body, R"({"charge":1,"kind":"release"})");
  const std::string quoted = R"({"dataset":"\"hash\":\"b\",","hash":")" + hash + R"(","kind":""})";
  ASSERT_TRUE(split_line(quoted));
  EXPECT_EQ(split_line(quoted)->body, R"({"dataset":"\"hash\":\"b\",","kind":""})");
}

TEST(SplitLine, FindsNoHashWhereThereIsNone) {
  EXPECT_FALSE(split_line(""));
  EXPECT_FALSE(split_line(R"({"kind":"open"})"));
  EXPECT_FALSE(split_line(R"({"hash":"aa","kind":"open"})"));
  EXPECT_FALSE(split_line(R"({"hash":")" + std::string(64, 'a')));
}

}  // namespace
}  // namespace dp::test::chain_test

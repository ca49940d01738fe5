#include "core/plan/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace dp::sha256_test {
namespace {

TEST(Sha256, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(hexadecimal(sha256("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexadecimal(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hexadecimal(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hexadecimal(sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths around a block of 64 bytes, where the padding needs an extra block.
TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 7 % 256);
    Sha256 in_pieces;
    for (std::size_t i = 0; i < length; i += 13) in_pieces.add(text.substr(i, 13));
    EXPECT_EQ(in_pieces.digest(), sha256(text)) << length;
  }
}

}  // namespace
}  // namespace dp::sha256_test

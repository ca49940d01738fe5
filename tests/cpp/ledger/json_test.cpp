#include "core/ledger/json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace dp::test::json_test {
namespace {

constexpr std::size_t kMost = 65536;

Json sample() {
  Json loss;
  loss.set("rho", "0.05").set("delta", "0");
  Json record;
  record.set("seq", std::uint64_t{12})
      .set("loss", loss)
      .set("who", "\xc3\xa9\xf0\x9f\x98\x80\n\"\\");
  return record.set("list", Json::Array{std::uint64_t{0}, "a", Json::Array{}});
}

// Whether the parser accepts `text`. If so, the writer must reproduce it byte by byte.
bool is_canonical(const std::string& text) {
  try {
    EXPECT_EQ(to_text(parse_json(text, kMost)), text);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::ledger);
    return false;
  }
}

TEST(Json, HasOneSpelling) {
  EXPECT_EQ(to_text(sample()),
            R"({"list":[0,"a",[]],"loss":{"delta":"0","rho":"0.05"},"seq":12,)"
            R"("who":"\u00e9\ud83d\ude00\u000a\"\\"})");
  EXPECT_TRUE(is_canonical(to_text(sample())));
  EXPECT_TRUE(is_canonical("9007199254740992"));
  EXPECT_TRUE(is_canonical("{}"));
  EXPECT_TRUE(is_canonical(R"("\u007f\u0080\uffff")"));
}

TEST(Json, D_LED_6_RefusesEveryOtherSpelling) {
  const std::vector<std::string> refused = {"",
                                            " {}",
                                            "{} ",
                                            "{",
                                            "}",
                                            "[1,]",
                                            "[,1]",
                                            "{\"a\":1,}",
                                            "{\"b\":1,\"a\":1}",
                                            "{\"a\":1,\"a\":2}",
                                            "{\"a\" :1}",
                                            "{\"a\": 1}",
                                            "{a:1}",
                                            "{\"a\"}",
                                            "01",
                                            "-1",
                                            "+1",
                                            "1.0",
                                            "1e3",
                                            "NaN",
                                            "nan",
                                            "1,5",
                                            "9007199254740993",
                                            "99999999999999999999999",
                                            "true",
                                            "null",
                                            "\"",
                                            "\"\\n\"",
                                            "\"\\/\"",
                                            "\"\\u0041\"",
                                            "\"\\u00E9\"",
                                            "\"\\u0000\"",
                                            "\"\\ud83d\"",
                                            "\"\\ude00\"",
                                            "\"\\ud83d\\u0041\"",
                                            "\"\\u00e\"",
                                            "\"\n\"",
                                            "\"\xc3\xa9\"",
                                            "\"\x7f\"",
                                            std::string("\"\0\"", 3),
                                            "1 2",
                                            "[1 2]",
                                            "'a'"};
  for (const std::string& text : refused) EXPECT_FALSE(is_canonical(text)) << text;
}

TEST(Json, RefusesWhatIsTooLongOrTooDeep) {
  expect_error(ErrorKind::ledger, [] { parse_json("\"aaaa\"", 5); });
  EXPECT_TRUE(is_canonical(std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(is_canonical(std::string(30000, '[')));
  Json deep = "leaf";
  for (int i = 0; i < 70; ++i) deep = Json::Array{deep};
  expect_error(ErrorKind::ledger, [&] { to_text(deep); });
}

TEST(Json, WritesNothingThatItWouldNotRead) {
  for (const std::string& bad : {std::string("\xff"), std::string("a\0b", 3)}) {
    expect_error(ErrorKind::ledger, [&] { to_text(Json(bad)); });
  }
  expect_error(ErrorKind::ledger, [] { to_text(Json(kMostWhole + 1)); });
  expect_error(ErrorKind::ledger, [] { Json().set("a", "1").set("a", "2"); });
}

TEST(Json, AnErrorSaysWhereAndNotWhat) {
  const std::string sentence =
      expect_error(ErrorKind::ledger, [] { parse_json("{\"secret\":tru}", kMost); });
  EXPECT_EQ(sentence, "not canonical JSON at byte 11.");
}

// As a fuzzer would: the parser accepts only bytes that the writer produces.
TEST(Json, MutatedTextIsRefusedOrCanonical) {
  const std::string text = to_text(sample());
  int taken = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string other = text;
      other[i] = static_cast<char>(byte);
      taken += is_canonical(other) ? 1 : 0;
    }
  }
  EXPECT_GT(taken, 1000);  // a changed letter is a valid record, which the chain rejects
  std::mt19937 random(20261122);
  const std::string alphabet = "{}[]\",:\\u0019aef ";
  for (int i = 0; i < 50000; ++i) {
    std::string other = text;
    for (int edits = 0; edits < 3; ++edits) {
      const std::size_t at = random() % other.size();
      const char letter = alphabet[random() % alphabet.size()];
      if (random() % 2 == 0) {
        other.insert(at, 1, letter);
      } else {
        other.erase(at, 1 + random() % 4);
        if (other.empty()) other = "{";
      }
    }
    is_canonical(other);
  }
}

}  // namespace
}  // namespace dp::test::json_test

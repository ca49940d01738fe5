#include "core/query/query_json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/error.h"
#include "support/query_texts.h"

namespace dp::query {
namespace {

std::string written_again(const std::string& text) {
  return query_to_json(query_from_json(text, kLocalQueryJson));
}

std::string refusal_of(const std::string& text, const QueryJsonLimits& limits = kLocalQueryJson) {
  try {
    query_from_json(text, limits);
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::failed_cast);
    return error.what();
  }
  return "";
}

// The first example with one part of its text replaced.
std::string with(const std::string& part, const std::string& other, std::size_t example = 0) {
  std::string text = query_texts()[example];
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(QueryJson, TextsAreReadAndWrittenInOneSpelling) {
  for (const std::string& text : query_texts()) {
    const std::string canonical = written_again(text);
    EXPECT_EQ(written_again(canonical), canonical);
  }
  EXPECT_NE(written_again(query_texts()[0]).find(R"("a\"\\\u0001ä")"), std::string::npos);
}

TEST(QueryJson, ALiteralWithoutAPointIsWhole) {
  const auto value_of = [](const std::string& number) {
    return written_again(with("\"value\":3", "\"value\":" + number));
  };
  EXPECT_NE(value_of("3").find("\"value\":3}"), std::string::npos);
  EXPECT_NE(value_of("3.0").find("\"value\":3.0}"), std::string::npos);
  EXPECT_NE(value_of("3e0").find("\"value\":3.0}"), std::string::npos);
  EXPECT_NE(value_of("-0.0").find("\"value\":-0.0}"), std::string::npos);
  EXPECT_NE(value_of("3000000000").find("\"value\":3000000000.0}"), std::string::npos);
}

TEST(QueryJson, KeysAreClosed) {
  EXPECT_NE(refusal_of(with("\"version\":1", "\"version\":2")), "");
  EXPECT_NE(refusal_of(with("\"version\":1,", "")), "");
  EXPECT_NE(refusal_of(with("\"by\":", "\"unit\":{},\"by\":")), "");
  EXPECT_NE(refusal_of(with("\"step\":\"filter\",", "\"step\":\"filter\",\"name\":\"a\",")), "");
  EXPECT_NE(refusal_of(with("\"step\":\"filter\"", "\"step\":\"arrange\"")), "");
  EXPECT_NE(refusal_of(with("\"fun\":\"count\"", "\"fun\":\"system\"")), "");
  EXPECT_NE(refusal_of(with("\"fun\":\"count\"", "\"fun\":\"count\",\"up_to\":1")), "");
  EXPECT_NE(refusal_of(with("\"op\":\">\"", "\"op\":\"system\"")), "");
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":3,\"class\":\"a\"")), "");
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":[3]")), "");
}

TEST(QueryJson, AKeyTwiceAndNumbersBeyondDoublesAreRefused) {
  EXPECT_NE(refusal_of(with("\"by\":", "\"by\":[],\"by\":")), "");
  EXPECT_NE(refusal_of(with("\"by\":", "\"\\u0062y\":[],\"by\":")), "");
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":1e999")), "");
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":NaN")), "");
}

TEST(QueryJson, TheTextHasADeclarationOrASource) {
  EXPECT_NE(refusal_of(with(
                "\"query\":", "\"declaration\":\"" + std::string(64, 'a') + "\",\"query\":", 2)),
            "");
  EXPECT_NE(refusal_of(with("\"declaration\":\"" + std::string(64, 'a') + "\",", "")), "");
  EXPECT_NE(refusal_of(with(",\"alpha\":\"0.05\"", "", 2)), "");
  EXPECT_NE(refusal_of(with("\"rho\":\"0.05\"", "\"rho\":\"0.05\",\"epsilon\":\"1\"", 2)), "");
}

TEST(QueryJson, LossesAreDecimalsInTheirFewestDigits) {
  EXPECT_EQ(refusal_of(with("\"rho\":\"0.05\"", "\"rho\":\"0.051\"", 2)), "");
  for (const char* const text :
       {"0.050", "5e-2", "-1", "inf", "nan", " 1", "0.05000000000000000001"}) {
    EXPECT_NE(refusal_of(with("\"0.05\"", std::string("\"") + text + "\"", 2)), "") << text;
  }
}

TEST(QueryJson, LimitsHoldBeforeTheTextIsParsed) {
  const QueryJsonLimits server;
  EXPECT_NE(refusal_of(std::string(60000000, ' ')).find("bytes"), std::string::npos);
  EXPECT_NE(refusal_of(std::string(65537, ' '), server).find("65536 bytes"), std::string::npos);
  EXPECT_NE(refusal_of(std::string(1000000, '[')).find("in each other"), std::string::npos);
  EXPECT_NE(refusal_of("[" + std::string(6000, ',') + "]", server).find("parts"),
            std::string::npos);
  EXPECT_NE(refusal_of(std::string("{}\0", 3)).find("zero byte"), std::string::npos);
  EXPECT_NE(refusal_of("{\"a\":\"\xff\"}").find("UTF-8"), std::string::npos);
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":\"\\u0000\"")).find("zero byte"),
            std::string::npos);
  EXPECT_NE(refusal_of(with("\"value\":3", "\"value\":\"\\ud800\"")), "");
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += (i > 0 ? "," : "") + part;
  return text;
}

TEST(QueryJson, AServerTakesLessThanALocalReader) {
  const QueryJsonLimits server;
  const auto refused = [&](const std::string& text, const char* what) {
    EXPECT_NE(refusal_of(text, server).find(what), std::string::npos) << what;
    EXPECT_EQ(refusal_of(text), "") << what;
  };
  for (const std::string& text : query_texts()) EXPECT_EQ(refusal_of(text, server), "");
  refused(with("\"by\":[\"ward\"]", "\"by\":[\"" + std::string(201, 'a') + "\"]"), "200 bytes");
  const std::string column = R"({"op":"column","name":"a"})";
  refused(
      with("\"steps\":[",
           "\"steps\":[" + repeated(R"({"step":"filter","predicate":)" + column + "}", 65) + ","),
      "64 elements");
  refused(with("\"outputs\":[",
               "\"outputs\":[" + repeated(R"({"name":"a","value":)" + column + "}", 65) + ","),
          "64 elements");
  refused(with("\"args\":[", "\"args\":[" + repeated(R"({"op":"literal","value":1})", 1001) + ","),
          "1000 literals");
  refused(with("\"probabilities\":[", "\"probabilities\":[" + repeated("1", 1001) + ",", 2),
          "1000 elements");
}

void check_changed_texts(std::size_t times) {
  const std::vector<std::string> texts = query_texts();
  std::mt19937_64 bits(20261128);
  std::size_t read = 0;
  for (std::size_t i = 0; i < times; ++i) {
    const std::string text = changed_text(texts[i % texts.size()], bits);
    try {
      const std::string again = query_to_json(query_from_json(text, QueryJsonLimits()));
      ASSERT_EQ(written_again(again), again) << text;
      ++read;
    } catch (const Error& error) {
      ASSERT_TRUE(error.kind() == ErrorKind::failed_cast) << text;
    }
  }
  // Some changes keep the query valid; otherwise only the first check would be tested.
  EXPECT_GT(read, times / 100);
  EXPECT_LT(read, times / 2);
}

TEST(QueryJson, ChangedTextsAreQueriesOrRefused) {
#ifdef DP_LONG_TESTS
  check_changed_texts(1000000);
#else
  check_changed_texts(5000);
#endif
}

}  // namespace
}  // namespace dp::query

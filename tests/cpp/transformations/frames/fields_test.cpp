#include "core/transformations/frames/fields.h"

#include <gtest/gtest.h>

#include <string>

namespace dp::test::fields_test {
namespace {

TEST(Fields, AreTrimmedOfWhiteSpaceOfUnicode) {
  EXPECT_EQ(trimmed(" \t\n\v\f\r a b \r"), "a b");
  for (const std::string space : {"\xC2\x85",
                                  "\xC2\xA0",
                                  "\xE1\x9A\x80",
                                  "\xE2\x80\x80",
                                  "\xE2\x80\x8A",
                                  "\xE2\x80\xA8",
                                  "\xE2\x80\xA9",
                                  "\xE2\x80\xAF",
                                  "\xE2\x81\x9F",
                                  "\xE3\x80\x80"}) {
    EXPECT_EQ(trimmed(space + "a" + space + "b" + space + " "), "a" + space + "b");
    EXPECT_EQ(trimmed(space + space), "");
  }
  // Zero width, a byte order mark, an accent, and bytes that are not UTF-8.
  for (const std::string kept :
       {"\xE2\x80\x8B", "\xEF\xBB\xBF", "\xC3\xA0", "\x85", "\xE2\x80", "\xC2"}) {
    EXPECT_EQ(trimmed(kept), kept);
  }
  EXPECT_EQ(trimmed(""), "");
}

TEST(Fields, AreFoundByNumber) {
  const std::string_view line = "a,b,,c";
  EXPECT_EQ(field_at(line, ",", 0), "a");
  EXPECT_EQ(field_at(line, ",", 2), "");
  EXPECT_EQ(field_at(line, ",", 3), "c");
  EXPECT_EQ(field_at(line, ",", 4), "");
  EXPECT_EQ(field_at("a::b:c::", "::", 1), "b:c");
  EXPECT_EQ(field_at("a::b:c::", "::", 2), "");
  EXPECT_EQ(field_at("", ",", 0), "");
}

}  // namespace
}  // namespace dp::test::fields_test

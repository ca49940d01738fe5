#include "core/ledger/record.h"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_error.h"

namespace dp::test::record_test {
namespace {

const std::string kHash(64, 'a');

Json valid() {
  Json record;
  record.set("hash", kHash).set("kind", "release").set("prev", kHash).set("seq", std::uint64_t{3});
  record.set("time", "2026-11-22T00:10:00Z").set("charge", std::uint64_t{2}).set("release", kHash);
  return record;
}

// `valid()` with a different value in one field.
Json with_field(const std::string& field, const Json& value) {
  const Json whole = valid();
  Json record;
  for (const JsonMember& member : *whole.as<Json::Object>()) {
    record.set(member.key, member.key == field ? value : member.value);
  }
  return record;
}

Json without_field(const std::string& field) {
  const Json whole = valid();
  Json record;
  for (const JsonMember& member : *whole.as<Json::Object>()) {
    if (member.key != field) record.set(member.key, member.value);
  }
  return record;
}

void expect_refused(const Json& record) {
  expect_error(ErrorKind::ledger, [&] { LedgerRecord::parse(to_text(record)); });
}

TEST(LedgerRecord, ReadsItsFields) {
  const LedgerRecord record = LedgerRecord::parse(to_text(valid()));
  EXPECT_EQ(record.kind(), "release");
  EXPECT_EQ(record.seq(), 3U);
  EXPECT_EQ(record.number("charge"), 2U);
  EXPECT_EQ(record.text("release"), kHash);
}

TEST(LedgerRecord, D_LED_6_RefusesFieldsThatLackAreTooManyOrHaveAnotherForm) {
  const Json whole = valid();
  for (const JsonMember& member : *whole.as<Json::Object>()) {
    expect_refused(without_field(member.key));
    expect_refused(with_field(member.key, Json()));
    expect_refused(with_field(member.key, Json::Array{}));
    expect_refused(with_field(member.key, ""));
  }
  expect_refused(valid().set("extra", "1"));
  expect_refused(with_field("kind", "charge"));
  expect_refused(with_field("kind", "unheard-of"));
  expect_refused(with_field("seq", "3"));
  expect_refused(with_field("hash", std::string(64, 'A')));
  expect_refused(with_field("time", "2026-11-22 00:10:00Z"));
  for (const char* time : {"2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-02-29T00:00:00Z",
                           "1900-02-29T00:00:00Z",
                           "2026-04-31T00:00:00Z",
                           "2026-04-00T00:00:00Z",
                           "2026-04-01T24:00:00Z",
                           "2026-04-01T00:60:00Z",
                           "2026-04-01T00:00:60Z"}) {
    expect_refused(with_field("time", time));
  }
  expect_refused(with_field("time", std::uint64_t{1}));
  expect_refused(Json::Array{});
  expect_refused("record");
}

TEST(LedgerRecord, D_LED_6_RefusesALongLine) {
  expect_error(ErrorKind::ledger,
               [] { LedgerRecord::parse(std::string(kMostLineBytes + 1, '{')); });
}

TEST(LedgerRecord, HasADescriptionOfOneBoundedLine) {
  EXPECT_EQ(description_of("mean of age"), "mean of age");
  EXPECT_EQ(description_of("a\nb\x1b[2J\x7f"), "a b [2J ");
  EXPECT_EQ(description_of(std::string(256, 'x')).size(), 256);
  EXPECT_EQ(description_of(std::string(257, 'x')), std::string(253, 'x') + "...");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xe2\x82\xac";  // 3 bytes each
  const std::string cut = description_of(wide);
  EXPECT_EQ(cut, wide.substr(0, 252) + "...");
  EXPECT_EQ(description_of(cut), cut);
}

TEST(UtcText, IsTheCalendars) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(951782400), "2000-02-29T00:00:00Z");
  EXPECT_EQ(utc_text(951868799), "2000-02-29T23:59:59Z");
  EXPECT_EQ(utc_text(1795306200), "2026-11-22T00:10:00Z");
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(-2203891201), "1900-02-28T23:59:59Z");
  EXPECT_EQ(utc_text(-2203891200), "1900-03-01T00:00:00Z");
  EXPECT_EQ(utc_text(253402300799), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(std::int64_t{1} << 62), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(-(std::int64_t{1} << 62)), "0000-01-01T00:00:00Z");
}

}  // namespace
}  // namespace dp::test::record_test

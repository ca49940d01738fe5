#include "core/query/cell_classes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/query/text_values.h"
#include "query/query_tables.h"
#include "support/doubles.h"

namespace dp::test::cell_classes_test {
namespace {

using query::CellClass;
using query::Field;
using query::FieldType;
using query::kNone;
using query::QueryColumn;
using Kind = QueryColumn::Kind;
using Classes = std::vector<CellClass>;

constexpr auto kFits = CellClass::fits;
constexpr auto kMissing = CellClass::missing;
constexpr auto kUnknown = CellClass::unknown;
constexpr auto kBelow = CellClass::below;
constexpr auto kAbove = CellClass::above;
constexpr auto kUndecodable = CellClass::undecodable;

Classes classes_in(Field declared, const QueryColumn& column, std::size_t size) {
  declared.rounds = declared.type == FieldType::integer;
  declared.parses = declared.type == FieldType::date || declared.whole_levels;
  query::TextPool texts;
  query::Cells cells;
  query::FieldReader(query::classes_of(declared, "class"), column, texts).read(0, size, cells);
  Classes classes;
  for (const std::int64_t cell : cells.wholes) classes.push_back(static_cast<CellClass>(cell));
  return classes;
}

QueryColumn texts_of(const std::vector<std::string_view>& labels) {
  std::vector<std::int32_t> places;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    places.push_back(static_cast<std::int32_t>(i) + 1);
  }
  places.push_back(kNa32);
  QueryColumn column = column_of<std::int32_t>("x", Kind::text, places);
  column.labels = labels;
  return column;
}

TEST(CellClasses, NumbersLieInTheirBoundsOrBeyondOneOfThem) {
  Field field = whole_field("x", 0, 5);
  field.na = {-9};
  const std::vector<double> cells{0.4, 5.5, 5.6, -0.5, -0.6, kNaN, -kInf, kInf, -9, 1e300};
  EXPECT_EQ(
      classes_in(field, column_of<double>("x", Kind::real, cells), cells.size()),
      (Classes{kFits, kAbove, kAbove, kFits, kBelow, kMissing, kBelow, kAbove, kMissing, kAbove}));
  field.wholes.reset();
  EXPECT_EQ(classes_in(field, column_of<double>("x", Kind::real, {kInf, kNaN, 0.5, -9}), 4),
            (Classes{kFits, kMissing, kFits, kMissing}));
  EXPECT_EQ(
      classes_in(
          real_field("x", -1, 2), column_of<std::int32_t>("x", Kind::int32, {-2, 2, 3, kNa32}), 4),
      (Classes{kBelow, kFits, kAbove, kMissing}));
}

TEST(CellClasses, CellsThatTheSourceCouldNotReadAreUndecodable) {
  QueryColumn column = column_of<double>("x", Kind::real, {1, kNaN, kNaN});
  static const std::int32_t kUnread[] = {0, 1, 0};
  column.unread = {std::shared_ptr<const void>(), kUnread};
  EXPECT_EQ(classes_in(real_field("x", 0, 2), column, 3), (Classes{kFits, kUndecodable, kMissing}));
}

TEST(CellClasses, TextsAreLevelsOrUnknownAndBytesAreUndecodable) {
  Field field = plain_field("x", FieldType::levels);
  field.levels = {"1", "b"};
  field.na_texts = {"?"};
  const auto column = texts_of({"1", "01", "b", "?", "", "\xff"});
  EXPECT_EQ(classes_in(field, column, 7),
            (Classes{kFits, kUnknown, kFits, kMissing, kUnknown, kUndecodable, kMissing}));
  field.whole_levels = true;
  field.levels = {"1", "2"};
  EXPECT_EQ(classes_in(field, column, 7),
            (Classes{kFits, kFits, kUnknown, kMissing, kUnknown, kUndecodable, kMissing}));
  field.encoding = Field::Encoding::latin1;
  EXPECT_EQ(classes_in(field, column, 7)[5], kUnknown);
}

TEST(CellClasses, DaysInTextsAreComparedWithBoundsAndCodes) {
  Field field = plain_field("x", FieldType::date);
  field.wholes = {0, 10};
  field.na = {5};
  const auto column = texts_of({"1970-01-01",
                                "1969-12-31 23:59",
                                "1970-01-12T00:00:00.5",
                                "1970-01-06",
                                "1.1.1970",
                                "1970-01-01Z"});
  EXPECT_EQ(classes_in(field, column, 7),
            (Classes{kFits, kBelow, kAbove, kMissing, kUndecodable, kUndecodable, kMissing}));
  const auto reals = column_of<double>("x", Kind::date, {10.9, 11, -0.1, kInf, kNaN, 5.5});
  EXPECT_EQ(classes_in(field, reals, 6),
            (Classes{kFits, kAbove, kBelow, kUndecodable, kMissing, kMissing}));
}

TEST(TextValues, ADayMayHaveATimeWithoutAnOffset) {
  EXPECT_EQ(query::day_in("1970-01-02", false), 1);
  for (const char* text : {"1970-01-02 00:00",
                           "1970-01-02T23:59",
                           "1970-01-02 23:59:59",
                           "1970-01-02T23:59:59.999999"}) {
    EXPECT_EQ(query::day_in(text, true), 1) << text;
    EXPECT_EQ(query::day_in(text, false), kNone) << text;
  }
  for (const char* text : {"",
                           "1970-01-02 ",
                           "1970-01-02 24:00",
                           "1970-01-02 23:60",
                           "1970-01-02 23:59:60",
                           "1970-01-02 1:00",
                           "1970-01-02 10",
                           "1970-01-02 10:00Z",
                           "1970-01-02 10:00:00+01:00",
                           "1970-01-02 10:00:00.",
                           "1970-01-02x10:00",
                           "1970-02-29",
                           "0000-01-01",
                           "70-01-02"}) {
    EXPECT_EQ(query::day_in(text, true), kNone) << text;
  }
}

TEST(TextValues, LeadingZerosOfDigitsAreLeftOut) {
  using query::without_leading_zeros;
  EXPECT_EQ(without_leading_zeros("01"), "1");
  EXPECT_EQ(without_leading_zeros("-007"), "-7");
  EXPECT_EQ(without_leading_zeros("000"), "0");
  EXPECT_EQ(without_leading_zeros("-00"), "-0");
  EXPECT_EQ(without_leading_zeros("0x1"), "0x1");
  EXPECT_EQ(without_leading_zeros("00.5"), "0.5");
  EXPECT_EQ(without_leading_zeros(""), "");
  EXPECT_EQ(without_leading_zeros("-"), "-");
}

}  // namespace
}  // namespace dp::test::cell_classes_test

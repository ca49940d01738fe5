#include "core/query/coerce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric/lattice.h"
#include "core/query/quantise.h"
#include "query/query_tables.h"
#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::coerce_test {
namespace {

using query::Cells;
using query::Field;
using query::FieldType;
using query::kNone;
using query::QueryColumn;
using Kind = QueryColumn::Kind;
using Wholes = std::vector<std::int64_t>;

Cells read(const Field& field, const QueryColumn& column, std::size_t size) {
  query::TextPool texts;
  Cells cells;
  query::FieldReader(field, column, texts).read(0, size, cells);
  return cells;
}

TEST(Coercion, WholeNumbersAreClampedWhateverTheyAreKeptAs) {
  const Field field = whole_field("n", -5, 10);
  const auto narrow = column_of<std::int32_t>("n", Kind::int32, {-6, 10, 11, kNa32});
  EXPECT_EQ(read(field, narrow, 4).wholes, (Wholes{-5, 10, 10, kNone}));
  const auto wide = column_of<std::int64_t>("n", Kind::int64, {kNa64 + 1, 3, -1, kNa64});
  EXPECT_EQ(read(field, wide, 4).wholes, (Wholes{-5, 3, -1, kNone}));
  const auto reals = column_of<double>("n", Kind::real, {-kInf, 1e300, kNaN, 2.5, 2, kInf, -0.0});
  EXPECT_EQ(read(field, reals, 7).wholes, (Wholes{-5, 10, kNone, kNone, 2, 10, 0}));
  const auto flags = column_of<std::int32_t>("n", Kind::logical, {0, 7, kNa32});
  EXPECT_EQ(read(field, flags, 3).wholes, (Wholes{0, 1, kNone}));
}

TEST(Coercion, RealsAreClampedAndNaNIsMissing) {
  const Field field = real_field("x", -1, 2);
  const auto cells = read(field, column_of<double>("x", Kind::real, {-kInf, kNaN, 2.1, 0.3}), 4);
  EXPECT_EQ(cells.reals[0], -1);
  EXPECT_TRUE(std::isnan(cells.reals[1]));
  EXPECT_EQ(cells.reals[2], 2);
  EXPECT_EQ(cells.reals[3], 0.3);
}

TEST(Coercion, DatesHaveNoTimeOfDayAndNoYearBeyond9999) {
  Field field = plain_field("d", FieldType::date);
  field.wholes = {0, 3000000};
  const auto reals =
      column_of<double>("d", Kind::date, {1.9, -0.5, 2932896.9, 2932897, kInf, kNaN});
  EXPECT_EQ(read(field, reals, 6).wholes, (Wholes{1, 0, 2932896, kNone, kNone, kNone}));
  const auto wholes = column_of<std::int32_t>("d", Kind::date32, {-719163, -719162, 5, kNa32});
  EXPECT_EQ(read(field, wholes, 4).wholes, (Wholes{kNone, 0, 5, kNone}));
}

TEST(Coercion, LevelsThatNobodyDeclaredAreMissing) {
  const Field field = levels_field("w", {"B", "A"});
  const auto text = text_column("w", {"A", "b", std::nullopt, "B", "A "});
  EXPECT_EQ(read(field, text, 5).wholes, (Wholes{1, kNone, kNone, 0, kNone}));
  QueryColumn factor = column_of<std::int32_t>("w", Kind::text, {1, 2, 3, 0, -1, kNa32});
  factor.labels = {"A", "A"};
  EXPECT_EQ(read(field, factor, 6).wholes, (Wholes{1, 1, kNone, kNone, kNone, kNone}));
}

TEST(Coercion, WholeLevelsAreFoundByValue) {
  Field field = levels_field("y", {"2024", "-3"});
  field.whole_levels = true;
  const auto reals = column_of<double>("y", Kind::real, {2024, -3, 2024.5, kNaN, kInf});
  EXPECT_EQ(read(field, reals, 5).wholes, (Wholes{0, 1, kNone, kNone, kNone}));
  EXPECT_EQ(read(field, text_column("y", {"2024", "02024"}), 2).wholes, (Wholes{0, kNone}));
}

TEST(Coercion, TextIsUtf8WithoutZeros) {
  const Field field = plain_field("t", FieldType::text);
  const Wholes cells =
      read(field, text_column("t", {"a", "\xff", std::string("a\0", 2), "a", ""}), 5).wholes;
  EXPECT_EQ(cells[0], cells[3]);
  EXPECT_NE(cells[0], cells[4]);
  EXPECT_EQ(cells[1], kNone);
  EXPECT_EQ(cells[2], kNone);
}

TEST(Coercion, FractionsRoundToNearestWithTiesToEvenIfTheFieldSaysSo) {
  Field field = whole_field("n", 1, 4);
  field.rounds = true;
  const auto reals = column_of<double>("n", Kind::real, {0.5, 0.6, 1.5, 2.5, 3.5, 4.5, 4.6, kNaN});
  EXPECT_EQ(read(field, reals, 8).wholes, (Wholes{1, 1, 2, 2, 4, 4, 4, kNone}));
  field.beyond = Field::Beyond::missing;
  EXPECT_EQ(read(field, reals, 8).wholes, (Wholes{kNone, 1, 2, 2, 4, 4, kNone, kNone}));
  field.fill = 3;
  EXPECT_EQ(read(field, reals, 8).wholes, (Wholes{3, 1, 2, 2, 4, 4, 3, 3}));
}

TEST(Coercion, KeysBeyondTheirBoundsAndCodesHaveNoValue) {
  Field field = real_field("x", 0, 2);
  field.beyond = Field::Beyond::missing;
  field.na = {1};
  const auto cells = read(field, column_of<double>("x", Kind::real, {-1, 0, 1, 2, 2.5, kInf}), 6);
  for (const std::size_t i : {0U, 2U, 4U, 5U}) EXPECT_TRUE(std::isnan(cells.reals[i])) << i;
  EXPECT_EQ(cells.reals[1], 0);
  EXPECT_EQ(cells.reals[3], 2);
  Field day = plain_field("d", FieldType::date);
  day.wholes = {0, 10};
  day.beyond = Field::Beyond::missing;
  const auto texts =
      text_column("d", {"1970-01-01", "1970-01-11", "1970-01-12", "1970-02-30", "x"});
  EXPECT_EQ(read(day, texts, 5).wholes, (Wholes{0, 10, kNone, kNone, kNone}));
}

TEST(Coercion, BytesAreReadInTheDeclaredEncodingUnlessTheyAreUtf8) {
  Field field = levels_field("t", {"Z\xc3\xbcrich", "\xe2\x82\xac"});
  const auto texts = text_column("t", {"Z\xfcrich", "Z\xc3\xbcrich", "\x80", "\x81", "\xa4"});
  EXPECT_EQ(read(field, texts, 5).wholes, (Wholes{kNone, 0, kNone, kNone, kNone}));
  field.encoding = Field::Encoding::windows1252;
  EXPECT_EQ(read(field, texts, 5).wholes, (Wholes{0, 0, 1, kNone, kNone}));
  field.encoding = Field::Encoding::latin9;
  EXPECT_EQ(read(field, texts, 5).wholes, (Wholes{0, 0, kNone, kNone, 1}));
}

TEST(Coercion, AColumnOfAnotherTypeIsRefusedByName) {
  const auto reals = column_of<double>("x", Kind::real, {1.0});
  const auto refused = [&](const Field& field, const QueryColumn& column) {
    const std::string sentence = expect_error(ErrorKind::source, [&] { read(field, column, 1); });
    EXPECT_NE(sentence.find("`" + field.name + "`"), std::string::npos);
  };
  refused(plain_field("x", FieldType::logical), reals);
  refused(plain_field("x", FieldType::text), reals);
  refused(plain_field("x", FieldType::date), reals);
  refused(levels_field("x", {"1"}), reals);
  refused(whole_field("t", 0, 1), text_column("t", {"1"}));
}

TEST(Ids, AreNeitherClampedNorRounded) {
  query::TextPool texts;
  const auto words = [&](const QueryColumn& column, std::size_t size) {
    std::vector<std::uint64_t> to(size);
    std::vector<std::uint8_t> there(size, 1);
    query::IdReader(column, texts).read(0, size, to.data(), 1, there.data());
    for (std::size_t i = 0; i < size; ++i) {
      if (there[i] == 0) to[i] = 0xabad1dea;
    }
    return to;
  };
  // Two neighbours beyond 2^53 that doubles do not distinguish.
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  const auto wide = words(column_of<std::int64_t>("i", Kind::int64, {large, large - 1, kNa64}), 3);
  EXPECT_NE(wide[0], wide[1]);
  EXPECT_EQ(wide[2], 0xabad1dea);
  const auto reals = words(column_of<double>("i", Kind::real, {0.0, -0.0, 0.5, kNaN, kInf}), 5);
  EXPECT_EQ(reals[0], reals[1]);
  EXPECT_NE(reals[0], reals[2]);
  EXPECT_EQ(reals[3], 0xabad1dea);
  EXPECT_NE(reals[4], 0xabad1dea);
  // Invalid UTF-8 is still a valid id, and different bytes are different people.
  const auto text =
      words(text_column("i", {"a", "a", "A", "\xff", "\xfe", std::string(query::kNoLabel)}), 6);
  EXPECT_EQ(text[0], text[1]);
  EXPECT_NE(text[0], text[2]);
  EXPECT_NE(text[3], 0xabad1dea);
  EXPECT_NE(text[3], text[4]);
  EXPECT_EQ(text[5], 0xabad1dea);
}

// The core's lattice, for values between and beyond the bounds.
TEST(Quantisation, IsTheCoresOwnLattice) {
  for (const auto& [lower, upper] : {std::pair{-3.7, 12.1}, {0.0, 1e-300}, {-1e200, 1.0}}) {
    const Lattice lattice = lattice_for(lower, upper);
    const query::Quantiser quantiser{lattice.exponent,
                                     lower,
                                     upper,
                                     lattice.index(lower) - 5,
                                     lattice.index(upper) - 5,
                                     5,
                                     std::nullopt};
    Cells cells;
    for (int i = -5; i <= 105; ++i) cells.reals.push_back(lower + (upper - lower) * i / 100);
    cells.reals.insert(cells.reals.end(), {kInf, -kInf, kNaN, -0.0, std::nextafter(upper, lower)});
    const auto z = query::quantised(quantiser, cells, true);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double x = cells.reals[i];
      const double held = std::min(std::max(x, lower), upper);
      EXPECT_EQ(z[i], std::isnan(x) ? kNone : lattice.index(held) - 5) << x;
    }
  }
}

TEST(Quantisation, WholeNumbersNeedNoRoundingAndFillsReplaceWhatIsMissing) {
  Cells cells;
  cells.wholes = {kNone, -4, 3, 100, kNone + 1};
  const query::Quantiser whole{0, 0, 10, -5, 5, 5, 2};
  EXPECT_EQ(query::quantised(whole, cells, false), (Wholes{2, -5, -2, 5, -5}));
  const query::Quantiser halves{1, 0, 10, 0, 5, 0, std::nullopt};
  EXPECT_EQ(query::quantised(halves, cells, false), (Wholes{kNone, 0, 2, 5, 0}));
}

}  // namespace
}  // namespace dp::test::coerce_test

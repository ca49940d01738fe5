#include "core/transformations/frames/split_records.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/tables.h"

namespace dp::test::split_records_test {
namespace {

Table records(const std::vector<std::string>& lines,
              const std::optional<std::string>& separator = std::nullopt,
              const RecordStyle& style = {}) {
  return to_table(
      make_split_records(separator, style).invoke(make_column(AtomType::string, lines)));
}

Table quoted(const std::vector<std::string>& lines) { return records(lines, ",", {'"', {}}); }

TEST(SplitRecords, CutsAndTrims) {
  EXPECT_EQ(records({"ant, foo", "bat, bar"}), (Table{{"ant", "foo"}, {"bat", "bar"}}));
  EXPECT_EQ(records({"", ",", " a ,\xC2\xA0 b\t"}), (Table{{""}, {"", ""}, {"a", "b"}}));
  EXPECT_EQ(records({"a, b;;c;d"}, ";;"), (Table{{"a, b", "c;d"}}));
  EXPECT_EQ(records({"\"a,b\""}), (Table{{"\"a", "b\""}}));  // no quoting
}

TEST(SplitRecords, RefusesAnEmptySeparatorAndWhatIsNoQuote) {
  expect_error(ErrorKind::make_transformation, [] { make_split_records(std::string()); });
  for (const char quote : {'\0', ' ', '\t', '\n', '\x7F', '\xE9'}) {
    expect_error(ErrorKind::make_transformation, [&] { make_split_records({}, {quote, {}}); });
  }
  expect_error(ErrorKind::make_transformation, [] { make_split_records("a\"b", {'"', {}}); });
  EXPECT_NO_THROW(make_split_records("a\"b", {'\'', {}}));
}

TEST(SplitRecords, ReadsQuotedFieldsByRfc4180) {
  EXPECT_EQ(quoted({"\"a,b\",c", "a,\"b\"", "\"\",x"}),
            (Table{{"a,b", "c"}, {"a", "b"}, {"", "x"}}));
  EXPECT_EQ(quoted({"\"say \"\"hi\"\", he\",1", "\"\"\"\",2", "\"\"\"a\",3"}),
            (Table{{"say \"hi\", he", "1"}, {"\"", "2"}, {"\"a", "3"}}));
  // White space is dropped around quotes and kept within them.
  EXPECT_EQ(quoted({"  \" a \"\t, b "}), (Table{{" a ", "b"}}));
  EXPECT_EQ(quoted({"\xC2\xA0\"a,b\"\xC2\xA0,c"}), (Table{{"a,b", "c"}}));
  EXPECT_EQ(quoted({"", ",", "\"\""}), (Table{{""}, {"", ""}, {""}}));
  EXPECT_EQ(records({"'a;;b';;\"c"}, ";;", {'\'', {}}), (Table{{"a;;b", "\"c"}}));
  // White space that is the separator is not dropped.
  EXPECT_EQ(records({"\t\"a\tb\"\t c", "\"x\" \t"}, "\t", {'"', {}}),
            (Table{{"", "a\tb", "c"}, {"x", ""}}));
}

TEST(SplitRecords, TakesQuotesInOtherPlacesForCharacters) {
  EXPECT_EQ(quoted({"5\" x,6\"", "a \"b,c\""}), (Table{{"5\" x", "6\""}, {"a \"b", "c\""}}));
  EXPECT_EQ(quoted({"\"a\"b,c", "\"a\" \"\"b\",c"}), (Table{{"ab", "c"}, {"a \"\"b\"", "c"}}));
}

TEST(SplitRecords, EndsAnOpenQuoteWithItsLineAndLeavesOtherLinesAlone) {
  EXPECT_EQ(quoted({"\"a,b", "c,d\"", "e,f"}), (Table{{"a,b"}, {"c", "d\""}, {"e", "f"}}));
  EXPECT_EQ(quoted({"\"", "\"\"\"", "\"a\"\"", "x"}), (Table{{""}, {"\""}, {"a\""}, {"x"}}));
}

// Every short line, compared with a reference that spells out the effect of each character.
TEST(SplitRecords, AgreesWithAStateMachineOnAllShortLines) {
  const auto plain = [](const std::string& line) {
    std::vector<std::string> fields;
    std::string field;
    enum { before, bare, open, closed } state = before;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const bool end = i == line.size();
      if (end || (line[i] == ',' && state != open)) {
        fields.push_back(field);
        field.clear();
        state = before;
      } else if (state == before) {
        state = line[i] == '"' ? open : bare;
        if (state == bare) field += line[i];
      } else if (state == open && line[i] == '"') {
        const bool twice = i + 1 < line.size() && line[i + 1] == '"';
        if (twice) {
          field += '"';
          ++i;
        } else {
          state = closed;
        }
      } else {
        field += line[i];
      }
    }
    return fields;
  };
  const std::string characters = "a,\"";
  for (std::size_t size = 0, count = 1; size <= 8; ++size, count *= characters.size()) {
    std::vector<std::string> lines;
    Table expected;
    for (std::size_t code = 0; code < count; ++code) {
      std::string line;
      for (std::size_t i = 0, rest = code; i < size; ++i, rest /= characters.size()) {
        line += characters[rest % characters.size()];
      }
      lines.push_back(line);
      expected.push_back(plain(line));
    }
    ASSERT_EQ(quoted(lines), expected) << size;
    // Splits field by field, as an independent method.
    const Value split =
        make_split_records({}, {'"', {}}).invoke(make_column(AtomType::string, lines));
    for (std::size_t field = 0; field < 4; ++field) {
      const auto column = to_dataset<std::string>(Value(field_of(records_in(split), field)));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string said = field < expected[i].size() ? expected[i][field] : "";
        ASSERT_EQ(*column[i], said) << lines[i] << ' ' << field;
      }
    }
  }
}

TEST(SplitRecords, LeavesOutEveryRecordThatEqualsTheHeaderWhereverItStands) {
  const RecordStyle style{'"', {"name", "age"}};
  EXPECT_EQ(
      records({"name,age", "ann,3", "\"name\", age", "bob,4", "age,name", "name"}, ",", style),
      (Table{{"ann", "3"}, {"bob", "4"}, {"age", "name"}, {"name"}}));
  EXPECT_EQ(records({"name,age"}, ",", style), Table{});
  EXPECT_EQ(records({}, ",", style), Table{});
  // Across batch boundaries, and with runs of headers.
  std::vector<std::string> lines;
  Dataset<std::string> expected;
  for (int i = 0; i < 5000; ++i) {
    const bool header = i % 7 == 0 || (i > 1020 && i < 1030) || i > 4990;
    lines.push_back(header ? "name,age" : "x," + std::to_string(i));
    if (!header) expected.push_back(std::to_string(i));
  }
  for (const bool copied : {false, true}) {
    ColumnPtr rows = make_column(AtomType::string, lines);
    if (copied) rows = std::make_shared<CopiedColumn>(rows);
    const Value split = make_split_records({}, style).invoke(rows);
    EXPECT_EQ(to_dataset<std::string>(Value(field_of(records_in(split), 1))), expected);
    EXPECT_EQ(records_in(split)->record(3), (std::vector<std::string>{"x", "4"}));
  }
}

TEST(SplitRecords, ReadsFieldsOfLinesThatLieInTheBuffer) {
  const ColumnPtr lines = make_column<std::string>(AtomType::string, {"a,b", "c", ",d"});
  const Value copied =
      make_split_records({}).invoke(ColumnPtr(std::make_shared<CopiedColumn>(lines)));
  EXPECT_EQ(to_dataset<std::string>(Value(field_of(records_in(copied), 1))),
            (Dataset<std::string>{"b", "", "d"}));
}

TEST(SplitRecords, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto lift = [](const Table& table) {
    std::vector<std::string> lines;
    for (const auto& record : table) {
      std::string line = to_text({record});
      line.pop_back();
      lines.push_back(line);
    }
    return Value(make_column(AtomType::string, lines));
  };
  const auto t = make_split_records({});
  expect_stable_tables(t, 2, lift);
  for (const RecordStyle& style : {RecordStyle{'"', {}}, RecordStyle{'"', {"a", "b"}}}) {
    expect_stable_tables(make_split_records({}, style), 2, lift);
  }
  // Mutant: drops the first line whatever it says, so two texts of the same lines would differ.
  const auto first = with_function(t, whole_function([t](const Value& value) -> Value {
                                     Table table = to_table(t.function()(value));
                                     if (!table.empty()) table.erase(table.begin());
                                     return RecordsPtr(std::make_shared<OwnedRecords>(table));
                                   }));
  EXPECT_FALSE(covers_tables(first, 2, lift));
  // Mutant: fills empty fields from the previous record.
  const auto mutant = with_function(t, whole_function([t](const Value& value) -> Value {
                                      Table table = to_table(t.function()(value));
                                      for (std::size_t i = 1; i < table.size(); ++i) {
                                        if (table[i][0].empty()) table[i][0] = table[i - 1][0];
                                      }
                                      return RecordsPtr(std::make_shared<OwnedRecords>(table));
                                    }));
  EXPECT_FALSE(covers_tables(mutant, 2, lift));
}

}  // namespace
}  // namespace dp::test::split_records_test

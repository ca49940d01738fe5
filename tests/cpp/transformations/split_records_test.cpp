#include "core/transformations/split_records.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/tables.h"

namespace dp::test {
namespace {

Table records(const std::vector<std::string>& lines,
              const std::optional<std::string>& separator = std::nullopt) {
  return to_table(make_split_records(separator).invoke(make_rows(AtomType::string, lines)));
}

TEST(SplitRecords, CutsAndTrims) {
  EXPECT_EQ(records({"ant, foo", "bat, bar"}), (Table{{"ant", "foo"}, {"bat", "bar"}}));
  EXPECT_EQ(records({"", ",", " a ,\xC2\xA0 b\t"}), (Table{{""}, {"", ""}, {"a", "b"}}));
  EXPECT_EQ(records({"a, b;;c;d"}, ";;"), (Table{{"a, b", "c;d"}}));
  EXPECT_EQ(records({"\"a,b\""}), (Table{{"\"a", "b\""}}));  // no quoting
}

TEST(SplitRecords, RefusesAnEmptySeparator) {
  expect_error(ErrorKind::make_transformation, [] { make_split_records(std::string()); });
}

TEST(SplitRecords, ReadsFieldsOfLinesThatLieInTheBuffer) {
  const RowsPtr lines = make_rows<std::string>(AtomType::string, {"a,b", "c", ",d"});
  const Value copied = make_split_records({}).invoke(RowsPtr(std::make_shared<CopiedRows>(lines)));
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
    return Value(make_rows(AtomType::string, lines));
  };
  const auto t = make_split_records({});
  expect_stable_tables(t, 2, lift);
  // Fills empty fields from the record before.
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
}  // namespace dp::test

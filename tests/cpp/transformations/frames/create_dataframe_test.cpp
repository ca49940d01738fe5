#include "core/transformations/frames/create_dataframe.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/tables.h"

namespace dp::test::create_dataframe_test {
namespace {

const Scalar kA = std::string("A"), kB = std::string("B");

Value records(const Table& table) { return RecordsPtr(std::make_shared<OwnedRecords>(table)); }

Dataset<std::string> column(const Value& frame, const Scalar& name) {
  return to_dataset<std::string>(Value(frame_in(frame)->column(name, AtomType::string)));
}

TEST(CreateDataframe, MakesRecordsRectangularAndTrimsNothing) {
  const auto t = make_create_dataframe({kA, kB}, AtomType::string);
  const Value frame = t.invoke(records({{"1", " x "}, {"2"}, {"3", "z", "?"}, {}}));
  EXPECT_EQ(column(frame, kA), (Dataset<std::string>{"1", "2", "3", ""}));
  EXPECT_EQ(column(frame, kB), (Dataset<std::string>{" x ", "", "z", ""}));
  EXPECT_EQ(t.output_domain(), Domain(DataFrameDomain{AtomType::string}));
}

TEST(CreateDataframe, OfEqualNamesTheLastWinsAndNoRecordsAreEmptyColumns) {
  const auto t = make_create_dataframe({kA, kA}, AtomType::string);
  EXPECT_EQ(column(t.invoke(records({{"1", "2"}})), kA), (Dataset<std::string>{"2"}));
  EXPECT_TRUE(column(t.invoke(records({})), kA).empty());
}

TEST(CreateDataframe, NamesMayBeOfAnyHashableType) {
  const auto t = make_create_dataframe({Scalar(true), Scalar(false)}, AtomType::boolean);
  EXPECT_EQ(column(t.invoke(records({{"1", "2"}})), Scalar(false)), (Dataset<std::string>{"2"}));
  expect_error(ErrorKind::type, [] { make_create_dataframe({Scalar(1.0)}, AtomType::f64); });
  expect_error(ErrorKind::failed_cast, [] {
    make_create_dataframe({kA, Scalar(true)}, AtomType::string);
  });
}

TEST(CreateDataframe, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto t = make_create_dataframe({kA, kB}, AtomType::string);
  expect_stable_tables(t, 2, records);
  // Mutant: sorts one column separately, so rows come apart.
  const auto mutant = with_function(t, whole_function([](const Value& value) -> Value {
                                      Table table = to_table(value);
                                      std::vector<std::string> firsts;
                                      for (const auto& record : table) firsts.push_back(record[0]);
                                      std::sort(firsts.begin(), firsts.end());
                                      for (std::size_t i = 0; i < table.size(); ++i)
                                        table[i][0] = firsts[i];
                                      return to_frame(table, 2);
                                    }));
  EXPECT_FALSE(covers_tables(mutant, 2, records));
}

}  // namespace
}  // namespace dp::test::create_dataframe_test

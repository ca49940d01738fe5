#include "core/transformations/frames/subset_by.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/frames/df_is_equal.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "support/expect_error.h"
#include "support/tables.h"

namespace dp::test::subset_by_test {
namespace {

const Scalar kA = std::string("A"), kB = std::string("B"), kC = std::string("C");
const Domain kFrames = DataFrameDomain{AtomType::string};

Value frame(const Table& table) { return to_frame(table, 2); }

// Rows whose column B is "2.".
Transformation twos(const std::vector<Scalar>& keep) {
  return make_chain_tt(
      make_subset_by(kB, keep, AtomType::string),
      make_df_is_equal(kFrames, symmetric_distance(), kB, std::string("2."), AtomType::string));
}

TEST(SubsetBy, KeepsTheColumnsAndRowsAskedForAsInTheWorkedExample) {
  const auto load = make_split_dataframe(std::string(","), {kA, kB}, AtomType::string);
  const auto t = make_chain_tt(make_select_column(kA, AtomType::string, AtomType::string),
                               make_chain_tt(twos({kA}), load));
  EXPECT_EQ(to_dataset<std::string>(t.invoke(Scalar(std::string("0,0.\n1,1.\n2,2.\n3,3.")))),
            (Dataset<std::string>{"2"}));
}

TEST(SubsetBy, KeepsTheIndicatorOnlyIfItIsNamed) {
  const Table data = {{"a", "2."}, {"b", "1"}, {"c", "2."}};
  EXPECT_EQ(frame_in(twos({kA}).invoke(frame(data)))->columns().size(), 1u);
  EXPECT_EQ(to_table(twos({kB, kA}).invoke(frame(data))),
            (Table{{"true", "\"a\""}, {"true", "\"c\""}}));
  EXPECT_TRUE(frame_in(twos({}).invoke(frame(data)))->columns().empty());
}

TEST(SubsetBy, TheShortestColumnDecides) {
  const FramePtr ragged = std::make_shared<Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{kA, make_column<std::int32_t>(AtomType::i32, {1, 2})},
                               {kB, rows_in(to_value<bool>(AtomType::boolean, {true, true, true}))},
                               {kC, make_column<std::int32_t>(AtomType::i32, {1, 2, 3, 4})}});
  const auto t = make_subset_by(kB, {kA, kC}, AtomType::string);
  EXPECT_EQ(to_table(t.invoke(ragged)), (Table{{"1", "1"}, {"2", "2"}}));
}

TEST(SubsetBy, RefusesWhatItMust) {
  expect_error(ErrorKind::failed_cast, [] { make_subset_by(kA, {Scalar(1)}, AtomType::string); });
  expect_error(ErrorKind::type, [] { make_subset_by(Scalar(1.0), {}, AtomType::f64); });
  const Value data = frame({{"a", "b"}});
  expect_error(ErrorKind::failed_cast,
               [&] { make_subset_by(kA, {kB}, AtomType::string).invoke(data); });
  expect_error(ErrorKind::failed_function,
               [&] { make_subset_by(kC, {kB}, AtomType::string).invoke(data); });
  expect_error(ErrorKind::failed_function, [&] { twos({kC}).invoke(data); });
}

TEST(SubsetBy, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto t = twos({kA});
  expect_stable_tables(t, 2, frame);
  // Mutant: keeps all rows or none, depending on the first row.
  const auto mutant = with_function(
      t, whole_function([](const Value& value) -> Value {
        const Table table = to_table(value);
        return to_frame(!table.empty() && table[0][1] == "\"2.\"" ? table : Table{}, 1);
      }));
  EXPECT_FALSE(covers_tables(mutant, 2, frame));
}

}  // namespace
}  // namespace dp::test::subset_by_test

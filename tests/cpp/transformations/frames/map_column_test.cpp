// The two constructors that replace a column of a data frame.
#include "core/transformations/frames/map_column.h"

#include <gtest/gtest.h>

#include "core/combinators/chain.h"
#include "core/transformations/frames/df_cast_default.h"
#include "core/transformations/frames/df_is_equal.h"
#include "core/transformations/frames/select_column.h"
#include "core/transformations/frames/split_dataframe.h"
#include "support/expect_error.h"
#include "support/tables.h"

namespace dp::test::map_column_test {
namespace {

const Scalar kA = std::string("A"), kB = std::string("B");
const Scalar k17 = std::string("17"), k23 = std::string("23");
const Domain kFrames = DataFrameDomain{AtomType::string};

Value frame(const Table& table) { return to_frame(table, 2); }

Transformation then(const Transformation& first, const Transformation& second) {
  return make_chain_tt(second, first);
}

Transformation loaded() {
  return make_split_dataframe(std::string(","), {k23, k17}, AtomType::string);
}

const Value kText = Scalar(std::string("0,0.\n1,1.\n2,2.\n3,3."));

TEST(DfCastDefault, CastsAColumnTwiceAsInTheWorkedExample) {
  auto t = then(
      loaded(),
      make_df_cast_default(kFrames, symmetric_distance(), k23, AtomType::string, AtomType::i32));
  t = then(
      t,
      make_df_cast_default(kFrames, symmetric_distance(), k23, AtomType::i32, AtomType::boolean));
  const auto numbers = then(t, make_select_column(k23, AtomType::string, AtomType::boolean));
  EXPECT_EQ(to_dataset<bool>(numbers.invoke(kText)), (Dataset<bool>{false, true, true, true}));
  // The other column is unchanged.
  const auto other = then(t, make_select_column(k17, AtomType::string, AtomType::string));
  EXPECT_EQ(to_dataset<std::string>(other.invoke(kText)),
            (Dataset<std::string>{"0.", "1.", "2.", "3."}));
}

TEST(DfCastDefault, CastsToText) {
  auto t = then(
      loaded(),
      make_df_cast_default(kFrames, symmetric_distance(), k17, AtomType::string, AtomType::f64));
  t = then(
      t, make_df_cast_default(kFrames, symmetric_distance(), k17, AtomType::f64, AtomType::string));
  const auto text = then(t, make_select_column(k17, AtomType::string, AtomType::string));
  EXPECT_EQ(to_dataset<std::string>(text.invoke(kText)),
            (Dataset<std::string>{"0", "1", "2", "3"}));
}

TEST(DfIsEqual, ComparesAColumnAsInTheWorkedExample) {
  const auto t =
      then(then(loaded(),
                make_df_is_equal(
                    kFrames, symmetric_distance(), k17, std::string("2."), AtomType::string)),
           make_select_column(k17, AtomType::string, AtomType::boolean));
  EXPECT_EQ(to_dataset<bool>(t.invoke(kText)), (Dataset<bool>{false, false, true, false}));
}

TEST(MapColumn, RefusesWhatItMust) {
  const auto cast = [](const Domain& domain, const Metric& metric, const Scalar& column) {
    return make_df_cast_default(domain, metric, column, AtomType::string, AtomType::i32);
  };
  expect_error(ErrorKind::failed_cast,
               [&] { cast(vector_of(default_atom(AtomType::string)), symmetric_distance(), kA); });
  expect_error(ErrorKind::failed_cast,
               [&] { cast(DataFrameDomain{AtomType::i32}, symmetric_distance(), kA); });
  expect_error(ErrorKind::type, [&] { cast(kFrames, hamming_distance(), kA); });
  EXPECT_EQ(cast(kFrames, insert_delete_distance(), kA).output_metric(), insert_delete_distance());
  const auto missing = cast(kFrames, symmetric_distance(), std::string("Z"));
  expect_error(ErrorKind::failed_function, [&] { missing.invoke(frame({{"1", "2"}})); });
  const auto wrong =
      make_df_cast_default(kFrames, symmetric_distance(), kA, AtomType::i32, AtomType::f64);
  expect_error(ErrorKind::failed_cast, [&] { wrong.invoke(frame({{"1", "2"}})); });
  expect_error(ErrorKind::failed_cast, [] {
    make_df_is_equal(kFrames, symmetric_distance(), kA, Scalar(1.0), AtomType::string);
  });
  expect_error(ErrorKind::type, [] {
    make_df_cast_default(kFrames, symmetric_distance(), kA, AtomType::i128, AtomType::i32);
  });
}

TEST(MapColumn, D_SEN_1_D_DOM_1_TheMapsCoverNeighboursAndMutantsAreRejected) {
  for (const Transformation& t :
       {make_df_cast_default(kFrames, symmetric_distance(), kA, AtomType::string, AtomType::i32),
        make_df_is_equal(kFrames, symmetric_distance(), kB, std::string("x"), AtomType::string)}) {
    expect_stable_tables(t, 2, frame);
    // Mutant: the column of all rows depends on the first row.
    const auto mutant = with_function(t, whole_function([](const Value& value) -> Value {
                                        Table table = to_table(value);
                                        for (auto& record : table)
                                          record[0] = table.front()[0] + record[0];
                                        return to_frame(table, 2);
                                      }));
    EXPECT_FALSE(covers_tables(mutant, 2, frame));
  }
}

}  // namespace
}  // namespace dp::test::map_column_test

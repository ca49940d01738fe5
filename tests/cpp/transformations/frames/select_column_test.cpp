#include "core/transformations/frames/select_column.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/tables.h"

namespace dp::test::select_column_test {
namespace {

const Scalar kA = std::string("A");

Value frame(const Table& table) { return to_frame(table, 2); }

TEST(SelectColumn, GivesTheRowsOfAColumnWhereTheyLie) {
  const ColumnPtr rows = make_column<double>(AtomType::f64, {1, 2});
  const FramePtr data =
      std::make_shared<Frame>(AtomType::string, std::vector<NamedColumn>{{kA, rows}});
  const auto t = make_select_column(kA, AtomType::string, AtomType::f64);
  EXPECT_EQ(rows_in(t.invoke(data)), rows);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::f64)));  // NaN allowed
}

TEST(SelectColumn, RefusesWhatItMust) {
  const auto t = make_select_column(kA, AtomType::string, AtomType::i32);
  expect_error(ErrorKind::failed_cast, [&] { t.invoke(frame({{"1", "2"}})); });
  const auto missing = make_select_column(std::string("Z"), AtomType::string, AtomType::string);
  expect_error(ErrorKind::failed_function, [&] { missing.invoke(frame({{"1", "2"}})); });
  expect_error(ErrorKind::type, [] { make_select_column(kA, AtomType::string, AtomType::i128); });
  expect_error(ErrorKind::type,
               [] { make_select_column(Scalar(1.0), AtomType::f64, AtomType::i32); });
  expect_error(ErrorKind::failed_cast,
               [] { make_select_column(kA, AtomType::i32, AtomType::i32); });
}

TEST(SelectColumn, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto t = make_select_column(kA, AtomType::string, AtomType::string);
  expect_stable_tables(t, 2, frame);
  // Mutant: joins each row with the previous one.
  const auto mutant = with_function(t, whole_function([t](const Value& value) -> Value {
                                      auto data = to_dataset<std::string>(t.function()(value));
                                      for (std::size_t i = data.size(); i-- > 1;)
                                        *data[i] += *data[i - 1];
                                      return to_value(AtomType::string, data);
                                    }));
  EXPECT_FALSE(covers_tables(mutant, 2, frame));
}

}  // namespace
}  // namespace dp::test::select_column_test

#include "core/data/column.h"

#include <gtest/gtest.h>

#include "core/data/value.h"
#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::column_test {
namespace {

TEST(OwnedColumn, StartPresentAndReadWhereTheyLie) {
  OwnedColumn<double> rows(AtomType::f64, 5);
  BatchBuffer buffer;
  EXPECT_EQ(rows.read(0, 5, buffer).valid, nullptr);
  rows.cells()[3] = 0.5;
  rows.valid()[4] = 0;
  const Batch batch = rows.read(2, 3, buffer);
  EXPECT_EQ(batch.size, 3u);
  EXPECT_EQ(batch.as<double>(), rows.cells() + 2);
  EXPECT_EQ(batch.as<double>()[1], 0.5);
  EXPECT_EQ(batch.valid[1], 1);
  EXPECT_EQ(batch.valid[2], 0);
}

TEST(OwnedColumn, KeepTheTextOfTheirCells) {
  ColumnPtr rows;
  {
    const std::vector<std::string> text = {"a", std::string(1000, 'b'), ""};
    rows = make_column<std::string>(AtomType::string, text);
  }
  const auto data = to_dataset<std::string>(rows);
  EXPECT_EQ(data, (Dataset<std::string>{"a", std::string(1000, 'b'), ""}));
}

TEST(OwnedColumn, MayBeEmpty) {
  EXPECT_EQ((make_column<bool>(AtomType::boolean, {})->size()), 0u);
  EXPECT_TRUE(to_dataset<bool>(make_column<bool>(AtomType::boolean, {})).empty());
}

TEST(BatchBuffer, CellsAreAlignedForVectorInstructions) {
  BatchBuffer buffer;
  for (const std::size_t size : {1, 7, 1024, 3}) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.cells<double>(size));
    EXPECT_EQ(address % 64, 0u);
  }
}

TEST(BatchBuffer, ViewsLastUntilTheTextIsCleared) {
  BatchBuffer buffer;
  std::vector<std::string_view> views;
  for (int i = 0; i < 1000; ++i) views.push_back(buffer.keep(std::to_string(i)));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(views[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(Value, GivesWhatItHoldsInItsTypeOnly) {
  EXPECT_EQ(element_in<double>(Scalar(0.5)), 0.5);
  expect_error(ErrorKind::failed_cast, [] { element_in<double>(Scalar(1)); });
  expect_error(ErrorKind::failed_cast, [] { element_in<double>(Value::Null{}); });
  expect_error(ErrorKind::failed_cast, [] { rows_in(Scalar(1)); });
}

TEST(Value, CarriersAreChecked) {
  const Domain ints = vector_of(default_atom(AtomType::i32));
  const Domain options = vector_of(OptionDomain{default_atom(AtomType::i32)});
  const Value rows = to_value<std::int32_t>(AtomType::i32, {1});
  EXPECT_TRUE(has_carrier(rows, ints));
  EXPECT_TRUE(has_carrier(rows, options));
  EXPECT_FALSE(has_carrier(rows, vector_of(default_atom(AtomType::i64))));
  EXPECT_FALSE(has_carrier(rows, default_atom(AtomType::i32)));
  EXPECT_TRUE(has_carrier(Scalar(1), default_atom(AtomType::i32)));
  EXPECT_FALSE(has_carrier(Scalar(1.0), default_atom(AtomType::i32)));
  const std::string text =
      expect_error(ErrorKind::failed_cast, [&] { check_carrier(Scalar(1.5), ints); });
  EXPECT_EQ(text.find("1.5"), std::string::npos);
}

}  // namespace
}  // namespace dp::test::column_test

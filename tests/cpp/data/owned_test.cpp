#include "core/data/owned.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/data/map.h"

namespace dp::test::owned_test {
namespace {

// Rows in foreign memory.
template <class T>
class Borrowed final : public Column {
 public:
  Borrowed(AtomType type, const std::vector<T>& cells) : type_(type), cells_(cells) {}
  AtomType type() const override { return type_; }
  std::size_t size() const override { return cells_.size(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    Element<T>* out = buffer.cells<T>(size);
    std::uint8_t* valid = buffer.valid(size);
    for (std::size_t i = 0; i < size; ++i) {
      out[i] = cells_[begin + i];
      valid[i] = (begin + i) % 5 != 3;
    }
    return {out, valid, size};
  }

 private:
  AtomType type_;
  const std::vector<T>& cells_;
};

TEST(Owned, RowsOutliveWhoLentThem) {
  std::vector<std::string> text(3000);
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = "a long text, number " + std::to_string(i);
  const Value kept =
      owned(ColumnPtr(std::make_shared<Borrowed<std::string>>(AtomType::string, text)));
  for (std::string& cell : text) cell.assign(cell.size(), 'x');
  text.clear();
  const Column& rows = *rows_in(kept);
  ASSERT_EQ(rows.size(), 3000u);
  EXPECT_EQ(rows.type(), AtomType::string);
  BatchBuffer buffer;
  const Batch batch = rows.read(0, rows.size(), buffer);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(batch.valid[i], i % 5 != 3);
    if (batch.valid[i] == 1) {
      ASSERT_EQ(batch.as<std::string>()[i], "a long text, number " + std::to_string(i));
    }
  }
}

TEST(Owned, TuplesAndMapsAreCopiedInDepth) {
  std::vector<double> cells = {1, 2, 3};
  const ColumnPtr borrowed = std::make_shared<Borrowed<double>>(AtomType::f64, cells);
  const ColumnPtr keys = make_column(AtomType::i32, std::vector<std::int32_t>{1, 2, 3});
  const Value kept =
      owned(Value::Tuple{borrowed, MapPtr(std::make_shared<Map>(Map{keys, borrowed})), Scalar(1)});
  cells = {9, 9, 9};
  const auto& parts = *kept.as<Value::Tuple>();
  BatchBuffer buffer;
  EXPECT_EQ(rows_in(parts[0])->read(0, 3, buffer).as<double>()[1], 2);
  EXPECT_EQ(map_in(parts[1])->values->read(0, 3, buffer).as<double>()[2], 3);
  EXPECT_EQ(map_in(parts[1])->keys, keys);  // already owned by the core
  EXPECT_EQ(element_in<std::int32_t>(parts[2]), 1);
}

}  // namespace
}  // namespace dp::test::owned_test

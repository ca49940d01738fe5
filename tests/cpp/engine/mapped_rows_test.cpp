#include "core/engine/mapped_rows.h"

#include <gtest/gtest.h>

#include "core/transformations/rows/row_wise.h"
#include "engine/source_rows.h"
#include "support/datasets.h"

namespace dp::test::mapped_rows_test {
namespace {

TEST(MappedColumn, AreMadeWheneverTheyAreRead) {
  const auto source = std::make_shared<ComputedRows>(5000);
  const ColumnPtr rows = mapped_rows(
      source, row_map<std::int64_t, std::string>(AtomType::string, [](std::int64_t x) {
                return std::to_string(x) + std::string(30, '.');
              }).then(row_map<std::string, std::uint64_t>(AtomType::u64, [](std::string_view x) {
        return x.size();
      })));
  EXPECT_EQ(rows->type(), AtomType::u64);
  EXPECT_EQ(rows->size(), 5000u);
  EXPECT_TRUE(rows->concurrent());
  EXPECT_EQ(source->rows_read(), 0u);
  const auto out = to_dataset<std::uint64_t>(Value(rows));
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], std::to_string(ComputedRows::at(i)).size() + 30);
  }
  EXPECT_LE(source->largest_read(), kBatchRows);
}

}  // namespace
}  // namespace dp::test::mapped_rows_test

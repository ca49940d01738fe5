#include "core/data/selection.h"

#include <gtest/gtest.h>

#include "engine/source_rows.h"
#include "support/reductions.h"

namespace dp::test::selection_test {
namespace {

ColumnPtr bits(const std::vector<bool>& chosen) {
  auto rows = std::make_shared<OwnedColumn<bool>>(AtomType::boolean, chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) rows->cells()[i] = chosen[i];
  return rows;
}

TEST(Selection, ChoosesRowsOfEveryDensity) {
  TestRandom random(9);
  for (const std::size_t size : {0, 1, 63, 64, 1024, 1025, 5000}) {
    for (const std::size_t one_in : {1, 2, 3000}) {
      std::vector<bool> chosen(size);
      Dataset<std::int64_t> expected;
      for (std::size_t i = 0; i < size; ++i) {
        chosen[i] = random.below(one_in) == 0;
        if (chosen[i]) expected.emplace_back(ComputedRows::at(i));
      }
      const auto selection = std::make_shared<const Selection>(*bits(chosen), size);
      const ColumnPtr rows = selected_rows(std::make_shared<ComputedRows>(size), selection);
      ASSERT_EQ(to_dataset<std::int64_t>(Value(rows)), expected);
      // Reads an arbitrary range.
      BatchBuffer buffer;
      for (int i = 0; i < 20 && !expected.empty(); ++i) {
        const std::size_t begin = random.below(expected.size());
        const std::size_t count = random.below(std::min(expected.size() - begin, kBatchRows) + 1);
        const Batch batch = rows->read(begin, count, buffer);
        for (std::size_t j = 0; j < count; ++j) {
          ASSERT_EQ(batch.as<std::int64_t>()[j], expected[begin + j]);
        }
      }
    }
  }
}

TEST(Selection, KeepsNullsAndTextOfAnyBuffer) {
  Dataset<std::string> data;
  std::vector<bool> chosen;
  Dataset<std::string> expected;
  for (int i = 0; i < 4000; ++i) {
    // Nulls start in the second batch, so the mask begins in the middle of a read.
    if (i > 1500 && i % 7 == 0) {
      data.emplace_back();
    } else {
      data.emplace_back(std::string(20, 'a') + std::to_string(i));
    }
    chosen.push_back(i % 5 < 2);
    if (chosen.back()) expected.push_back(data.back());
  }
  const auto selection = std::make_shared<const Selection>(*bits(chosen), data.size());
  const ColumnPtr rows = selected_rows(rows_in(to_value(AtomType::string, data)), selection);
  EXPECT_EQ(to_dataset<std::string>(Value(rows)), expected);
}

TEST(Selection, NullIsNotChosenAndCandidatesAreLimited) {
  const ColumnPtr indicator =
      rows_in(to_value<bool>(AtomType::boolean, {true, {}, false, true, true}));
  const Selection selection(*indicator, 4);
  EXPECT_EQ(selection.size(), 2u);
  EXPECT_TRUE(selection.chosen(0));
  EXPECT_FALSE(selection.chosen(1));
  EXPECT_TRUE(selection.chosen(3));
}

TEST(Selection, DoesNotDependOnThreads) {
  std::vector<bool> chosen(700001);
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i % 3 == 1;
  for (const std::size_t threads : {1, 2, 4}) {
    const ScopedThreads scoped(threads);
    const Selection selection(*bits(chosen), chosen.size());
    ASSERT_EQ(selection.size(), 233334u - (700001 % 3 == 2 ? 0 : 1));
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(selection.chosen(i), chosen[i]);
  }
}

}  // namespace
}  // namespace dp::test::selection_test

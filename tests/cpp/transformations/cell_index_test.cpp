#include "core/transformations/cell_index.h"

#include <gtest/gtest.h>

#include <map>

#include "support/neighbours.h"

namespace dp::test {
namespace {

// Numbers, finds and gives back as an ordered map would.
template <class T, class Draw>
void expect_like_a_map(Draw draw) {
  CellIndex<T> index;
  std::map<T, std::size_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const T cell = draw();
    const auto known = expected.find(cell);
    ASSERT_EQ(index.find(cell), known == expected.end() ? index.size() : known->second);
    const std::size_t number = expected.emplace(cell, expected.size()).first->second;
    ASSERT_EQ(index.add(cell), number);
    ASSERT_EQ(T(index[number]), cell);
  }
  ASSERT_EQ(index.size(), expected.size());
  const CellIndex<T> moved = std::move(index);
  for (const auto& [cell, number] : expected) ASSERT_EQ(moved.find(cell), number);
}

TEST(CellIndex, NumbersCellsInTheOrderInWhichTheyCome) {
  TestRandom random(7);
  expect_like_a_map<std::int32_t>(
      [&] { return static_cast<std::int32_t>(random.below(9000)) - 4500; });
  expect_like_a_map<std::uint64_t>([&] { return random.below(3000) << 52; });  // equal low bits
  expect_like_a_map<std::int8_t>([&] { return static_cast<std::int8_t>(random.word()); });
  expect_like_a_map<bool>([&] { return random.below(2) == 0; });
  expect_like_a_map<std::string>(
      [&] { return std::string(random.below(40), 'x') + std::to_string(random.below(99)); });
}

TEST(CellIndex, OwnsItsText) {
  CellIndex<std::string> index;
  {
    const std::string text(100, 'a');
    index.add(text);
  }
  EXPECT_EQ(index[0], std::string(100, 'a'));
  EXPECT_EQ(index.find("b"), 1u);
}

}  // namespace
}  // namespace dp::test

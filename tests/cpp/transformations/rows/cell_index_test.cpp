#include "core/transformations/rows/cell_index.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/neighbours.h"

namespace dp::test::cell_index_test {
namespace {

// Numbers, looks up and returns values like an ordered map.
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

// Mixing step of CellHash without a key.
std::uint64_t mixed_without_key(std::uint64_t cell) {
  std::uint64_t z = (cell ^ (cell >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Inverse of this mixing: cells whose hashes share low bits.
std::uint64_t unmixed(std::uint64_t hash) {
  const auto unshifted = [](std::uint64_t z, unsigned bits) {
    std::uint64_t x = z;
    for (unsigned known = bits; known < 64; known += bits) x = z ^ (x >> bits);
    return x;
  };
  const auto unmultiplied = [](std::uint64_t z, std::uint64_t factor) {
    std::uint64_t inverse = factor;  // right to 3 bits, and to twice as many each time
    for (int i = 0; i < 5; ++i) inverse *= 2 - factor * inverse;
    return z * inverse;
  };
  const std::uint64_t second = unmultiplied(unshifted(hash, 31), 0x94d049bb133111ebu);
  return unshifted(unmultiplied(unshifted(second, 27), 0xbf58476d1ce4e5b9u), 30);
}

// Number of the 65,536 slots that hold one of the cells.
std::size_t places_of(const std::vector<std::uint64_t>& cells,
                      const std::function<std::uint64_t(std::uint64_t)>& hash) {
  std::set<std::uint64_t> places;
  for (const std::uint64_t cell : cells) places.insert(hash(cell) % 65536);
  return places.size();
}

TEST(CellIndex, D_CTL_3_NobodyCanChooseCellsThatAreSlow) {
  TestRandom random(5);
  std::vector<std::uint64_t> drawn, chosen;
  for (std::uint64_t i = 1; i <= 40000; ++i) {
    drawn.push_back(random.word());
    chosen.push_back(unmixed(i << 40));
  }
  const CellHash hash = CellHash::of_process();
  // 40,000 balls in 65,536 urns fill 29,940 on average, with a standard deviation of 80.
  EXPECT_GT(places_of(drawn, hash), 29500U);
  EXPECT_GT(places_of(chosen, hash), 29500U);
  EXPECT_EQ(places_of(chosen, mixed_without_key), 1U);
  CellIndex<std::uint64_t> index;
  for (const std::uint64_t cell : chosen) index.add(cell);
  EXPECT_EQ(index.size(), chosen.size());
}

TEST(CellHash, TellsAllThatIsInAText) {
  const CellHash hash = CellHash::of_process();
  std::set<std::uint64_t> hashes;
  for (std::size_t size = 0; size < 40; ++size) {
    hashes.insert(hash(std::string(size, '\0')));
    for (std::size_t i = 0; i < size; ++i) {
      std::string text(size, '\0');
      text[i] = 'x';
      hashes.insert(hash(text));
    }
  }
  EXPECT_EQ(hashes.size(), 40u + 39 * 40 / 2);
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
}  // namespace dp::test::cell_index_test

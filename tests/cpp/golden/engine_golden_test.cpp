// Same rows in the same order on every platform: maps, shuffles, lines, string order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/data/lines.h"
#include "core/data/map.h"
#include "core/data/text_order.h"
#include "core/shuffle/random_bins.h"
#include "core/shuffle/random_partition.h"
#include "support/golden.h"

namespace dp::test::engine_golden_test {
namespace {

std::vector<std::string> distinct_texts() {
  GoldenInput input(31);
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) {
    std::string text(input.below(20), 'a');
    for (char& c : text) c = static_cast<char>(input.below(256));
    texts.push_back(text + std::to_string(i));
  }
  return texts;
}

TEST(GoldenEngine, MapsAndOrders) {
  const std::vector<std::string> texts = distinct_texts();
  std::vector<std::int64_t> numbers(texts.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<std::int64_t>(i * 7919 % 3001) - 1500;
  }
  const ColumnPtr keys = make_column(AtomType::string, texts);
  const ColumnPtr values = make_column(AtomType::i64, numbers);
  EXPECT_EQ(golden([&](Golden& found) { found.add(Value(sorted_map(*keys, *values))); }),
            "b4db266cc7b76b18");
  EXPECT_EQ(golden([&](Golden& found) { found.add(Value(sorted_map(*values, *keys))); }),
            "582c9ddd5bbc2dc4");
  EXPECT_EQ(golden([&](Golden& found) {
              found.add(order_of_texts({texts.begin(), texts.end()}));
            }),
            "68551f9eac62d368");
}

TEST(GoldenEngine, RandomOrders) {
  const auto order_of = [](std::size_t size) {
    return golden_all_ways([size](Golden& found) {
      ScriptedBits bits(32);
      std::vector<std::uint32_t> order(size);
      random_order(order.data(), size, bits);
      found.add(order);
      found.add(bits.word());
    });
  };
  EXPECT_EQ(order_of(100), "35d493ad827f3c36");
  EXPECT_EQ(order_of(30000), "b8e7ef317719af91");
}

TEST(GoldenEngine, Bins) {
  EXPECT_EQ(golden([](Golden& found) {
              const BinDraws draws(BlockShape{100000, 37});
              ScriptedBits bits(33);
              std::vector<std::uint16_t> bins(10000);
              draws.draw(bins.data(), bins.size(), bits);
              found.add(bins);
              found.add(draws.most_without());
            }),
            "c0c176089dab0eb0");
}

TEST(GoldenEngine, Lines) {
  std::string text;
  for (const std::string& line : distinct_texts())
    text += line + (line.size() % 3 == 0 ? "\r\n" : "\n");
  EXPECT_EQ(golden([&](Golden& found) {
              found.add(*lines_of(Text{text, nullptr}));
            }),
            "307daff68fc3bfb1");
}

}  // namespace
}  // namespace dp::test::engine_golden_test

#include "core/data/text_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <string>

#include "core/runtime/parallel.h"
#include "support/reductions.h"

namespace dp::test::text_order_test {
namespace {

void expect_in_order(const std::deque<std::string>& owned) {
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  std::vector<std::string_view> expected = texts;
  std::sort(expected.begin(), expected.end());
  std::vector<std::size_t> places = order_of_texts(texts);
  std::vector<std::string_view> ordered;
  for (const std::size_t place : places) ordered.push_back(texts.at(place));
  EXPECT_EQ(ordered, expected);
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> all(texts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(places, all) << "no permutation";
}

TEST(TextOrder, IsThatOfTheBytes) {
  expect_in_order({});
  expect_in_order({"b"});
  expect_in_order({"b", "", "a", "", "ab", "\xff", "\x7f", "aa", "Z"});
  expect_in_order({std::string("a\0", 2), "a", std::string("a\0\0b", 4), std::string("a\0b", 3)});
  // Strings that agree in their first eight bytes, and in their first sixteen.
  expect_in_order({"12345678",
                   "1234567",
                   "123456789",
                   "12345678\x01",
                   std::string("12345678\0", 9),
                   "1234567812345678",
                   "1234567812345678b",
                   "1234567812345678a",
                   "12345678"});
}

TEST(TextOrder, LongCommonBeginningsDoNotExhaustTheStack) {
  std::deque<std::string> texts;
  for (int i = 0; i < 20; ++i) {
    texts.push_back(std::string(1000000, 'x') + std::to_string(i * 7 % 20));
  }
  expect_in_order(texts);
}

TEST(TextOrder, DoesNotDependOnThreads) {
  for (const std::size_t threads : {1, 2, 3, 8}) {
    const ScopedThreads scoped(threads);
    for (const char* const begin : {"", "key of a customer, number "}) {
      std::deque<std::string> texts;
      for (std::size_t i = 0; i < 50000; ++i) {
        texts.push_back(begin + std::to_string((i * 2654435761u) % 30011));
      }
      expect_in_order(texts);
    }
    expect_in_order(std::deque<std::string>(40000, "one text"));
  }
}

}  // namespace
}  // namespace dp::test::text_order_test

#include "core/sample_aggregate/select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "support/scripted_bits.h"

namespace dp::select_test {
namespace {

using Numbers = std::vector<std::int64_t>;

void check(const Numbers& numbers, std::size_t rank) {
  Numbers sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  Numbers work = numbers;
  ASSERT_EQ(select_rank(work.data(), work.size(), rank), sorted[rank]);
  for (std::size_t i = 0; i < work.size(); ++i) {
    ASSERT_TRUE(i < rank ? work[i] <= sorted[rank] : work[i] >= sorted[rank]);
  }
  std::sort(work.begin(), work.end());
  ASSERT_EQ(work, sorted) << "elements were lost";
  if (rank == 0) return;
  const auto [lower, upper] = select_neighbours(work.data(), work.size(), rank);
  ASSERT_EQ(lower, sorted[rank - 1]);
  ASSERT_EQ(upper, sorted[rank]);
  Numbers again = numbers;
  ASSERT_EQ(select_neighbours(again.data(), again.size(), rank), std::make_pair(lower, upper));
}

Numbers filled(std::size_t size, const std::function<std::int64_t(std::size_t)>& f) {
  Numbers numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = f(i);
  return numbers;
}

TEST(Select, AgreesWithSortingAtEveryRankOfSmallInputs) {
  test::SplitMix random(1);
  for (std::size_t size = 1; size <= 150; ++size) {
    const Numbers numbers = filled(size, [&](std::size_t) { return random() % 20; });
    for (std::size_t rank = 0; rank < size; ++rank) check(numbers, rank);
  }
}

TEST(Select, AgreesWithSortingOnManyShapesOfInput) {
  test::SplitMix random(2);
  const std::size_t n = 10007;
  const auto spread = [&](std::size_t) { return static_cast<std::int64_t>(random()); };
  const std::vector<Numbers> inputs = {
      filled(n, spread),
      filled(n, [](std::size_t i) { return i; }),
      filled(n, [](std::size_t i) { return -static_cast<std::int64_t>(i); }),
      filled(n, [](std::size_t) { return 7; }),
      filled(n, [&](std::size_t) { return random() % 2; }),
      filled(n, [](std::size_t i) { return i % 303 == 151 ? 0 : i; }),  // a misled sample
      filled(n,
             [&](std::size_t i) {
               return i % 2 == 0 ? std::numeric_limits<std::int64_t>::min()
                                 : std::numeric_limits<std::int64_t>::max();
             }),
  };
  for (const Numbers& numbers : inputs) {
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, n / 4, n / 2, n - 2, n - 1}) {
      check(numbers, rank);
    }
  }
}

}  // namespace
}  // namespace dp::select_test

#include "core/numeric/rank_gap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace dp::test::rank_gap_test {
namespace {

// Gap of each place for the share num / (num + rest). Rows are places 0, 1 or 2.
std::vector<std::int64_t> gaps(const std::vector<int>& rows, std::int64_t num, std::int64_t rest) {
  std::vector<std::int64_t> all;
  for (int at = 0; at < 3; ++at) {
    std::int64_t counts[3] = {};
    for (const int row : rows) ++counts[row < at ? 0 : row == at ? 1 : 2];
    all.push_back(rank_gap<std::int64_t>(
        num, rest, counts[0], counts[1] + counts[2], counts[2], counts[0] + counts[1]));
  }
  return all;
}

// The definition: least distance from the wanted rank to a rank that the place covers.
std::vector<std::int64_t> defined(const std::vector<int>& rows,
                                  std::int64_t num,
                                  std::int64_t rest) {
  const auto size = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> all;
  for (int at = 0; at < 3; ++at) {
    const auto below = std::count_if(rows.begin(), rows.end(), [&](int row) { return row < at; });
    const auto equal = std::count(rows.begin(), rows.end(), at);
    std::int64_t least = INT64_MAX;
    // There are num + rest parts between two ranks.
    for (std::int64_t rank = below * (num + rest); rank <= (below + equal) * (num + rest); ++rank) {
      least = std::min<std::int64_t>(least, std::abs(rank - size * num));
    }
    all.push_back(least);
  }
  return all;
}

std::vector<std::vector<int>> all_rows(std::size_t most) {
  std::vector<std::vector<int>> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<int> rows = all[i];
    if (rows.size() == most) break;
    for (int row = 0; row < 3; ++row) {
      all.push_back(rows);
      all.back().push_back(row);
    }
  }
  return all;
}

std::int64_t largest_change(const std::vector<std::int64_t>& x,
                            const std::vector<std::int64_t>& y) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max<std::int64_t>(most, std::abs(x[i] - y[i]));
  }
  return most;
}

TEST(RankGap, IsTheDistanceFromTheNearestRankOfThePlace) {
  for (const auto& rows : all_rows(5)) {
    for (const auto& [num, rest] : {std::pair{1, 1}, {1, 3}, {9, 1}, {0, 1}, {1, 0}}) {
      EXPECT_EQ(gaps(rows, num, rest), defined(rows, num, rest));
    }
  }
}

// All sets of up to 5 rows, with one row added or replaced. The bounds are attained.
TEST(RankGap, MovesByNoMoreThanItsSensitivity) {
  for (const auto& [num, rest] : {std::pair{1, 1}, {1, 3}, {9, 1}}) {
    std::int64_t added = 0;
    std::int64_t replaced = 0;
    for (const auto& rows : all_rows(5)) {
      const auto before = gaps(rows, num, rest);
      for (int value = 0; value < 3; ++value) {
        std::vector<int> more = rows;
        more.push_back(value);
        added = std::max(added, largest_change(before, gaps(more, num, rest)));
        if (rows.empty()) continue;
        std::vector<int> other = rows;
        other.back() = value;
        replaced = std::max(replaced, largest_change(before, gaps(other, num, rest)));
      }
    }
    EXPECT_EQ(added, std::max(num, rest));
    EXPECT_EQ(replaced, num + rest);
  }
}

}  // namespace
}  // namespace dp::test::rank_gap_test

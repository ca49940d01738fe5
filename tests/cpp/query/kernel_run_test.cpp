// How the kernel reports how far it has come, and that it stops when the user wants.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/query/kernel.h"
#include "core/runtime/parallel.h"
#include "query/query_tables.h"
#include "support/expect_error.h"

namespace dp::test::kernel_run_test {
namespace {

using namespace dp::query;  // NOLINT: this file speaks its language

class QueryKernelRun : public ::testing::Test {
 protected:
  void TearDown() override {
    set_progress({});
    set_interrupt_check({});
  }

  static QueryRows rows(std::int32_t size) {
    std::vector<std::int32_t> id, group;
    for (std::int32_t i = 0; i < size; ++i) {
      id.push_back(i % 100);
      group.push_back(i % 7);
    }
    return QueryRows(static_cast<std::size_t>(size),
                     {column_of("i", QueryColumn::Kind::int32, id),
                      column_of("g", QueryColumn::Kind::int32, group)});
  }

  static Statement statement() {
    Statement statement;
    statement.source.fields = {whole_field("g", 0, 6)};
    statement.source.unit = {Unit::Kind::id, {"i"}, 1};
    statement.by = {"g"};
    Truncate caps;
    caps.by = {"g"};
    caps.groups = 3;
    statement.steps = {caps};
    return statement;
  }

  // Of 4000 rows of 100 people, in twenty blocks.
  static ExactAggregates run() {
    return tally_in_pieces(statement(), kCounts, rows(4000), Salt{}, kPieces);
  }

  // A stream of `chunks` chunks.
  static ExactAggregates run_stream(int chunks) {
    const NextRows next = [&]() -> std::optional<QueryRows> {
      if (chunks-- == 0) return std::nullopt;
      return rows(200);
    };
    return tally_stream(statement(), kCounts, next, Salt{}, kPieces);
  }

  static inline const std::vector<ExactAggregate> kCounts{
      {ExactAggregate::Kind::rows, nullptr, {}, {}}};
  static constexpr Pieces kPieces{16, 50, 200, 4, 64};
};

TEST_F(QueryKernelRun, AllPassesAreOneRun) {
  std::vector<std::size_t> reported;
  std::set<std::size_t> totals;
  set_progress([&](std::size_t done, std::size_t total) {
    reported.push_back(done);
    totals.insert(total);
  });
  run();
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_EQ(reported.back(), *totals.begin());
  EXPECT_EQ(std::count(reported.begin(), reported.end(), reported.back()), 1);
  // The forecast matches the work: just before the end nearly all of it is done.
  EXPECT_GE(reported[reported.size() - 2] + 2, reported.back());
}

// Progress of a stream reveals only that some rows have arrived.
TEST_F(QueryKernelRun, AStreamHasNoTotal) {
  for (const int chunks : {1, 3, 50}) {
    std::vector<std::size_t> reported;
    set_progress([&](std::size_t done, std::size_t total) {
      EXPECT_EQ(total, kNoTotal);
      reported.push_back(done);
    });
    run_stream(chunks);
    ASSERT_FALSE(reported.empty());
    EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
    EXPECT_EQ(std::count(reported.begin(), reported.end(), kNoTotal), 1);
    EXPECT_EQ(reported.back(), kNoTotal);
  }
}

TEST_F(QueryKernelRun, StopsWhereverItIs) {
  const auto each = [](const std::function<void()>& run) {
    std::size_t questions = 0;
    set_interrupt_check([&] {
      ++questions;
      return false;
    });
    run();
    const std::size_t all = questions;
    EXPECT_GT(all, 200u);
    for (std::size_t patience = 0; patience < all; patience += 17) {
      questions = 0;
      set_interrupt_check([&] { return ++questions > patience; });
      expect_error(ErrorKind::interrupted, run);
      EXPECT_EQ(questions, patience + 1);  // no further checks
    }
  };
  each([] { run(); });
  each([] { run_stream(30); });
}

}  // namespace
}  // namespace dp::test::kernel_run_test

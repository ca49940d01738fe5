// How the kernel reports how far it has come, and that it stops when the user wants.
#include <gtest/gtest.h>

#include <algorithm>
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

  // Of 4000 rows of 100 people, in twenty blocks.
  Tallied run() const {
    std::vector<std::int32_t> id, group;
    for (std::int32_t i = 0; i < 4000; ++i) {
      id.push_back(i % 100);
      group.push_back(i % 7);
    }
    const QueryRows rows(4000,
                         {column_of("i", QueryColumn::Kind::int32, id),
                          column_of("g", QueryColumn::Kind::int32, group)});
    Statement statement;
    statement.source.fields = {whole_field("g", 0, 6)};
    statement.source.unit = {Unit::Kind::id, {"i"}, 1};
    statement.by = {"g"};
    Truncate caps;
    caps.by = {"g"};
    caps.groups = 3;
    statement.steps = {caps};
    return tally_in_pieces(
        statement, {{Tally::Kind::rows, nullptr, {}, {}}}, rows, Salt{}, {16, 50, 200, 4, 64});
  }
};

TEST_F(QueryKernelRun, AllPassesAreOneRun) {
  std::vector<std::size_t> told;
  std::set<std::size_t> totals;
  set_progress([&](std::size_t done, std::size_t total) {
    told.push_back(done);
    totals.insert(total);
  });
  run();
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), *totals.begin());
  EXPECT_EQ(std::count(told.begin(), told.end(), told.back()), 1);
  // What is foreseen is what is done: before the end nearly all of it is.
  EXPECT_GE(told[told.size() - 2] + 2, told.back());
}

TEST_F(QueryKernelRun, StopsWhereverItIs) {
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
    expect_error(ErrorKind::interrupted, [&] { run(); });
    EXPECT_EQ(questions, patience + 1);  // not asked again
  }
}

}  // namespace
}  // namespace dp::test::kernel_run_test

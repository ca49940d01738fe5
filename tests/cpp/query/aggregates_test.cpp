#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/query/aggregates/aggregate_class.h"

namespace dp::query {
namespace {

TEST(Aggregates, HaveRowsInTheOrderOfTheirKinds) {
  std::set<std::string> plurals;
  for (std::size_t i = 0; i < aggregate_rows().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(aggregate_rows()[i].kind), i);
    EXPECT_TRUE(plurals.insert(aggregate_rows()[i].plural).second);
  }
}

TEST(Aggregates, OfColumnsReadThemAndHaveThemInJson) {
  for (const AggregateRow& row : aggregate_rows()) {
    const bool has_columns = has_key(row, "of") || has_key(row, "cells");
    EXPECT_EQ(has_columns, row.reads != Reads::nothing) << row.plural;
  }
}

TEST(Aggregates, AreClassesOfTheirOwn) {
  std::set<const AggregateClass*> classes;
  for (const AggregateRow& row : aggregate_rows()) {
    EXPECT_TRUE(classes.insert(&class_of(row.kind)).second) << row.plural;
  }
}

TEST(Estimates, AreMarkedIfHalfOfTheirIntervalIsAtLeastTheNumber) {
  Estimates of;
  of.push(-3, 1, {-6, 0});
  of.push(4, 1, {0, 8});
  of.push(4, 1, {0.5, 7.5});
  of.push(0, 0, {0, 0});  // without noise
  of.push(1, 1, {-9, 9}, Mark::covers_range);
  const std::vector<Mark> expected = {
      Mark::is_wide, Mark::is_wide, Mark::none, Mark::none, Mark::covers_range};
  EXPECT_EQ(of.marks, expected);
}

}  // namespace
}  // namespace dp::query

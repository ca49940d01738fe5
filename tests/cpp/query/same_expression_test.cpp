#include "core/query/same_expression.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace dp::query {
namespace {

ExpressionPtr column_of(const std::string& name) {
  return std::make_shared<Expression>(ColumnReference{name});
}

ExactAggregate weighted_by(const std::string& name) {
  ExactAggregate tally{ExactAggregate::Kind::rows, nullptr, {}, {}};
  tally.weights.of = column_of(name);
  return tally;
}

TEST(SameExpression, EqualTalliesHaveOneHash) {
  EXPECT_TRUE(is_same(weighted_by("w"), weighted_by("w")));
  EXPECT_EQ(hash_of(weighted_by("w")), hash_of(weighted_by("w")));
}

// Otherwise a search among thousands of expressions compares each.
TEST(SameExpression, TalliesThatDifferInTheirWeightsDifferInTheirHash) {
  std::set<std::size_t> hashes;
  for (int i = 0; i < 1000; ++i) hashes.insert(hash_of(weighted_by("w" + std::to_string(i))));
  EXPECT_GT(hashes.size(), 990U);
}

TEST(SameExpression, TalliesThatDifferInTheirCapDifferInTheirHash) {
  std::set<std::size_t> hashes;
  for (std::uint32_t rows = 1; rows <= 1000; ++rows) {
    ExactAggregate tally{ExactAggregate::Kind::dropped, nullptr, {}, {}};
    tally.up_to = rows;
    hashes.insert(hash_of(tally));
  }
  EXPECT_GT(hashes.size(), 990U);
}

}  // namespace
}  // namespace dp::query

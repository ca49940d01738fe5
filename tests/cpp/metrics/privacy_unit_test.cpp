#include "core/metrics/privacy_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

namespace dp::test::privacy_unit_test {
namespace {

using Relation = PrivacyUnit::Relation;
using What = PrivacyUnit::What;

constexpr std::array<Relation, 2> kRelations = {Relation::add_remove, Relation::replace};

// Number of units of each of three contents in a table.
using Table = std::array<int, 3>;

int size_of(const Table& table) { return std::accumulate(table.begin(), table.end(), 0); }

std::vector<Table> tables_of_at_most(int most) {
  std::vector<Table> tables;
  for (int a = 0; a <= most; ++a) {
    for (int b = 0; a + b <= most; ++b) {
      for (int c = 0; a + b + c <= most; ++c) tables.push_back({a, b, c});
    }
  }
  return tables;
}

// Fewest units that turn one table into the other. Empty if no number does.
std::optional<int> distance(Relation relation, const Table& left, const Table& right) {
  int gone = 0;
  int come = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    gone += std::max(left[i] - right[i], 0);
    come += std::max(right[i] - left[i], 0);
  }
  if (relation == Relation::add_remove) return gone + come;
  if (size_of(left) != size_of(right)) return std::nullopt;
  return gone;
}

// Farthest neighbours under `owed`, counted in units of `released`. Empty if two are infinitely far
// apart.
std::optional<int> farthest(const PrivacyUnit& owed, Relation released) {
  int most = 0;
  const std::vector<Table> tables = tables_of_at_most(4);
  for (const Table& left : tables) {
    for (const Table& right : tables) {
      const std::optional<int> apart = distance(owed.relation, left, right);
      if (!apart || *apart > static_cast<int>(owed.count)) continue;
      const std::optional<int> counted = distance(released, left, right);
      if (!counted) return std::nullopt;
      most = std::max(most, *counted);
    }
  }
  return most;
}

PrivacyUnit rows(Relation relation, std::uint32_t count = 1) {
  return {What::rows, {}, count, relation};
}

PrivacyUnit people(std::vector<std::string> columns, Relation relation = Relation::add_remove) {
  return {What::people, std::move(columns), 1, relation};
}

TEST(PrivacyUnit, DistancesAreThoseOfAllSmallTables) {
  for (const Relation owed : kRelations) {
    for (const Relation released : kRelations) {
      for (std::uint32_t count = 1; count <= 3; ++count) {
        const auto claimed = distance_of_neighbours(rows(owed, count), rows(released));
        const auto exact = farthest(rows(owed, count), released);
        ASSERT_EQ(claimed.has_value(), exact.has_value());
        if (claimed) {
          EXPECT_EQ(*claimed, static_cast<std::uint64_t>(*exact));
        }
      }
    }
  }
}

TEST(PrivacyUnit, TwiceTheLargestCountHasRoom) {
  const auto distance =
      distance_of_neighbours(rows(Relation::replace, 4294967295U), rows(Relation::add_remove));
  EXPECT_EQ(distance, 8589934590U);
}

TEST(PrivacyUnit, PeopleRowsAndOtherPeopleDoNotFollowFromEachOther) {
  for (const Relation owed : kRelations) {
    for (const Relation released : kRelations) {
      EXPECT_FALSE(distance_of_neighbours(rows(owed), people({"id"}, released)));
      EXPECT_FALSE(distance_of_neighbours(people({"id"}, owed), rows(released)));
      EXPECT_FALSE(distance_of_neighbours(people({"id"}, owed), people({"name"}, released)));
      EXPECT_FALSE(distance_of_neighbours(people({"day", "id"}, owed), people({"id"}, released)));
    }
    EXPECT_EQ(distance_of_neighbours(people({"id"}, owed), people({"id"}, owed)), 1U);
  }
}

}  // namespace
}  // namespace dp::test::privacy_unit_test

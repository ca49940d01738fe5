#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/query/kernel.h"
#include "query/random_tables.h"

namespace dp::test::kernel_neighbours_test {
namespace {

using namespace random_tables;

struct Changes {
  std::int64_t l0 = 0, l1 = 0, li = 0;
};

using GroupValues = std::map<std::vector<std::pair<std::int64_t, std::string>>, std::int64_t>;

GroupValues by_group(const ExactAggregates& tallied, std::size_t t) {
  GroupValues values;
  for (std::size_t g = 0; g < tallied.keys.size(); ++g) {
    std::vector<std::pair<std::int64_t, std::string>> key;
    for (const KeyPart& part : tallied.keys[g]) key.emplace_back(part.whole, part.text);
    values[key] = static_cast<std::int64_t>(tallied.values[t][g]);
  }
  return values;
}

Changes changes(const GroupValues& a, const GroupValues& b) {
  GroupValues difference = a;
  for (const auto& [key, value] : b) difference[key] -= value;
  Changes found;
  for (const auto& group : difference) {
    const std::int64_t size = std::abs(group.second);
    found.l0 += size > 0;
    found.l1 += size;
    found.li = std::max(found.li, size);
  }
  return found;
}

// Removes people 0, ..., t - 1. If `replaced`, gives them different rows instead.
PlainTable neighbour(const PlainTable& table, std::int64_t t, bool replaced, Tables& tables) {
  PlainTable other{{}, table.ids};
  for (const PlainRow& row : table.rows) {
    const bool leaves = !is_missing(row.at("i")) && std::get<std::int64_t>(row.at("i")) < t;
    if (!leaves) other.rows.push_back(row);
  }
  const std::size_t count = replaced ? tables.below(40) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    PlainRow row = tables.row(20);
    row["i"] = static_cast<std::int64_t>(tables.below(static_cast<std::size_t>(t)));
    const auto at = static_cast<std::ptrdiff_t>(tables.below(other.rows.size() + 1));
    other.rows.insert(other.rows.begin() + at, row);
  }
  return other;
}

struct Caps {
  std::int64_t groups, rows_per_group, rows;
};

Case capped_case(Tables& tables, ExactAggregate::Kind kind, Caps& caps) {
  Case one = tables.make();
  for (int i = 0; i < 60; ++i) one.table.rows.push_back(tables.row(5));
  one.table.ids = {"i"};
  one.statement.source.unit = {Unit::Kind::id, {"i"}, 1};
  one.statement.by = {"t"};
  caps = {1 + static_cast<std::int64_t>(tables.below(3)),
          1 + static_cast<std::int64_t>(tables.below(3)),
          1 + static_cast<std::int64_t>(tables.below(6))};
  Truncate truncate;
  truncate.by = {"t"};
  truncate.groups = static_cast<std::uint32_t>(caps.groups);
  truncate.rows_per_group = static_cast<std::uint32_t>(caps.rows_per_group);
  truncate.rows = static_cast<std::uint32_t>(caps.rows);
  one.statement.steps = {truncate};
  one.tallies = {{kind, nullptr, {}, {}}};
  return one;
}

struct Verdict {
  bool held = true;
  bool reached_l0 = false, reached_l1 = false, reached_li = false;
};

// Checks tables that differ by t people. For rows the bound is (t G, t min(G R, K), t R); for
// people it is (t G, t G, t), with G and R at most K. Replacing a person's rows counts as removing
// and adding one. `lie` is subtracted from all three. Stops at the first pair that exceeds the
// bound.
Verdict check_neighbours(ExactAggregate::Kind kind, bool replaced, std::int64_t lie) {
  const bool people = kind == ExactAggregate::Kind::ids;
  Verdict found;
  for (std::uint64_t seed = 0; seed < 400 && found.held; ++seed) {
    Tables tables(seed);
    Caps caps{};
    const Case one = capped_case(tables, kind, caps);
    const std::int64_t changed = 1 + static_cast<std::int64_t>(tables.below(3));
    const PlainTable other = neighbour(one.table, changed, replaced, tables);
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const auto counts = [&](const PlainTable& table) {
      return by_group(tally(one.statement, one.tallies, kept(table, true), salt), 0);
    };
    const Changes moved = changes(counts(one.table), counts(other));
    const std::int64_t t = replaced ? 2 * changed : changed;
    const std::int64_t l0 = t * std::min(caps.groups, caps.rows) - lie;
    const std::int64_t all = t * std::min(caps.groups * caps.rows_per_group, caps.rows) - lie;
    const std::int64_t l1 = people ? l0 : all;
    const std::int64_t li = (people ? t : t * std::min(caps.rows_per_group, caps.rows)) - lie;
    found.held = moved.l0 <= l0 && moved.l1 <= l1 && moved.li <= li;
    found.reached_l0 |= moved.l0 == l0;
    found.reached_l1 |= moved.l1 == l1;
    found.reached_li |= moved.li == li;
  }
  return found;
}

TEST(QueryKernel, NeighboursDifferByTheCapsAndReachThem) {
  for (const ExactAggregate::Kind kind : {ExactAggregate::Kind::rows, ExactAggregate::Kind::ids}) {
    const Verdict found = check_neighbours(kind, false, 0);
    EXPECT_TRUE(found.held);
    EXPECT_TRUE(found.reached_l0 && found.reached_l1 && found.reached_li);
    EXPECT_FALSE(check_neighbours(kind, false, 1).held);
    EXPECT_TRUE(check_neighbours(kind, true, 0).held);
  }
}

}  // namespace
}  // namespace dp::test::kernel_neighbours_test

#include "core/query/contributions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "support/expect_error.h"
#include "support/neighbours.h"
#include "support/oracle_rows.h"

namespace dp::query {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size() && !text.empty()) {
    const std::size_t end = std::min(text.find(mark, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + mark.size();
  }
  return parts;
}

Columns columns_of(const std::string& text) {
  const auto names = split(text, ",");
  return {names.begin(), names.end()};
}

// Parses "{A,B}:per_group=3:num_groups=4", or several joined by " + ".
std::vector<Descriptor> descriptors_of(const std::string& text) {
  std::vector<Descriptor> descriptors;
  for (const std::string& each : split(text, " + ")) {
    const std::size_t end = each.find('}');
    Descriptor descriptor{columns_of(each.substr(1, end - 1)), {}, {}};
    for (const std::string& number : split(each.substr(end + 1), ":")) {
      if (number.compare(0, 10, "per_group=") == 0) {
        descriptor.per_group = std::stoull(number.substr(10));
      }
      if (number.compare(0, 11, "num_groups=") == 0) {
        descriptor.num_groups = std::stoull(number.substr(11));
      }
    }
    descriptors.push_back(descriptor);
  }
  return descriptors;
}

// Contributions of rows after caps on each person, given how many people change per group of `by`
// and in total.
Contributions truncated(const Contributions& people, const std::vector<Descriptor>& caps) {
  Contributions rows;
  for (const Descriptor& cap : caps) {
    rows.add(Descriptor{cap.by,
                        product(people.per_group(cap.by), cap.per_group),
                        product(people.per_group({}), cap.num_groups)});
  }
  return rows;
}

Reach reach_of_row(const std::vector<std::string>& row) {
  Contributions known;
  for (const Descriptor& each : descriptors_of(row[1])) known.add(each);
  if (row[0] == "ids") known = truncated(known, descriptors_of(row[2]));
  Grouping grouping{columns_of(row[3]), {}};
  if (!row[4].empty()) grouping.universe = std::stoull(row[4]);
  return known.rows(grouping);
}

TEST(Contributions, hold_in_every_row_of_the_oracle) {
  const auto table = test::oracle_table("group_by_bounds.csv");
  ASSERT_EQ(table.size(), 31u);
  for (std::size_t i = 1; i < table.size(); ++i) {
    const auto& row = table[i];
    const Reach reach = reach_of_row(row);
    if (row[6] == "error") {
      EXPECT_FALSE(reach.bound) << row[9];
      EXPECT_NE(static_cast<int>(reach.missing), static_cast<int>(Cap::none)) << row[9];
      continue;
    }
    ASSERT_TRUE(reach.bound) << row[9];
    EXPECT_EQ(reach.bound->groups, std::stoull(row[6])) << row[9];
    EXPECT_EQ(reach.bound->rows, std::stoull(row[7])) << row[9];
    EXPECT_EQ(reach.bound->rows_per_group, std::stoull(row[8])) << row[9];
  }
}

TEST(Contributions, name_the_cap_that_is_missing) {
  const auto missing = [](const std::string& caps, const Columns& by) {
    Contributions known;
    for (const Descriptor& each : descriptors_of(caps)) known.add(each);
    return known.rows({by, {}}).missing;
  };
  EXPECT_EQ(missing("", {"A"}), Cap::rows);
  EXPECT_EQ(missing("", {}), Cap::rows);
  EXPECT_EQ(missing("{A}:num_groups=4", {"A"}), Cap::rows);
  EXPECT_EQ(missing("{A}:per_group=4", {"A"}), Cap::groups);
  EXPECT_EQ(missing("{A}:per_group=4:num_groups=2", {"A"}), Cap::none);
}

TEST(Contributions, use_the_least_cover_of_a_grouping) {
  // One set covers more columns than any other, so the greedy order starts with it.
  const std::vector<NumberedColumns> sets = {
      {{"A", "B", "C"}, 1000}, {{"A", "B"}, 2}, {{"C", "D"}, 3}, {{"D"}, 10}};
  EXPECT_EQ(least_cover(sets, {"A", "B", "C", "D"}), 6u);
  EXPECT_EQ(least_cover(sets, {"A", "B"}), 2u);
  EXPECT_EQ(least_cover(sets, {"E"}), std::nullopt);
  EXPECT_EQ(least_cover({}, {}), 1u);
}

TEST(Contributions, are_covered_one_by_one_beyond_twelve_sets) {
  std::vector<NumberedColumns> sets;
  for (int i = 0; i < 13; ++i) sets.push_back({{std::string(1, static_cast<char>('a' + i))}, 2});
  EXPECT_EQ(least_cover(sets, {"a", "b", "m"}), 8u);
  EXPECT_EQ(least_cover(sets, {"a", "z"}), std::nullopt);
  sets.push_back({{"a", "b"}, 3});
  EXPECT_EQ(least_cover(sets, {"a", "b", "m"}), 6u);
}

TEST(Contributions, keep_no_product_past_64_bits) {
  const std::uint64_t big = std::uint64_t{1} << 33;
  EXPECT_EQ(product(big, big), std::nullopt);
  EXPECT_EQ(least_cover({{{"A"}, big}, {{"B"}, big}}, {"A", "B"}), std::nullopt);
  Contributions known;
  known.add(Descriptor{{"A"}, big, big});
  test::expect_error(ErrorKind::overflow, [&] { known.rows({{"A"}, {}}); });
  test::expect_error(ErrorKind::overflow, [&] { known.multiply(big); });
}

TEST(Contributions, count_the_groups_of_both_tables_where_keys_are_not_public) {
  Contributions known;
  known.add(Descriptor{{}, 10, {}});
  Promise promise;
  promise.by = {"A"};
  promise.most_groups = 3;
  known.add(promise);
  EXPECT_EQ(known.rows({{"A"}, {}}).bound->groups, 6u);
  EXPECT_EQ(known.rows({{"A"}, 5}).bound->groups, 3u);
  EXPECT_EQ(known.rows({{"A"}, 2}).bound->groups, 2u);
  test::expect_error(ErrorKind::make_transformation, [&] { known.add(promise); });
}

TEST(Contributions, take_no_length_of_groups_for_a_distance) {
  Contributions known;
  known.add(Descriptor{{}, 10, {}});
  Promise promise;
  promise.by = {"A"};
  promise.most_rows = 3;
  known.add(promise);
  EXPECT_EQ(known.rows({{"A"}, {}}).bound->rows_per_group, 10u);
  EXPECT_EQ(known.most_rows({"A", "B"}), 3u);
  EXPECT_EQ(known.most_rows({"B"}), std::nullopt);
}

TEST(Contributions, count_people_by_their_groups) {
  Contributions known;
  known.add(Descriptor{{"A"}, {}, 8});
  const ContributionBound bound = *known.people({{"A"}, {}}, 2).bound;
  EXPECT_EQ(std::make_tuple(bound.groups, bound.rows, bound.rows_per_group),
            std::make_tuple(8, 8, 2));
  EXPECT_EQ(known.people({{"B"}, {}}, 2).missing, Cap::groups);
  const ContributionBound declared = *known.people({{"B"}, 3}, 2).bound;
  EXPECT_EQ(std::make_tuple(declared.groups, declared.rows, declared.rows_per_group),
            std::make_tuple(3, 6, 2));
  const ContributionBound all = *known.people({{}, {}}, 2).bound;
  EXPECT_EQ(std::make_tuple(all.groups, all.rows, all.rows_per_group), std::make_tuple(1, 2, 2));
}

// Random tables of rows (A, B, C). The changed rows are random. Descriptors are read from them, so
// they hold.
using Row = std::array<int, 3>;
const std::vector<std::string> kNames = {"A", "B", "C"};

std::vector<int> key_of(const Row& row, const Columns& by) {
  std::vector<int> key;
  for (std::size_t i = 0; i < 3; ++i) {
    if (by.count(kNames[i]) > 0) key.push_back(row[i]);
  }
  return key;
}

ContributionBound true_triple(const std::vector<Row>& changed, const Columns& by) {
  std::map<std::vector<int>, std::uint64_t> groups;
  for (const Row& row : changed) ++groups[key_of(row, by)];
  ContributionBound bound{groups.size(), changed.size(), 0};
  for (const auto& [key, rows] : groups)
    bound.rows_per_group = std::max(bound.rows_per_group, rows);
  return bound;
}

Columns random_columns(test::TestRandom& random) {
  Columns by;
  for (const std::string& name : kNames) {
    if (random.below(2) == 1) by.insert(name);
  }
  return by;
}

// Counts the bounds from `resolve` that are below the true ones.
template <class Resolve>
int violations(std::uint64_t seed, Resolve resolve) {
  test::TestRandom random(seed);
  int found = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<Row> changed(random.below(7));
    for (Row& row : changed) {
      for (int& cell : row) cell = static_cast<int>(random.below(3));
    }
    Contributions known;
    for (std::size_t i = 0; i < 3; ++i) {
      const Columns by = random_columns(random);
      const ContributionBound truth = true_triple(changed, by);
      Descriptor descriptor{by, truth.rows_per_group, truth.groups};
      if (random.below(3) == 0) descriptor.per_group = std::nullopt;
      if (random.below(3) == 0) descriptor.num_groups = std::nullopt;
      known.add(descriptor);
    }
    const Columns by = random_columns(random);
    const std::optional<ContributionBound> bound = resolve(known, by);
    const ContributionBound truth = true_triple(changed, by);
    if (bound && (truth.groups > bound->groups || truth.rows > bound->rows ||
                  truth.rows_per_group > bound->rows_per_group)) {
      ++found;
    }
  }
  return found;
}

TEST(Contributions, are_never_below_what_changes) {
  EXPECT_EQ(violations(1,
                       [](const Contributions& known, const Columns& by) {
                         return known.rows({by, {}}).bound;
                       }),
            0);
}

TEST(Contributions, are_seen_to_be_too_low_by_that_check) {
  const auto finer_rows = [](const Contributions& known, const Columns& by) {
    std::optional<ContributionBound> bound = known.rows({by, {}}).bound;
    if (bound)
      bound->rows_per_group = *least(bound->rows_per_group, known.per_group({"A", "B", "C"}));
    return bound;
  };
  EXPECT_GT(violations(1, finer_rows), 0);
  const auto coarser_groups = [](const Contributions& known, const Columns& by) {
    std::optional<ContributionBound> bound = known.rows({by, {}}).bound;
    for (const Descriptor& each : known.descriptors()) {
      const bool coarser = std::includes(by.begin(), by.end(), each.by.begin(), each.by.end());
      if (bound && coarser) bound->groups = *least(bound->groups, each.num_groups);
    }
    return bound;
  };
  EXPECT_GT(violations(1, coarser_groups), 0);
}

}  // namespace
}  // namespace dp::query

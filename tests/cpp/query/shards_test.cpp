// T-NBR over shards. Neighbours of tables in several places are counted place by place and compared
// with the map. The integers of all places are compared with those from one place.
#include "core/query/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/metrics/distance.h"
#include "core/query/compile.h"
#include "query/neighbour_fuzz.h"
#include "query/random_tables.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::shards_test {
namespace {

using namespace random_tables;  // and so of queries

// Additions.

Key text_key(const std::string& text) { return {KeyPart{false, true, 0, text}}; }

TEST(QueryShards, add_up_group_by_group_in_the_order_of_keys) {
  const std::vector<ExactAggregate> tallies = {
      {ExactAggregate::Kind::rows, nullptr, {}, {}},
      {ExactAggregate::Kind::bins, number_column(), {}, {4}}};
  const ExactAggregates first{{text_key("b"), text_key("c")}, {{2, 5}, {1, 0, 1, 0, 2, 3}}};
  const ExactAggregates none{{}, {{}, {}}};
  const ExactAggregates second{{text_key("a"), text_key("c")}, {{7, -4}, {0, 0, 7, 1, 1, 1}}};
  const ExactAggregates all = added(tallies, {first, none, second});
  EXPECT_TRUE(same_keys(all.keys, {text_key("a"), text_key("b"), text_key("c")}));
  EXPECT_EQ(all.values[0], (std::vector<int128_t>{7, 2, 1}));
  EXPECT_EQ(all.values[1], (std::vector<int128_t>{0, 0, 7, 1, 0, 1, 1, 3, 4}));
  EXPECT_TRUE(same(added(tallies, {first}), first));
  EXPECT_TRUE(added(tallies, {none, none}).keys.empty());
}

TEST(QueryShards, have_no_number_of_different_values) {
  const std::vector<ExactAggregate> tallies = {
      {ExactAggregate::Kind::distinct, number_column(), {}, {}}};
  expect_error(ErrorKind::unsupported, [&] { added(tallies, {ExactAggregates{{}, {{}}}}); });
}

// Equality with one place.

constexpr std::size_t kPlaces = 3;

template <class PlaceOf>
ExactAggregates counted_in_places(const Case& one, const Salt& salt, PlaceOf place_of) {
  std::vector<PlainTable> tables(kPlaces, PlainTable{{}, one.table.ids});
  for (std::size_t i = 0; i < one.table.rows.size(); ++i) {
    tables[place_of(one.table.rows[i], i)].rows.push_back(one.table.rows[i]);
  }
  std::vector<ExactAggregates> places;
  for (const PlainTable& table : tables) {
    places.push_back(tally(one.statement, one.tallies, kept(table, true), salt));
  }
  return added(one.tallies, places);
}

Case without_different_values(Case one) {
  const auto end =
      std::remove_if(one.tallies.begin(), one.tallies.end(), [](const ExactAggregate& tally) {
        return tally.kind == ExactAggregate::Kind::distinct;
      });
  one.tallies.erase(end, one.tallies.end());
  return one;
}

// Both parts of an id determine the place of its rows.
std::size_t place_of_id(const PlainRow& row, const std::vector<std::string>& ids) {
  std::size_t place = 0;
  for (const std::string& id : ids) {
    const Cell& cell = row.at(id);
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      place += static_cast<std::size_t>(*whole);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
      place = std::accumulate(text->begin(), text->end(), place + text->size());
    }
  }
  return place % kPlaces;
}

TEST(QueryShards, split_by_id_count_what_one_table_counts) {
  int with_people = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case one = without_different_values(Tables(seed).make());
    const Salt salt = salt_of(seed, seed % 2 == 0 ? Salt::Hash::sha256 : Salt::Hash::siphash);
    const ExactAggregates whole = tally(one.statement, one.tallies, kept(one.table, true), salt);
    const bool has_people = !one.table.ids.empty();
    with_people += has_people ? 1 : 0;
    const ExactAggregates in_places =
        counted_in_places(one, salt, [&](const PlainRow& row, std::size_t i) {
          return has_people ? place_of_id(row, one.table.ids) : i % kPlaces;
        });
    ASSERT_TRUE(same(in_places, whole)) << "seed " << seed;
  }
  EXPECT_GT(with_people, 100);
}

TEST(QueryShards, that_split_a_person_count_others_than_one_table) {
  int others = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Case one = without_different_values(Tables(seed).make());
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const ExactAggregates whole = tally(one.statement, one.tallies, kept(one.table, true), salt);
    const auto by_row = [](const PlainRow&, std::size_t i) { return i % kPlaces; };
    others += same(counted_in_places(one, salt, by_row), whole) ? 0 : 1;
  }
  EXPECT_GT(others, 20);
}

// Neighbours.

template <class PlaceOf>
QueryCounter in_places(PlaceOf place_of) {
  return [place_of](const Statement& statement,
                    const std::vector<ExactAggregate>& tallies,
                    const WildTable& table,
                    const Salt& salt) {
    std::vector<WildTable> tables(kPlaces);
    for (const WildRow& row : table) tables[place_of(row) % kPlaces].push_back(row);
    std::vector<ExactAggregates> places;
    for (const WildTable& each : tables) {
      places.push_back(count_with_kernel(statement, tallies, each, salt));
    }
    return added(tallies, places);
  };
}

const QueryCounter kSplitById =
    in_places([](const WildRow& row) { return static_cast<std::size_t>(row.person); });
const QueryCounter kSplitAtWill = in_places([](const WildRow& row) { return row.number; });

// Sets the number of shards that the map uses if one person may be in several places.
QueryChange with_shards(std::uint32_t shards) {
  return [shards](Statement& statement) {
    if (statement.source.unit.kind == Unit::Kind::id) statement.source.unit.shards = shards;
    return std::none_of(
        statement.aggregates.begin(), statement.aggregates.end(), [](const Aggregate& each) {
          return each.kind == Aggregate::Kind::distinct;
        });
  };
}

TEST(QueryShards, D_QRY_1_T_NBR_split_by_id_move_no_query_further_than_its_map_says) {
  const int plans = in_tier(120, 3000);
  const FuzzVerdict found =
      NeighbourFuzz(kSplitById, claim_of_map, with_shards(1)).run(5, plans, 3);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.plans, plans);
}

TEST(QueryShards, D_QRY_1_T_NBR_that_split_people_move_no_query_further_than_its_map_says) {
  const int plans = in_tier(180, 3000);
  const FuzzVerdict found =
      NeighbourFuzz(kSplitAtWill, claim_of_map, with_shards(kPlaces)).run(6, plans, 3);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.plans, plans);
}

TEST(QueryShards, D_QRY_2_T_MUT_that_split_people_under_the_map_of_one_place_are_noticed) {
  const auto is_noticed = [](std::uint32_t shards) {
    return NeighbourFuzz(kSplitAtWill, claim_of_map, with_shards(shards))
        .run(8, 3000, 6)
        .violations;
  };
  EXPECT_GT(is_noticed(1), 0);
  EXPECT_GT(is_noticed(kPlaces - 1), 0);
}

// Charges.

Statement capped_statement(std::uint32_t people, std::uint32_t shards) {
  Statement statement;
  statement.source.fields = {levels_field("k", {"A", "B"}), real_field("x", 0, 5)};
  statement.source.fields[0].wholes = {0, 1};
  statement.source.unit = {Unit::Kind::id, {"who"}, people, shards};
  Truncate caps;
  caps.rows = 4;
  statement.steps = {caps};
  statement.by = {"k"};
  for (const auto kind : {Aggregate::Kind::count, Aggregate::Kind::ids, Aggregate::Kind::sum}) {
    Aggregate each;
    each.name = Aggregate::kKindNames[static_cast<std::size_t>(kind)];
    each.kind = kind;
    if (kind == Aggregate::Kind::sum) each.of = amount_column();
    statement.aggregates.push_back(each);
    statement.outputs.push_back({each.name, column_named(each.name)});
  }
  return statement;
}

// Rows of one person: in each place, and for both groups, the number that the caps keep there.
WildTable one_person() {
  WildTable table(4 * kPlaces);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i].number = i;
    table[i].texts["k"] = i / kPlaces % 2 == 0 ? "A" : "B";
    table[i].reals["x"] = 5;
  }
  return table;
}

TEST(QueryShards, that_split_a_person_move_a_query_as_far_as_its_map_says) {
  const QueryPlan plan(capped_statement(1, kPlaces), Loss{false, 1, 0}, Alpha(0.05));
  const auto numbers = [&](const WildTable& table, const NoisyComponent& part) {
    const ExactAggregates counted =
        kSplitAtWill(plan.statement(), plan.parts().tallies, table, Salt());
    return exact_numbers(
        plan.parts(), part, counted, candidate_groups(plan.keys(), counted).places);
  };
  ASSERT_EQ(plan.parts().parts.size(), 3U);
  for (const NoisyComponent& part : plan.parts().parts) {
    const Change change =
        change_of(plan.parts(), part, numbers(one_person(), part), numbers({}, part));
    EXPECT_EQ(change.l1, claim_of_map(plan, part).l1) << part.column;
  }
}

TEST(QueryShards, cost_what_as_many_people_more_cost) {
  const auto compiled = [](std::uint32_t people, std::uint32_t shards) {
    return compile(
        capped_statement(people, shards), Loss{false, 1, 0}, Alpha(0.05), AggregationFunction());
  };
  const CompiledQuery split = compiled(2, 3);
  const CompiledQuery six = compiled(6, 1);
  ASSERT_EQ(split.preview.size(), 3U);
  for (std::size_t i = 0; i < split.preview.size(); ++i) {
    EXPECT_EQ(split.preview[i].scale, six.preview[i].scale);
    EXPECT_EQ(split.preview[i].sensitivity, six.preview[i].sensitivity);
  }
  EXPECT_EQ(split.events[0].bound.rows, 24U);
  EXPECT_EQ(split.events[1].bound.rows_per_group, 6U);
  const auto loss = [](const CompiledQuery& query, std::uint32_t people) {
    return dp::number_in<double>(query.measurement.map(Scalar(people)));
  };
  EXPECT_EQ(loss(split, 4), loss(six, 12));
  EXPECT_EQ(loss(split, 2), split.loss.amount);
}

}  // namespace
}  // namespace dp::test::shards_test

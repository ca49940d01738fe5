// People affected by caps, and the rows that caps drop.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/query/kernel.h"
#include "query/neighbour_fuzz.h"
#include "support/tier.h"

namespace dp::test::caps_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

using Kind = Aggregate::Kind;

struct Visit {
  std::int64_t who;
  std::string k;
  std::int64_t n;
};

Statement statement_with(const Truncate& caps) {
  Statement statement;
  statement.source.fields = {levels_field("k", {"a", "b"}), whole_field("n", 0, 9)};
  statement.source.unit = {Unit::Kind::id, {"who"}};
  statement.steps = {caps};
  statement.by = {"k"};
  return statement;
}

QueryRows rows_of(const std::vector<Visit>& visits) {
  std::vector<std::int64_t> who, n;
  std::vector<std::optional<std::string>> k;
  for (const Visit& visit : visits) {
    who.push_back(visit.who);
    k.emplace_back(visit.k);
    n.push_back(visit.n);
  }
  return QueryRows(visits.size(),
                   {column_of("who", QueryColumn::Kind::int64, who),
                    text_column("k", k),
                    column_of("n", QueryColumn::Kind::int64, n)});
}

std::vector<ExactAggregate> tallies_up_to(std::uint32_t up_to) {
  std::vector<ExactAggregate> tallies{{ExactAggregate::Kind::rows, nullptr, {}, {}},
                                      {ExactAggregate::Kind::ids, nullptr, {}, {}},
                                      {ExactAggregate::Kind::dropped, nullptr, {}, {}},
                                      {ExactAggregate::Kind::dropped, nullptr, {}, {}}};
  tallies[2].up_to = 1;
  tallies[3].up_to = up_to;
  return tallies;
}

// A cap on all rows drops a person's excess rows, regardless of groups.
TEST(Caps, count_dropped_rows_in_any_pieces_and_order) {
  TestRandom random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Visit> visits(random.below(120));
    std::map<std::int64_t, std::size_t> rows;
    for (Visit& visit : visits) {
      visit = {static_cast<std::int64_t>(random.below(9)), "a", 0};
      visit.n = static_cast<std::int64_t>(random.below(10));
      ++rows[visit.who];
    }
    Truncate caps;
    caps.rows = static_cast<std::uint32_t>(1 + random.below(5));
    std::size_t capped = 0;
    std::size_t dropped = 0;
    for (const auto& person : rows) {
      const std::size_t lost = person.second - std::min<std::size_t>(person.second, *caps.rows);
      capped += lost > 0;
      dropped += std::min<std::size_t>(lost, 7);
    }
    const Statement statement = statement_with(caps);
    for (const Pieces& pieces :
         {Pieces{}, Pieces{1, 7, 13, 3, 64, 0}, Pieces{5, 10, 50, 64, 64, 900}}) {
      std::shuffle(visits.begin(), visits.end(), std::mt19937_64(7));
      const ExactAggregates found =
          tally_in_pieces(statement, tallies_up_to(7), rows_of(visits), Salt{}, pieces);
      if (visits.empty()) continue;
      ASSERT_EQ(found.values[2][0], static_cast<int128_t>(capped));
      ASSERT_EQ(found.values[3][0], static_cast<int128_t>(dropped));
      ASSERT_EQ(found.values[1][0], static_cast<int128_t>(rows.size()));
    }
  }
}

TEST(Caps, of_groups_and_with_an_order_count_every_row_that_goes) {
  std::vector<Visit> visits;
  for (std::int64_t i = 0; i < 6; ++i) visits.push_back({1, i < 4 ? "a" : "b", i});
  visits.push_back({2, "b", 1});
  Truncate caps;
  caps.by = {"k"};
  caps.groups = 1;
  caps.rows_per_group = 2;
  caps.keep = Truncate::Keep::first;
  caps.order = column_named("n");
  for (const Pieces& pieces : {Pieces{}, Pieces{1, 2, 2, 1, 64, 0}}) {
    const ExactAggregates found =
        tally_in_pieces(statement_with(caps), tallies_up_to(9), rows_of(visits), Salt{}, pieces);
    // Person 1 keeps two rows of "a"; person 2 keeps one row of "b".
    EXPECT_EQ(found.values[0], (std::vector<int128_t>{2, 1}));
    EXPECT_EQ(found.values[2], (std::vector<int128_t>{1, 0}));
    EXPECT_EQ(found.values[3], (std::vector<int128_t>{4, 0}));
  }
}

// Turns counts into counts of the caps' effects, if the last step is a truncate().
bool ask_for_caps(Statement& statement) {
  if (statement.source.unit.kind != Unit::Kind::id) return false;
  bool any = false;
  for (Aggregate& each : statement.aggregates) {
    const bool counts = each.kind == Kind::count || each.kind == Kind::ids;
    if (!counts) continue;
    each.kind = each.kind == Kind::count ? Kind::dropped : Kind::capped;
    each.up_to = 3;
    any = true;
  }
  return any;
}

TEST(Caps, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found =
      NeighbourFuzz(count_with_kernel, claim_of_map, ask_for_caps).run(41, in_tier(150, 2000), 5);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.reached.count(Kind::capped), 1u);
  EXPECT_EQ(found.reached.count(Kind::dropped), 1u);
}

TEST(Caps, T_MUT_dropped_rows_that_are_charged_as_people_are_noticed) {
  const QueryClaim as_people = [](const QueryPlan& plan, NoisyComponent part) {
    if (plan.parts().tallies[part.tally].kind == ExactAggregate::Kind::dropped)
      part.effect.unit = 1;
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, as_people, ask_for_caps).run(42, 400, 6).violations,
            0);
}

TEST(Caps, T_MUT_dropped_rows_without_a_limit_are_noticed) {
  const QueryCounter unlimited = [](const Statement& statement,
                                    std::vector<ExactAggregate> tallies,
                                    const WildTable& table,
                                    const Salt& salt) {
    for (ExactAggregate& tally : tallies) {
      if (tally.kind == ExactAggregate::Kind::dropped) tally.up_to += 1;
    }
    return count_with_kernel(statement, tallies, table, salt);
  };
  EXPECT_GT(NeighbourFuzz(unlimited, claim_of_map, ask_for_caps).run(43, 400, 6).violations, 0);
}

}  // namespace
}  // namespace dp::test::caps_test

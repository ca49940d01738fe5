// T-NBR and T-MUT: no neighbours move the numbers of a query further than its map claims. The fuzz
// that shows this rejects the mutants of the specification.
#include <gtest/gtest.h>

#include <cmath>

#include "core/query/key_threshold.h"
#include "core/query/release.h"
#include "query/neighbour_fuzz.h"
#include "support/tier.h"

namespace dp::test::query_neighbours_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

TEST(QueryNeighbours, D_QRY_1_T_NBR_move_no_query_further_than_its_map_says) {
  const FuzzVerdict found = NeighbourFuzz(count_with_kernel, claim_of_map).run(7, 300, 3);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.plans, 300);
  EXPECT_EQ(found.reached.size(), RandomStatements::kDrawnKinds);
}

// Joins that may multiply rows. Their keys are numbers of all types, and strings in several
// encodings.

bool multiplies(const Statement& statement) {
  return std::any_of(statement.steps.begin(), statement.steps.end(), [](const Step& step) {
    const auto* join = std::get_if<JoinPublic>(&step);
    return join != nullptr &&
           (join->how == JoinPublic::How::left || join->how == JoinPublic::How::inner);
  });
}

TEST(QueryNeighbours, D_QRY_1_T_NBR_move_no_query_with_a_public_join_further_than_its_map_says) {
  constexpr int kPlans = in_tier(150, 2000);
  const FuzzVerdict found =
      NeighbourFuzz(count_with_kernel, claim_of_map, multiplies).run(21, kPlans, 5);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_EQ(found.plans, kPlans);
}

// Text of a public key as an older version compared it. Keys with equal text counted as one key.
std::string text_of_key(const Literal& literal) {
  if (const auto* flag = std::get_if<bool>(&literal.value)) return *flag ? "n1" : "n0";
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    return "n" + std::to_string(static_cast<double>(*whole));
  }
  if (const auto* real = std::get_if<double>(&literal.value)) return "n" + std::to_string(*real);
  return "t" + std::get<std::string>(literal.value);
}

std::size_t matches_by_text(const JoinPublic& join) {
  std::map<std::string, std::size_t> seen;
  std::size_t most = 1;
  const PublicTable& table = join.table;
  for (std::size_t row = 0; row < table.columns[0].size(); ++row) {
    std::string key;
    bool missing = false;
    for (std::size_t c = 0; c < table.fields.size(); ++c) {
      const auto is_it = [&](const auto& names) { return names.second == table.fields[c].name; };
      if (std::none_of(join.by.begin(), join.by.end(), is_it)) continue;
      const Literal& cell = table.columns[c][row];
      missing = missing || std::holds_alternative<std::monostate>(cell.value);
      if (!missing) key += text_of_key(cell) + ";";
    }
    if (!missing) most = std::max(most, ++seen[key]);
  }
  return most;
}

// The same join, with a public table that has `rows` rows of one key.
JoinPublic with_one_key(JoinPublic join, std::size_t rows) {
  for (std::size_t c = 0; c < join.table.columns.size(); ++c) {
    Literal cell;
    cell.value = std::int64_t{0};
    if (join.table.fields[c].type == FieldType::text) cell.value = std::string("p");
    join.table.columns[c].assign(rows, cell);
  }
  return join;
}

TEST(QueryNeighbours, T_MUT_a_map_that_compares_public_keys_by_their_texts_is_noticed) {
  const QueryClaim by_text = [](const QueryPlan& plan, const NoisyComponent& part) {
    const Statement& statement = plan.statement();
    std::vector<Step> steps = statement.steps;
    for (Step& step : steps) {
      if (auto* join = std::get_if<JoinPublic>(&step)) {
        *join = with_one_key(*join, matches_by_text(*join));
      }
    }
    const std::uint32_t count = statement.source.unit.count;
    Grouping grouping{{statement.by.begin(), statement.by.end()}, {}};
    if (plan.keys().source == KeySource::universe) grouping.universe = plan.keys().universe.size();
    const auto rows = contributions_after(statement.source, steps, count).rows(grouping).bound;
    return component_sensitivity(part, part.of_people ? plan.bound_of(part, count) : rows.value());
  };
  const FuzzVerdict found = NeighbourFuzz(count_with_kernel, by_text, multiplies).run(21, 200, 5);
  EXPECT_GT(found.violations, 0);
}

// Public lengths for any unit. Two added or removed rows or people become one replacement.

bool promise_lengths(Statement& statement) {
  const auto is_promise = [](const Step& step) { return std::holds_alternative<Margin>(step); };
  std::vector<Step>& steps = statement.steps;
  steps.erase(std::remove_if(steps.begin(), steps.end(), is_promise), steps.end());
  Margin lengths;
  lengths.by = statement.by;
  lengths.lengths_are_public = true;
  steps.emplace_back(lengths);
  if (statement.source.unit.kind != Unit::Kind::changes) statement.source.unit.count = 2;
  return true;
}

TEST(QueryNeighbours, D_QRY_1_T_NBR_of_public_lengths_move_no_further_than_replacements) {
  const FuzzVerdict found = NeighbourFuzz(count_with_kernel, claim_of_map, promise_lengths)
                                .run(22, in_tier(60, 2000), 12);
  EXPECT_EQ(found.violations, 0) << found.first;
  EXPECT_GT(found.replacements, 5);
}

TEST(QueryNeighbours, T_MUT_replacements_that_are_charged_for_half_are_noticed) {
  const QueryClaim half = [](const QueryPlan& plan, NoisyComponent part) {
    if (part.effect.by_replacement) part.effect.unit = (part.effect.unit + 1) / 2;
    return component_sensitivity(part, plan.bound_of(part, plan.statement().source.unit.count));
  };
  EXPECT_GT(NeighbourFuzz(count_with_kernel, half, promise_lengths).run(22, 400, 20).violations, 0);
}

// Mutants of the counter.

bool is_noticed(const QueryCounter& counter, const QueryClaim& claim) {
  return NeighbourFuzz(counter, claim).run(3, 3000, 6).violations > 0;
}

TEST(QueryNeighbours, D_QRY_2_T_MUT_a_random_stream_that_rows_use_up_is_noticed) {
  // The number of rows of earlier people decides which rows are kept.
  const QueryCounter by_stream = [](const Statement& statement,
                                    const std::vector<ExactAggregate>& tallies,
                                    WildTable table,
                                    const Salt& salt) {
    Statement spoilt = statement;
    spoilt.source.fields.push_back(real_field("rank", 0, 1));
    TestRandom stream(7);
    for (WildRow& row : table) row.reals["rank"] = stream.unit();
    for (Step& step : spoilt.steps) {
      if (auto* select = std::get_if<Select>(&step)) select->columns.emplace_back("rank", "rank");
      if (auto* caps = std::get_if<Truncate>(&step)) {
        caps->keep = Truncate::Keep::first;
        caps->order = column_named("rank");
      }
    }
    try {
      return count_with_kernel(spoilt, tallies, table, salt);
    } catch (const Error&) {  // per_unit() has no such column
      return count_with_kernel(statement, tallies, table, salt);
    }
  };
  EXPECT_TRUE(is_noticed(by_stream, claim_of_map));
}

// People 2 i and 2 i + 1 have names that differ in case, or days that are equal as doubles.
QueryCounter with_merged_people(bool of_two_columns) {
  return [of_two_columns](const Statement& statement,
                          const std::vector<ExactAggregate>& tallies,
                          WildTable table,
                          const Salt& salt) {
    if ((statement.source.unit.id.size() > 1) == of_two_columns) {
      for (WildRow& row : table) row.person -= row.person % 2;
    }
    return count_with_kernel(statement, tallies, table, salt);
  };
}

TEST(QueryNeighbours, T_MUT_ids_without_their_case_are_noticed) {
  EXPECT_TRUE(is_noticed(with_merged_people(false), claim_of_map));
}

TEST(QueryNeighbours, T_MUT_ids_as_doubles_are_noticed) {
  EXPECT_TRUE(is_noticed(with_merged_people(true), claim_of_map));
}

TEST(QueryNeighbours, T_MUT_a_cap_that_is_off_by_one_is_noticed) {
  const auto one_more = [](auto member) {
    return [member](const Statement& statement,
                    const std::vector<ExactAggregate>& tallies,
                    const WildTable& table,
                    const Salt& salt) {
      Statement spoilt = statement;
      for (Step& step : spoilt.steps) {
        auto* caps = std::get_if<Truncate>(&step);
        if (caps != nullptr && caps->*member) caps->*member = *(caps->*member) + 1;
      }
      return count_with_kernel(spoilt, tallies, table, salt);
    };
  };
  EXPECT_TRUE(is_noticed(one_more(&Truncate::rows), claim_of_map));
  EXPECT_TRUE(is_noticed(one_more(&Truncate::groups), claim_of_map));
  EXPECT_TRUE(is_noticed(one_more(&Truncate::rows_per_group), claim_of_map));
}

TEST(QueryNeighbours, T_MUT_sums_of_doubles_are_noticed) {
  const QueryCounter rounded = [](const Statement& statement,
                                  const std::vector<ExactAggregate>& tallies,
                                  const WildTable& table,
                                  const Salt& salt) {
    ExactAggregates counted = count_with_kernel(statement, tallies, table, salt);
    for (std::size_t t = 0; t < tallies.size(); ++t) {
      if (tallies[t].kind != ExactAggregate::Kind::sum &&
          tallies[t].kind != ExactAggregate::Kind::squares)
        continue;
      for (int128_t& sum : counted.values[t]) {
        sum = static_cast<int128_t>(static_cast<double>(sum));
      }
    }
    return counted;
  };
  EXPECT_TRUE(is_noticed(rounded, claim_of_map));
}

// Mutants of the claim.

// Claim of component_sensitivity() for a changed part or bound.
template <class Spoil>
QueryClaim with_part(Spoil spoil) {
  return [spoil](const QueryPlan& plan, NoisyComponent part) {
    ContributionBound bound = plan.bound_of(part, plan.statement().source.unit.count);
    spoil(plan, part, bound);
    return component_sensitivity(part, bound);
  };
}

TEST(QueryNeighbours, T_MUT_a_tree_that_is_charged_as_its_leaves_is_noticed) {
  EXPECT_TRUE(is_noticed(count_with_kernel,
                         with_part([](const QueryPlan&, NoisyComponent& part, ContributionBound&) {
                           part.layers = 1;
                         })));
}

TEST(QueryNeighbours, T_MUT_a_join_that_multiplies_nothing_is_noticed) {
  const auto overlooked =
      [](const QueryPlan& plan, const NoisyComponent& part, ContributionBound& bound) {
        const Statement& statement = plan.statement();
        std::vector<Step> others;
        for (const Step& step : statement.steps) {
          if (!std::holds_alternative<JoinPublic>(step)) others.push_back(step);
        }
        const std::uint32_t count = statement.source.unit.count;
        const Grouping grouping{{statement.by.begin(), statement.by.end()},
                                plan.keys().universe.size()};
        try {
          const auto known = contributions_after(statement.source, others, count).rows(grouping);
          if (known.bound && !part.of_people) bound = *known.bound;
        } catch (const Error&) {  // a later step needs what was joined
        }
      };
  EXPECT_TRUE(is_noticed(count_with_kernel, with_part(overlooked)));
}

TEST(QueryNeighbours, T_MUT_a_map_of_another_unit_is_noticed) {
  EXPECT_TRUE(is_noticed(count_with_kernel,
                         with_part([](const QueryPlan&, NoisyComponent& part, ContributionBound&) {
                           part.effect.by_replacement = true;
                         })));
  EXPECT_TRUE(is_noticed(
      count_with_kernel,
      with_part([](const QueryPlan& plan, NoisyComponent& part, ContributionBound& bound) {
        if (plan.statement().source.unit.count > 1) bound = plan.bound_of(part, 1);
      })));
}

TEST(QueryNeighbours, T_MUT_each_part_that_is_charged_a_step_less_is_noticed) {
  for (const NoisyComponent::Kind kind : {NoisyComponent::Kind::number,
                                          NoisyComponent::Kind::squares,
                                          NoisyComponent::Kind::cells,
                                          NoisyComponent::Kind::tree,
                                          NoisyComponent::Kind::scores}) {
    const auto less = [kind](const QueryPlan&, NoisyComponent& part, ContributionBound&) {
      if (part.kind == kind && part.effect.unit > 0) part.effect.unit -= 1;
    };
    EXPECT_TRUE(is_noticed(count_with_kernel, with_part(less))) << static_cast<int>(kind);
  }
}

// A group of one person is released with the probability that the threshold's delta states. One
// step more or less would show.
TEST(QueryNeighbours, T_MUT_a_threshold_that_is_off_by_one_is_noticed) {
  Statement statement;
  statement.source.fields = {plain_field("t", FieldType::text)};
  statement.source.unit = {Unit::Kind::id, {"who"}, 1};
  Truncate caps;
  caps.rows = 1;
  statement.steps = {caps};
  statement.by = {"t"};
  statement.keys.kind = Keys::Kind::threshold;
  Aggregate people;
  people.name = "people";
  people.kind = Aggregate::Kind::ids;
  statement.aggregates = {people};
  statement.outputs = {{"people", column_named("people")}};
  const QueryPlan plan(statement, Loss{false, 1, 0.05}, Alpha(0.05));
  ExactAggregates one;
  one.keys = {{KeyPart{false, true, 0, "p"}}};
  one.values.assign(plan.parts().tallies.size(), {1});
  ReplayedBits bits(5);
  constexpr int kReleases = 20000;
  int shown = 0;
  for (int i = 0; i < kReleases; ++i) {
    const Value release = release_of(plan, one, bits);
    const auto& keys = *(*release.as<Value::Tuple>())[0].as<Value::Tuple>();
    shown += static_cast<int>((*keys[0].as<ColumnPtr>())->size());
  }
  // Five standard deviations: a correct rate fails with probability below 1e-6.
  const auto is_law = [&](int beside) {
    const double p = threshold_delta(*plan.laws()[*plan.parts().threshold],
                                     ContributionBound{1, 1, 1},
                                     *plan.threshold() + beside);
    return std::fabs(shown - kReleases * p) < 5 * std::sqrt(kReleases * p * (1 - p));
  };
  EXPECT_TRUE(is_law(0));
  EXPECT_FALSE(is_law(1));
  EXPECT_FALSE(is_law(-1));
}

}  // namespace
}  // namespace dp::test::query_neighbours_test

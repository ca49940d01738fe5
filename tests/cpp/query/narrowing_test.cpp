// Facts that filters imply about columns hold for all rows that pass. Queries that take bounds and
// groups from filters move no further than their maps claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/query/lowered.h"
#include "core/query/schema.h"
#include "query/neighbour_fuzz.h"
#include "support/tier.h"

namespace dp::test::narrowing_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

bool is_filter(const Step& step) { return std::holds_alternative<Filter>(step); }

// Lets filters narrow columns. Under rules 2, columns are also keys and amounts.
bool with_narrowing(Statement& statement, bool lowers) {
  if (std::none_of(statement.steps.begin(), statement.steps.end(), is_filter)) return false;
  for (Step& step : statement.steps) {
    if (auto* filter = std::get_if<Filter>(&step)) filter->narrows = true;
  }
  if (!lowers) return true;
  try {
    statement = lowered(statement);
  } catch (const Error&) {
    return false;
  }
  return true;
}

bool narrows(Statement& statement) { return with_narrowing(statement, false); }
bool narrows_lowered(Statement& statement) { return with_narrowing(statement, true); }

TEST(Narrowing, D_QRY_1_T_NBR_move_no_query_that_narrows_further_than_its_map_says) {
  constexpr int kPlans = in_tier(150, 3000);
  for (const auto change : {narrows, narrows_lowered}) {
    const FuzzVerdict found =
        NeighbourFuzz(count_with_kernel, claim_of_map, change).run(31, kPlans, 4);
    EXPECT_EQ(found.violations, 0) << found.first;
    EXPECT_EQ(found.plans, kPlans);
  }
}

// Number of rows per column that contradict `fields`, column by column.
std::int64_t exceptions(const Statement& statement,
                        const std::vector<Field>& fields,
                        const WildTable& table) {
  Salt salt;
  std::int64_t found = 0;
  const Quantiser one{0, 0, 1, 0, 1, 0, {}};
  for (const Field& field : fields) {
    Statement rows = statement;
    rows.aggregates.clear();
    rows.by.clear();
    const ExpressionPtr column = column_named(field.name);
    std::vector<ExactAggregate> tallies{{ExactAggregate::Kind::rows, nullptr, {}, {}}};
    if (!field.may_be_missing) tallies.push_back({ExactAggregate::Kind::missing, column, {}, {}});
    if (field.reals || (field.type == FieldType::integer && field.wholes)) {
      const ExpressionPtr lower =
          field.reals ? written(field.reals->first) : written_whole(field.wholes->first);
      const ExpressionPtr upper =
          field.reals ? written(field.reals->second) : written_whole(field.wholes->second);
      const ExpressionPtr outside =
          call("|", {call("<", {column, lower}), call(">", {column, upper})});
      tallies.push_back({ExactAggregate::Kind::sum,
                         call("if_else", {outside, written_whole(1), written_whole(0)}),
                         one,
                         {}});
    }
    const ExactAggregates counted = count_with_kernel(rows, tallies, table, salt);
    for (std::size_t t = 1; t < counted.values.size(); ++t) {
      for (const int128_t value : counted.values[t]) found += static_cast<std::int64_t>(value);
    }
    if (!field.places && field.type != FieldType::date) continue;
    rows.by = {field.name};
    for (const Key& key : count_with_kernel(rows, {tallies[0]}, table, salt).keys) {
      if (key[0].missing) continue;
      const bool within =
          field.places
              ? std::binary_search(field.places->begin(), field.places->end(), key[0].whole)
              : !field.wholes ||
                    (field.wholes->first <= key[0].whole && key[0].whole <= field.wholes->second);
      if (!within) ++found;
    }
  }
  return found;
}

struct Seen {
  std::int64_t exceptions = 0;
  int narrowed = 0;  // columns that a filter narrowed
};

// `claim` computes the claimed facts about the columns, which are compared with the rows.
Seen exceptions_of(const std::function<bool(Statement&)>& change,
                   const std::function<void(std::vector<Field>&)>& claim,
                   int count,
                   unsigned seed = 41) {
  RandomStatements statements(seed);
  WildTables tables(seed + 2);
  Seen seen;
  for (int tried = 0; tried < count;) {
    Statement statement = statements.make();
    if (!change(statement)) continue;
    Statement wide = statement;
    for (Step& step : wide.steps) {
      if (auto* filter = std::get_if<Filter>(&step)) filter->narrows = false;
    }
    std::vector<Field> fields, all;
    try {
      fields = fields_after(statement.source, statement.steps);
      all = fields_after(wide.source, wide.steps);
    } catch (const Error&) {
      continue;  // no row passes
    }
    ++tried;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!same_fields({fields[i]}, {all[i]})) ++seen.narrowed;
    }
    claim(fields);
    for (int i = 0; i < 6; ++i) seen.exceptions += exceptions(statement, fields, tables.table());
  }
  return seen;
}

TEST(Narrowing, no_row_that_passes_is_outside_of_what_a_filter_leaves) {
  constexpr unsigned kSeeds = 12;
  for (const auto change : {narrows, narrows_lowered}) {
    int narrowed = 0;
    for (unsigned seed = 41; seed < 41 + kSeeds; ++seed) {
      const Seen seen = exceptions_of(
          change, [](auto&) {}, in_tier(20, 500), seed);
      EXPECT_EQ(seen.exceptions, 0) << seed;
      narrowed += seen.narrowed;
    }
    EXPECT_GT(narrowed, 50);
  }
}

TEST(Narrowing, T_MUT_bounds_places_and_missing_values_that_are_too_few_are_noticed) {
  const auto spoilt = [](auto spoil) {
    return exceptions_of(
               narrows_lowered,
               [&](std::vector<Field>& fields) {
                 std::for_each(fields.begin(), fields.end(), spoil);
               },
               150)
        .exceptions;
  };
  EXPECT_GT(spoilt([](Field& field) {
              if (field.reals) field.reals->first += 0.1;
            }),
            0);
  EXPECT_GT(spoilt([](Field& field) {
              if (field.wholes && field.wholes->first < field.wholes->second)
                --field.wholes->second;
            }),
            0);
  EXPECT_GT(spoilt([](Field& field) {
              if (field.places && field.places->size() > 1) field.places->pop_back();
            }),
            0);
  EXPECT_GT(spoilt([](Field& field) { field.may_be_missing = false; }), 0);
}

}  // namespace
}  // namespace dp::test::narrowing_test

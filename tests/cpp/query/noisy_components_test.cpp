// Change of each part between neighbours, checked by plain counting.
#include "core/query/noisy_components.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numeric/rational.h"
#include "core/query/measure.h"
#include "core/query/schema.h"
#include "core/query/unit_reach.h"
#include "query/moved_components.h"
#include "support/expect_error.h"
#include "support/neighbours.h"
#include "support/query_statements.h"
#include "support/recorded_bits.h"

namespace dp::query {
namespace {

using test::aggregate;
using test::all_aggregates;
using test::caps;
using test::Change;
using test::column_of_query;
using test::QueryRow;
using test::QueryTable;
using test::row_cap;
using test::statement_by_ward;

class Fuzz {
 public:
  Fuzz(Statement statement, std::uint64_t seed)
      : statement_(std::move(statement)),
        random_(seed),
        parts_(lower_aggregates(statement_, fields_after(statement_.source, statement_.steps))) {
    const Contributions known =
        contributions_after(statement_.source, statement_.steps, statement_.source.unit.count);
    keys_ = keys_of(statement_, fields_after(statement_.source, statement_.steps), known);
    const Grouping grouping{{statement_.by.begin(), statement_.by.end()}, keys_.universe.size()};
    rows_ = known.rows(grouping).bound;
    people_ = known.people(grouping, statement_.source.unit.count).bound;
    reached_.resize(parts_.parts.size());
  }

  QueryComponents& parts() { return parts_; }
  // ContributionBounds that the maps start from.
  std::optional<ContributionBound>& rows() { return rows_; }
  std::optional<ContributionBound>& people() { return people_; }

  // Number of parts of random neighbours that move further than their maps claim.
  int violations(int trials) {
    int found = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const QueryTable table = random_table();
      QueryTable neighbour = table;
      for (std::uint32_t i = 0; i < statement_.source.unit.count; ++i) replace(neighbour);
      found += compare(table, neighbour);
    }
    return found;
  }

  // Whether some pair moved a part as far as its map allows, in L1.
  bool is_reached(std::size_t part) const { return reached_[part]; }

 private:
  double random_cell() { return random_.pick<double>({-2, -2, -1.25, 0, 0.5, 1, 3, 6, 6}); }

  QueryRow random_row(int person) {
    QueryRow row{person, {}};
    row.cells["ward"] = static_cast<double>(random_.below(4));
    row.cells["cost"] = random_cell();
    if (random_.below(4) == 0) row.cells["cost"] = std::nullopt;
    return row;
  }

  void add_rows(QueryTable& table, int person) {
    const std::size_t rows = random_.below(2) == 0 ? random_.below(4) : random_.below(30);
    const bool alike = random_.below(2) == 0;
    const QueryRow first = random_row(person);
    for (std::size_t i = 0; i < rows; ++i) {
      table.push_back(random_row(person));
      if (alike) table.back().cells["cost"] = first.cells.at("cost");
      if (alike && random_.below(2) == 0) table.back() = first;
    }
  }

  QueryTable random_table() {
    QueryTable table;
    const int people = static_cast<int>(random_.below(4));
    for (int person = 0; person < people; ++person) add_rows(table, person);
    return table;
  }

  // Adds or removes one person's rows, or one row; or changes a row.
  void replace(QueryTable& table) {
    const Unit::Kind kind = statement_.source.unit.kind;
    if (kind == Unit::Kind::id) {
      const int person = next_person_++ % 5;
      const auto is_theirs = [&](const QueryRow& row) { return row.person == person; };
      const bool was_there = std::any_of(table.begin(), table.end(), is_theirs);
      table.erase(std::remove_if(table.begin(), table.end(), is_theirs), table.end());
      if (!was_there) add_rows(table, person);
    } else if (kind == Unit::Kind::changes) {
      if (!table.empty()) table[random_.below(table.size())] = random_row(0);
    } else if (random_.below(2) == 0 || table.empty()) {
      table.push_back(random_row(0));
    } else {
      table.erase(table.begin() + static_cast<std::ptrdiff_t>(random_.below(table.size())));
    }
  }

  int compare(const QueryTable& x, const QueryTable& y) {
    const ExactAggregates of_x = test::reference_tally(statement_, parts_.tallies, x);
    const ExactAggregates of_y = test::reference_tally(statement_, parts_.tallies, y);
    const Groups groups_x = candidate_groups(keys_, of_x);
    const Groups groups_y = candidate_groups(keys_, of_y);
    int found = 0;
    for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
      const NoisyComponent& part = parts_.parts[i];
      const Change change =
          test::change_of(parts_,
                          part,
                          test::exact_numbers(parts_, part, of_x, groups_x.places),
                          test::exact_numbers(parts_, part, of_y, groups_y.places));
      const Sensitivity claim = component_sensitivity(part, part.of_people ? *people_ : *rows_);
      if (change.l1 > claim.l1 || change.l2_squared > claim.l2_squared) ++found;
      if (change.l1 == claim.l1 && change.l1 > 0) reached_[i] = true;
    }
    return found;
  }

  Statement statement_;
  test::TestRandom random_;
  QueryComponents parts_;
  QueryKeys keys_;
  std::optional<ContributionBound> rows_, people_;
  std::vector<bool> reached_;
  int next_person_ = 0;
};

const std::vector<Missing>& policies() {
  static const std::vector<Missing> kAll = {
      {Missing::Policy::drop, 0}, {Missing::Policy::midpoint, 0}, {Missing::Policy::value, 1}};
  return kAll;
}

TEST(Parts, move_no_further_than_their_maps_say_if_people_come_or_go) {
  const std::vector<std::vector<Step>> plans = {
      {caps(2, 3)}, {row_cap(4)}, {caps(3, std::nullopt), row_cap(5)}, {caps(1, 2), row_cap(1)}};
  std::uint64_t seed = 0;
  for (const Missing& missing : policies()) {
    for (const auto& steps : plans) {
      for (const std::uint32_t count : {1u, 2u}) {
        Statement statement = statement_by_ward(missing, steps);
        statement.source.unit.count = count;
        statement.aggregates = all_aggregates();
        Fuzz fuzz(statement, ++seed);
        EXPECT_EQ(fuzz.violations(60), 0) << seed;
      }
    }
  }
}

TEST(Parts, reach_what_their_maps_say) {
  Statement statement = statement_by_ward(policies()[0], {caps(2, 3)});
  statement.aggregates = all_aggregates();
  Fuzz fuzz(statement, 99);
  EXPECT_EQ(fuzz.violations(1500), 0);
  for (std::size_t i = 0; i < fuzz.parts().parts.size(); ++i) {
    EXPECT_TRUE(fuzz.is_reached(i)) << fuzz.parts().parts[i].column;
  }
}

TEST(Parts, move_no_further_than_their_maps_say_if_rows_come_go_or_change) {
  std::uint64_t seed = 100;
  for (const Missing& missing : policies()) {
    for (const Unit::Kind kind : {Unit::Kind::rows, Unit::Kind::changes}) {
      for (const bool grouped : {false, true}) {
        for (const std::uint32_t count : {1u, 3u}) {
          Statement statement = statement_by_ward(missing, {});
          statement.source.unit = {kind, {}, count};
          if (!grouped) statement.by = {};
          statement.aggregates = all_aggregates();
          statement.aggregates.erase(statement.aggregates.begin() + 1);  // people
          Fuzz fuzz(statement, ++seed);
          EXPECT_EQ(fuzz.violations(60), 0) << seed;
        }
      }
    }
  }
}

// Whether the fuzz detects a change of the parts by `spoil`.
template <class Spoil>
bool is_caught(Spoil spoil) {
  Statement statement = statement_by_ward(policies()[0], {caps(2, 3)});
  statement.aggregates = all_aggregates();
  Fuzz fuzz(statement, 7);
  spoil(fuzz);
  for (int tens = 0; tens < 150; ++tens) {
    if (fuzz.violations(10) > 0) return true;
  }
  return false;
}

TEST(Parts, with_planted_mistakes_are_caught) {
  EXPECT_FALSE(is_caught([](Fuzz&) {}));
  for (const NoisyComponent::Kind kind : {NoisyComponent::Kind::number,
                                          NoisyComponent::Kind::squares,
                                          NoisyComponent::Kind::scores,
                                          NoisyComponent::Kind::cells}) {
    EXPECT_TRUE(is_caught([kind](Fuzz& fuzz) {
      for (NoisyComponent& part : fuzz.parts().parts) {
        if (part.kind == kind) part.effect.unit -= 1;
      }
    })) << static_cast<int>(kind);
  }
  // Mutants: a tree charged as its leaves, people as one group of one row each, rows without
  // groups.
  EXPECT_TRUE(is_caught([](Fuzz& fuzz) {
    for (NoisyComponent& part : fuzz.parts().parts) part.layers = 1;
  }));
  EXPECT_TRUE(is_caught([](Fuzz& fuzz) { fuzz.people() = ContributionBound{1, 1, 1}; }));
  EXPECT_TRUE(is_caught([](Fuzz& fuzz) { fuzz.rows() = ContributionBound{1, 3, 3}; }));
  // Mutant: charges added and removed rows as replacements.
  EXPECT_TRUE(is_caught([](Fuzz& fuzz) {
    for (NoisyComponent& part : fuzz.parts().parts) part.effect.by_replacement = true;
  }));
}

// Weights by name and place.
std::map<std::string, double> weights_of(const QueryComponents& parts) {
  std::map<std::string, double> weights;
  for (std::size_t i = 0; i < parts.parts.size(); ++i) {
    weights[parts.parts[i].column + std::to_string(i)] = parts.parts[i].weight;
  }
  return weights;
}

QueryComponents parts_of_aggregates(bool may_be_missing, const std::vector<Aggregate>& aggregates) {
  Statement statement = statement_by_ward(policies()[0], {caps(2, 3)});
  statement.source.fields[2].may_be_missing = may_be_missing;
  statement.aggregates = aggregates;
  return lower_aggregates(statement, fields_after(statement.source, statement.steps));
}

TEST(Parts, share_the_count_of_their_group) {
  using Kind = Aggregate::Kind;
  const Aggregate count = aggregate(Kind::count, "n");
  const Aggregate mean = aggregate(Kind::mean, "m");
  const Aggregate variance = aggregate(Kind::variance, "v");
  using Weights = std::map<std::string, double>;
  EXPECT_EQ(weights_of(parts_of_aggregates(false, {mean})), (Weights{{"m0", 0.5}, {"m1", 0.5}}));
  EXPECT_EQ(weights_of(parts_of_aggregates(false, {count, mean})), (Weights{{"n0", 1}, {"m1", 1}}));
  EXPECT_EQ(weights_of(parts_of_aggregates(true, {count, mean})),
            (Weights{{"n0", 1}, {"m1", 0.5}, {"m2", 0.5}}));
  EXPECT_EQ(parts_of_aggregates(true, {mean, variance}).parts.size(), 4u);
  EXPECT_EQ(parts_of_aggregates(false, {variance, aggregate(Kind::deviation, "s")}).parts.size(),
            3u);
}

TEST(Parts, are_refused_without_what_they_need) {
  using Kind = Aggregate::Kind;
  Statement statement = statement_by_ward(policies()[0], {caps(2, 3)});
  const auto refuse = [&](ErrorKind kind) {
    return test::expect_error(kind, [&] {
      lower_aggregates(statement, fields_after(statement.source, statement.steps));
    });
  };
  statement.aggregates = {aggregate(Kind::sum, "total")};
  statement.source.fields[2].reals.reset();
  EXPECT_NE(refuse(ErrorKind::domain).find("total"), std::string::npos);
  statement.source.fields[2].reals = {0, 1e151};
  statement.aggregates[0].kind = Kind::variance;
  EXPECT_NE(refuse(ErrorKind::domain).find("squares"), std::string::npos);
  statement.aggregates[0].kind = Kind::sum;
  statement.source.fields[2].reals = {0, 1};
  statement.aggregates[0].bounds = {3, 4};
  refuse(ErrorKind::domain);
  statement.aggregates[0].bounds = {1, 0};
  refuse(ErrorKind::domain);
  statement.aggregates[0] = aggregate(Kind::mean, "mean");
  statement.aggregates[0].scale = 3;
  refuse(ErrorKind::unsupported);
  statement.aggregates[0] = aggregate(Kind::sum, "total");
  statement.aggregates[0].of = column_of_query("ward");
  refuse(ErrorKind::domain);
  statement.aggregates[0] = aggregate(Kind::quantiles, "q");
  refuse(ErrorKind::unsupported);
  statement.aggregates[0].weight = 0;
  refuse(ErrorKind::unsupported);
  statement.aggregates[0] = aggregate(Kind::ids, "ids");
  statement.source.unit = {Unit::Kind::rows, {}, 1};
  statement.steps.clear();
  refuse(ErrorKind::unsupported);
}

TEST(Parts, of_bins_are_cells_trees_and_scores) {
  const std::vector<int128_t> bins = {1, 2, 3, 4, 5, 6, 7};  // three points
  EXPECT_EQ(cells_of(bins, CellRule::points), (std::vector<int128_t>{2, 4, 6}));
  EXPECT_EQ(cells_of(bins, CellRule::between), (std::vector<int128_t>{5, 15}));
  EXPECT_EQ(cells_of(bins, CellRule::covering), (std::vector<int128_t>{6, 22}));
  // At the first point 1 row is below and 25 above; half of each is |2 * 1 - ... | in units of 1.
  EXPECT_EQ(scores_of(bins, {1, 2}), (std::vector<int128_t>{24, 12, 8}));
  EXPECT_EQ(rank_gaps_of({2, 1, 3, 0}, {1, 2}), (std::vector<int128_t>{2, 0, 0, 6}));
  EXPECT_EQ(rank_gaps_of({4, 4, 2}, {1, 4}), (std::vector<int128_t>{0, 6, 22}));
  std::vector<int128_t> leaves(17, 1);
  const std::vector<int128_t> tree = tree_of(leaves);
  ASSERT_EQ(tree.size(), 1u + 16u + 17u);
  EXPECT_EQ(tree[0], 17);
  EXPECT_EQ(tree[1], 16);
  EXPECT_EQ(tree[2], 1);
  EXPECT_EQ(tree[16], 0);
}

}  // namespace
}  // namespace dp::query

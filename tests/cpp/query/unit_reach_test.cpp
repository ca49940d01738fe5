// Changes between neighbours after all kinds of steps, counted by the kernel and compared with the
// bounds.
#include "core/query/unit_reach.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "core/query/join_table.h"
#include "core/query/kernel.h"
#include "core/query/keys.h"
#include "core/query/schema.h"
#include "query/query_tables.h"
#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::query {
namespace {

using test::call;
using test::column_named;
using test::written_whole;

struct Visit {
  int patient;
  int ward;  // of four
  std::int64_t cost;
};
using Visits = std::vector<Visit>;

QueryRows rows_of(const Visits& visits) {
  std::vector<std::optional<std::string>> patients, wards;
  std::vector<std::int64_t> costs;
  for (const Visit& visit : visits) {
    patients.emplace_back("p" + std::to_string(visit.patient));
    wards.emplace_back(std::string(1, static_cast<char>('A' + visit.ward)));
    costs.push_back(visit.cost);
  }
  return {visits.size(),
          {test::text_column("patient", patients),
           test::text_column("ward", wards),
           test::column_of("cost", QueryColumn::Kind::int64, costs)}};
}

Statement plain_statement(Unit::Kind kind, std::uint32_t count) {
  Statement statement;
  Field ward = test::levels_field("ward", {"A", "B", "C", "D"});
  ward.wholes = {0, 3};
  statement.source.fields = {
      test::plain_field("patient", FieldType::text), ward, test::whole_field("cost", 0, 5)};
  statement.source.unit = {kind, {}, count};
  if (kind == Unit::Kind::id) statement.source.unit.id = {"patient"};
  return statement;
}

// Ward A is in two areas, B in one, C in three; D is in none.
PublicTable areas() {
  PublicTable table;
  table.fields = {test::plain_field("ward", FieldType::text),
                  test::plain_field("area", FieldType::integer)};
  table.columns.resize(2);
  const std::vector<std::pair<std::string, std::int64_t>> rows = {
      {"A", 1}, {"A", 2}, {"B", 2}, {"C", 1}, {"C", 2}, {"C", 3}};
  for (const auto& [ward, area] : rows) {
    table.columns[0].push_back({ward, false});
    table.columns[1].push_back({area, false});
  }
  return table;
}

class RandomPlans {
 public:
  explicit RandomPlans(std::uint64_t seed) : random_(seed) {}

  Statement make() {
    static const std::vector<Unit::Kind> kKinds = {
        Unit::Kind::id, Unit::Kind::id, Unit::Kind::rows, Unit::Kind::changes};
    Statement statement =
        plain_statement(random_.pick(kKinds), static_cast<std::uint32_t>(1 + random_.below(2)));
    columns_ = {"ward"};
    has_patient_ = true;
    add_row_steps(statement);
    if (statement.source.unit.kind == Unit::Kind::id) {
      if (random_.below(6) == 0) add_per_unit(statement);
      add_caps(statement);
      if (random_.below(3) == 0) add_caps(statement);
    }
    add_row_steps(statement);
    for (const std::string& name : columns_) {
      if (random_.below(2) == 0) statement.by.push_back(name);
    }
    return statement;
  }

  Visits table() {
    Visits visits;
    for (int patient = 0; patient < 3; ++patient) add(visits, patient);
    return visits;
  }

  Visits neighbour(const Unit& unit, Visits visits) {
    for (std::uint32_t i = 0; i < unit.count; ++i) change(unit, visits);
    return visits;
  }

 private:
  Visit visit(int patient) {
    return {
        patient, static_cast<int>(random_.below(4)), static_cast<std::int64_t>(random_.below(6))};
  }

  void add(Visits& visits, int patient) {
    const std::size_t rows = random_.below(9);
    for (std::size_t i = 0; i < rows; ++i) visits.push_back(visit(patient));
  }

  void change(const Unit& unit, Visits& visits) {
    if (unit.kind == Unit::Kind::id) {
      const int patient = static_cast<int>(random_.below(4));
      const auto is_theirs = [&](const Visit& each) { return each.patient == patient; };
      const bool was_there = std::any_of(visits.begin(), visits.end(), is_theirs);
      visits.erase(std::remove_if(visits.begin(), visits.end(), is_theirs), visits.end());
      if (!was_there) add(visits, patient);
    } else if (unit.kind == Unit::Kind::changes) {
      if (!visits.empty()) visits[random_.below(visits.size())] = visit(9);
    } else {
      visits.push_back(visit(9));
    }
  }

  void add_row_steps(Statement& statement) {
    for (std::size_t i = random_.below(4); i > 0; --i) {
      switch (random_.below(5)) {
        case 0:
          statement.steps.push_back(Filter{call(">", {column_named("cost"), written_whole(1)})});
          break;
        case 1:
        case 2:
          add_mutate(statement);
          break;
        case 3:
          add_join(statement);
          break;
        default:
          add_rename(statement);
      }
    }
  }

  bool has(const std::string& name) const {
    return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
  }

  // Adds a key column, sometimes under an existing name.
  void add_mutate(Statement& statement) {
    const std::string name = "tens";
    const auto divisor = written_whole(static_cast<std::int64_t>(1 + random_.below(4)));
    statement.steps.push_back(Mutate{name, call("%/%", {column_named("cost"), divisor})});
    if (!has(name)) columns_.push_back(name);
  }

  void add_join(Statement& statement) {
    if (!has("ward") || has("area")) return;
    static const std::vector<JoinPublic::How> kHow = {JoinPublic::How::left,
                                                      JoinPublic::How::inner,
                                                      JoinPublic::How::semi,
                                                      JoinPublic::How::anti};
    const JoinPublic::How how = random_.pick(kHow);
    statement.steps.push_back(JoinPublic{how, {{"ward", "ward"}}, areas()});
    if (how == JoinPublic::How::left || how == JoinPublic::How::inner) columns_.push_back("area");
  }

  // Renames the ward, or the second ward column.
  void add_rename(Statement& statement) {
    Select step;
    step.columns = {{"cost", "cost"}};
    if (has_patient_) step.columns.emplace_back("patient", "patient");
    for (std::string& name : columns_) {
      const std::string old = name;
      if (name == "ward") name = "place";
      step.columns.emplace_back(name, old);
    }
    statement.steps.push_back(step);
  }

  std::vector<std::string> some_columns() {
    std::vector<std::string> by;
    for (const std::string& name : columns_) {
      if (random_.below(2) == 0) by.push_back(name);
    }
    return by;
  }

  void add_caps(Statement& statement) {
    Truncate caps;
    caps.by = some_columns();
    const auto number = [&]() -> std::optional<std::uint32_t> {
      if (random_.below(2) == 0) return {};
      return static_cast<std::uint32_t>(1 + random_.below(3));
    };
    caps.rows = number();
    if (!caps.by.empty()) caps.groups = number();
    caps.rows_per_group = number();
    if (!caps.rows && !caps.groups && !caps.rows_per_group) caps.rows = 3;
    statement.steps.push_back(caps);
  }

  void add_per_unit(Statement& statement) {
    PerUnit step;
    step.by = columns_;
    step.values = {{"cost", PerUnitValue::Kind::most, column_named("cost")}};
    statement.steps.push_back(step);
    has_patient_ = false;
  }

  test::TestRandom random_;
  std::vector<std::string> columns_;
  bool has_patient_ = true;
};

// (groups, sum, largest) of one tally's differences.
ContributionBound difference(const ExactAggregates& x,
                             const ExactAggregates& y,
                             std::size_t tally) {
  std::map<Key, int128_t, KeyLess> changes;
  for (std::size_t i = 0; i < x.keys.size(); ++i) changes[x.keys[i]] += x.values[tally][i];
  for (std::size_t i = 0; i < y.keys.size(); ++i) changes[y.keys[i]] -= y.values[tally][i];
  ContributionBound bound;
  for (const auto& [key, change] : changes) {
    const auto moved = static_cast<std::uint64_t>(change < 0 ? -change : change);
    bound.groups += moved > 0 ? 1 : 0;
    bound.rows += moved;
    bound.rows_per_group = std::max(bound.rows_per_group, moved);
  }
  return bound;
}

bool exceeds(const ContributionBound& truth, const std::optional<ContributionBound>& claim) {
  return claim && (truth.groups > claim->groups || truth.rows > claim->rows ||
                   truth.rows_per_group > claim->rows_per_group);
}

struct Found {
  int violations = 0;
  int bounded = 0;
  int reached = 0;
};

// `known_of` makes a claim about a statement. Tries `count` statements until there are `enough`
// violations.
template <class KnownOf>
Found fuzz(std::uint64_t seed, int trials, KnownOf known_of, int enough) {
  RandomPlans plans(seed);
  Found found;
  for (int trial = 0; trial < trials && found.violations < enough; ++trial) {
    const Statement statement = plans.make();
    const Unit& unit = statement.source.unit;
    std::vector<ExactAggregate> tallies = {{ExactAggregate::Kind::rows, nullptr, {}, {}}};
    if (unit.kind == Unit::Kind::id)
      tallies.push_back({ExactAggregate::Kind::ids, nullptr, {}, {}});
    const Contributions known = known_of(statement);
    const Grouping grouping{{statement.by.begin(), statement.by.end()}, {}};
    const auto rows = known.rows(grouping).bound;
    const auto people = known.people(grouping, unit.count).bound;
    for (int pair = 0; pair < 5; ++pair) {
      const Visits table = plans.table();
      const Visits other = plans.neighbour(unit, table);
      Salt salt;
      salt.bytes[0] = static_cast<std::uint8_t>(trial);
      const ExactAggregates x = tally(statement, tallies, rows_of(table), salt);
      const ExactAggregates y = tally(statement, tallies, rows_of(other), salt);
      const ContributionBound moved = difference(x, y, 0);
      if (exceeds(moved, rows)) ++found.violations;
      if (tallies.size() > 1 && exceeds(difference(x, y, 1), people)) ++found.violations;
      if (rows) ++found.bounded;
      if (rows && rows->rows > 0 && moved.rows == rows->rows) ++found.reached;
    }
  }
  return found;
}

Contributions claimed(const Statement& statement) {
  return contributions_after(statement.source, statement.steps, statement.source.unit.count);
}

TEST(UnitReach, covers_all_neighbours_after_all_steps) {
  const Found found = fuzz(1, 600, claimed, 10);
  EXPECT_EQ(found.violations, 0);
  EXPECT_GT(found.bounded, 1000);
  EXPECT_GT(found.reached, 200);
}

// Claim for the statement without its last step of one kind. If other steps need its columns, the
// claim for the full statement.
template <class S>
Contributions blind_to(const Statement& statement) {
  Statement seen = statement;
  const auto is_one = [](const Step& step) { return std::holds_alternative<S>(step); };
  const auto last = std::find_if(seen.steps.rbegin(), seen.steps.rend(), is_one);
  if (last != seen.steps.rend()) seen.steps.erase(std::next(last).base());
  try {
    return claimed(seen);
  } catch (const Error&) {
    return claimed(statement);
  }
}

TEST(UnitReach, is_seen_to_be_wrong_if_steps_are_overlooked) {
  EXPECT_GT(fuzz(2, 600, blind_to<JoinPublic>, 1).violations, 0);
  EXPECT_GT(fuzz(3, 4000, blind_to<Mutate>, 1).violations, 0);
  const auto of_one = [](const Statement& statement) {
    return contributions_after(statement.source, statement.steps, 1);
  };
  EXPECT_GT(fuzz(2, 600, of_one, 1).violations, 0);
}

std::optional<ContributionBound> rows_after(const std::vector<Step>& steps, const Columns& by) {
  const Statement statement = plain_statement(Unit::Kind::id, 1);
  return contributions_after(statement.source, steps, 1).rows({by, {}}).bound;
}

Truncate ward_caps() {
  Truncate caps;
  caps.by = {"ward"};
  caps.groups = 2;
  caps.rows_per_group = 3;
  return caps;
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> parts(
    const std::optional<ContributionBound>& bound) {
  return {bound.value().groups, bound.value().rows, bound.value().rows_per_group};
}

// With k shards, the claim equals the claim for k times the people.
TEST(UnitReach, counts_a_person_once_for_each_shard) {
  Statement statement = plain_statement(Unit::Kind::id, 2);
  const auto rows = [&](const std::vector<Step>& steps) {
    return parts(contributions_after(statement.source, steps, 2).rows({{"ward"}, {}}).bound);
  };
  PerUnit step;
  step.by = {"ward"};
  statement.source.unit.shards = 1;
  EXPECT_EQ(people_in_shards(statement.source.unit, 2), 2U);
  EXPECT_EQ(rows({ward_caps()}), std::make_tuple(4, 12, 6));
  statement.source.unit.shards = 3;
  EXPECT_EQ(people_in_shards(statement.source.unit, 2), 6U);
  EXPECT_EQ(rows({ward_caps()}), std::make_tuple(12, 36, 18));
  EXPECT_EQ(rows({ward_caps(), step}), std::make_tuple(12, 36, 6));
  statement.source.unit.shards = 4294967295;
  EXPECT_EQ(people_in_shards(statement.source.unit, 4294967295), 18446744065119617025U);
}

TEST(UnitReach, keeps_the_total_when_a_column_of_a_cap_is_made_anew) {
  const Mutate anew{"ward", column_named("cost")};
  EXPECT_EQ(parts(rows_after({ward_caps()}, {"ward"})), std::make_tuple(2, 6, 3));
  EXPECT_EQ(parts(rows_after({ward_caps(), anew}, {"ward"})), std::make_tuple(6, 6, 6));
  const Select renamed{{{"patient", "patient"}, {"place", "ward"}}};
  EXPECT_EQ(parts(rows_after({ward_caps(), renamed}, {"place"})), std::make_tuple(2, 6, 3));
}

std::uint64_t rows_of_one(const JoinPublic& join) {
  TextPool texts;
  const Source source = plain_statement(Unit::Kind::id, 1).source;
  return join_table(join, declared_fields(source), texts).most_rows_of_one();
}

TEST(UnitReach, multiplies_by_the_matches_of_a_join) {
  const JoinPublic join{JoinPublic::How::inner, {{"ward", "ward"}}, areas()};
  EXPECT_EQ(rows_of_one(join), 3u);
  EXPECT_EQ(rows_of_one({JoinPublic::How::semi, {{"ward", "ward"}}, areas()}), 1u);
  EXPECT_EQ(rows_of_one({JoinPublic::How::inner, {{"ward", "ward"}, {"cost", "area"}}, areas()}),
            1u);
  EXPECT_EQ(parts(rows_after({ward_caps(), join}, {"ward"})), std::make_tuple(2, 18, 9));
  EXPECT_EQ(parts(rows_after({join, ward_caps()}, {"ward"})), std::make_tuple(2, 6, 3));
}

// A public table of two keys. The first should match `cost`, the second the ward.
JoinPublic of_two_keys(const std::vector<std::pair<Literal, Literal>>& rows, FieldType type) {
  JoinPublic join{JoinPublic::How::inner, {{"cost", "a"}, {"ward", "b"}}, {}};
  join.table.fields = {test::plain_field("a", type), test::plain_field("b", FieldType::text)};
  join.table.columns.resize(2);
  for (const auto& [a, b] : rows) {
    join.table.columns[0].push_back(a);
    join.table.columns[1].push_back(b);
  }
  return join;
}

template <class T>
Literal literal(T value) {
  Literal made;
  made.value = value;
  return made;
}

TEST(UnitReach, multiplies_by_public_keys_that_the_kernel_takes_for_one) {
  const auto text = [](const char* bytes) { return literal(std::string(bytes)); };
  const auto rows = [&](const std::vector<Literal>& numbers, FieldType type) {
    std::vector<std::pair<Literal, Literal>> pairs;
    for (const Literal& number : numbers) pairs.emplace_back(number, text("A"));
    return rows_of_one(of_two_keys(pairs, type));
  };
  EXPECT_EQ(rows({literal(-0.0), literal(0.0)}, FieldType::real), 2u);
  EXPECT_EQ(rows({literal(-0.0), literal(0.0), literal(std::int64_t{0})}, FieldType::integer), 3u);
  EXPECT_EQ(rows({literal(true), literal(1.0), literal(std::int64_t{1})}, FieldType::integer), 3u);
  EXPECT_EQ(rows({literal(0x1p53), literal(0x1p53 - 1)}, FieldType::real), 1u);
  EXPECT_EQ(rows({literal(std::monostate()), literal(std::monostate())}, FieldType::integer), 1u);
  const auto texts = [&](const char* a, const char* b) {
    const Literal one = literal(std::int64_t{1});
    return rows_of_one(of_two_keys({{one, text(a)}, {one, text(b)}}, FieldType::integer));
  };
  EXPECT_EQ(texts("A", "A"), 2u);
  EXPECT_EQ(texts("\xc3\xa9", "e\xcc\x81"), 1u);  // composed and decomposed
  EXPECT_EQ(texts("\xc3\xa9", "\xe9"), 1u);       // UTF-8 and latin1
}

TEST(UnitReach, keeps_the_noise_of_a_join_that_matches_no_row) {
  JoinPublic none{JoinPublic::How::inner, {{"ward", "ward"}}, areas()};
  for (auto& column : none.table.columns) column.clear();
  EXPECT_EQ(parts(rows_after({ward_caps(), none}, {"ward"})), std::make_tuple(2, 6, 3));
}

TEST(UnitReach, knows_the_size_of_tables_of_replaced_rows) {
  Statement statement = plain_statement(Unit::Kind::changes, 1);
  const auto has_public_size = [&](const std::vector<Step>& steps) {
    return contributions_after(statement.source, steps, 1).has_public_lengths({});
  };
  EXPECT_TRUE(has_public_size({}));
  EXPECT_TRUE(has_public_size({Mutate{"x", column_named("cost")}}));
  EXPECT_FALSE(has_public_size({Filter{call(">", {column_named("cost"), written_whole(1)})}}));
  const JoinPublic join{JoinPublic::How::left, {{"ward", "ward"}}, areas()};
  EXPECT_FALSE(has_public_size({join}));
}

TEST(UnitReach, keeps_the_identifier_as_it_is) {
  const auto refuse = [](const std::vector<Step>& steps) {
    test::expect_error(ErrorKind::unsupported, [&] { rows_after(steps, {}); });
  };
  refuse({Mutate{"patient", column_named("cost")}});
  refuse({ward_caps(), Mutate{"patient", column_named("cost")}});
  refuse({Select{{{"ward", "ward"}}}});
  refuse({Select{{{"who", "patient"}, {"ward", "ward"}}}});
  refuse({Select{{{"patient", "ward"}}}});
  refuse({ward_caps(), Select{{{"ward", "ward"}}}, ward_caps()});
  EXPECT_TRUE(rows_after({ward_caps(), Select{{{"ward", "ward"}}}}, {"ward"}));
  const Statement rows = plain_statement(Unit::Kind::rows, 1);
  test::expect_error(ErrorKind::unsupported,
                     [&] { contributions_after(rows.source, {ward_caps()}, 1); });
}

}  // namespace
}  // namespace dp::query

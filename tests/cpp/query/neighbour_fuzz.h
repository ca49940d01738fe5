// T-NBR: random statements on random neighbours, counted by the kernel, against the maps of their
// plans. A mutant can replace the counter or the claim.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/query/kernel.h"
#include "core/query/lowered.h"
#include "core/query/query_plan.h"
#include "core/query/unit_reach.h"
#include "query/moved_components.h"
#include "query/random_statements.h"

namespace dp::test {

inline constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

// A raw row, before any declaration, with arbitrary values.
struct WildRow {
  int person = 0;
  std::size_t number = 0;                      // of no two rows of a person the same
  std::map<std::string, std::int64_t> wholes;  // kNa64: missing
  std::map<std::string, double> reals;
  std::map<std::string, std::optional<std::string>> texts;
};
using WildTable = std::vector<WildRow>;

using QueryCounter = std::function<query::ExactAggregates(const query::Statement&,
                                                          const std::vector<query::ExactAggregate>&,
                                                          const WildTable&,
                                                          const query::Salt&)>;
// Changes a statement before it is tried. Returns false to skip it.
using QueryChange = std::function<bool(query::Statement&)>;
// Claimed sensitivity of part `part` of a plan.
using QueryClaim =
    std::function<query::Sensitivity(const query::QueryPlan&, const query::NoisyComponent&)>;

inline query::Sensitivity claim_of_map(const query::QueryPlan& plan,
                                       const query::NoisyComponent& part) {
  return query::component_sensitivity(part,
                                      plan.bound_of(part, plan.statement().source.unit.count));
}

// Ids are `who`, with two people whose names differ only in case, and `day`.
inline query::QueryRows wild_rows(const query::Source& source, const WildTable& table) {
  std::vector<std::optional<std::string>> who;
  std::vector<std::int64_t> day;
  const bool both = source.unit.id.size() > 1;
  for (const WildRow& row : table) {
    const int name = both ? row.person / 2 : row.person;
    who.push_back(std::string(1, static_cast<char>((name % 2 == 0 ? 'a' : 'A') + name / 2)));
    day.push_back((std::int64_t{1} << 53) + row.person % 2);
  }
  std::vector<query::QueryColumn> columns{text_column("who", who),
                                          column_of("day", query::QueryColumn::Kind::int64, day)};
  for (const query::Field& field : source.fields) {
    if (query::is_hidden(field.name)) continue;
    std::vector<std::optional<std::string>> texts;
    std::vector<std::int64_t> wholes;
    std::vector<double> reals;
    for (const WildRow& row : table) {
      if (field.reals) {
        reals.push_back(row.reals.at(field.name));
      } else if (row.texts.count(field.name) > 0) {
        texts.push_back(row.texts.at(field.name));
      } else {
        wholes.push_back(row.wholes.at(field.name));
      }
    }
    using Kind = query::QueryColumn::Kind;
    if (field.reals) {
      columns.push_back(column_of(field.name, Kind::real, reals));
    } else if (field.type == query::FieldType::text || field.type == query::FieldType::levels) {
      columns.push_back(text_column(field.name, texts));
    } else if (field.type == query::FieldType::integer) {
      columns.push_back(column_of(field.name, Kind::int64, wholes));
    } else {
      std::vector<std::int32_t> narrow;
      for (const std::int64_t each : wholes) {
        narrow.push_back(each == kNa64 ? kNa32 : static_cast<std::int32_t>(each));
      }
      const bool date = field.type == query::FieldType::date;
      columns.push_back(column_of(field.name, date ? Kind::date32 : Kind::logical, narrow));
    }
  }
  return {table.size(), columns};
}

inline query::ExactAggregates count_with_kernel(const query::Statement& statement,
                                                const std::vector<query::ExactAggregate>& tallies,
                                                const WildTable& table,
                                                const query::Salt& salt) {
  return query::tally(statement, tallies, wild_rows(statement.source, table), salt);
}

// All subsets of these columns, with the full set last.
inline std::vector<std::vector<std::string>> parts_of_set(const std::vector<std::string>& columns) {
  std::vector<std::vector<std::string>> parts = {{}};
  for (const std::string& column : columns) {
    const std::size_t without = parts.size();
    for (std::size_t i = 0; i < without; ++i) {
      parts.push_back(parts[i]);
      parts.back().push_back(column);
    }
  }
  return parts;
}

// Counted group lengths after all steps. Rows with a missing key are excluded.
using GroupLengths = std::map<query::Key, int128_t, query::KeyLess>;
inline GroupLengths lengths_of(const QueryCounter& counter,
                               const query::Statement& statement,
                               const std::vector<query::ExactAggregate>& tallies,
                               const WildTable& table,
                               const query::Salt& salt) {
  const query::ExactAggregates tallied = counter(statement, tallies, table, salt);
  GroupLengths lengths;
  for (std::size_t g = 0; g < tallied.keys.size(); ++g) {
    if (tallied.values.back()[g] > 0) {
      lengths.emplace(tallied.keys[g], tallied.values.back()[g]);
    }
  }
  return lengths;
}

inline bool keep_facts(const query::Margin& margin, const GroupLengths& x, const GroupLengths& y) {
  const auto same_key = [](const auto& a, const auto& b) {
    const query::KeyLess less;
    return !less(a.first, b.first) && !less(b.first, a.first);
  };
  const auto same_length = [&](const auto& a, const auto& b) {
    return same_key(a, b) && a.second == b.second;
  };
  const auto agree = [&](auto same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  if (margin.lengths_are_public && !agree(same_length)) return false;
  if (margin.keys_are_public && !agree(same_key)) return false;
  return std::max(x.size(), y.size()) <= margin.most_groups.value_or(kNoLimit);
}

inline bool is_within(const query::Margin& margin, const GroupLengths& lengths) {
  return std::all_of(lengths.begin(), lengths.end(), [&](const auto& group) {
    return group.second <= margin.most_rows.value_or(kNoLimit);
  });
}

// Whether both tables keep the promise of step `margin` about the rows after all steps. A missing
// value also makes a group, so a promise about groups extends to groups of fewer columns. The rows
// that truncate() keeps depend on the columns of the query. Groups of other columns differ from the
// counted ones, so this returns false for their promises.
inline bool keep_promise(const QueryCounter& counter,
                         const query::Statement& statement,
                         std::vector<query::ExactAggregate> tallies,
                         const query::Margin& margin,
                         const std::pair<WildTable, WildTable>& tables,
                         const query::Salt& salt) {
  const auto is_truncate = [](const query::Step& step) {
    return std::holds_alternative<query::Truncate>(step);
  };
  const bool truncates = std::any_of(statement.steps.begin(), statement.steps.end(), is_truncate);
  if (truncates && margin.by != statement.by) return false;
  std::vector<std::vector<std::string>> groupings = parts_of_set(margin.by);
  if (truncates) groupings = {margin.by};
  tallies.push_back({query::ExactAggregate::Kind::rows, nullptr, {}, {}});
  query::Statement groups = statement;
  return std::all_of(groupings.begin(), groupings.end(), [&](const auto& by) {
    groups.by = by;
    const GroupLengths x = lengths_of(counter, groups, tallies, tables.first, salt);
    const GroupLengths y = lengths_of(counter, groups, tallies, tables.second, salt);
    const bool whole = by == margin.by;
    return keep_facts(margin, x, y) && (!whole || (is_within(margin, x) && is_within(margin, y)));
  });
}

inline bool keep_promises(const QueryCounter& counter,
                          const query::Statement& statement,
                          const std::vector<query::ExactAggregate>& tallies,
                          const std::pair<WildTable, WildTable>& tables,
                          const query::Salt& salt) {
  return std::all_of(statement.steps.begin(), statement.steps.end(), [&](const query::Step& step) {
    const auto* margin = std::get_if<query::Margin>(&step);
    return margin == nullptr || keep_promise(counter, statement, tallies, *margin, tables, salt);
  });
}

// Tables of unexpected values, and their neighbours.
class WildTables {
 public:
  explicit WildTables(std::uint64_t seed) : random_(seed) {}

  WildTable table() {
    WildTable table;
    const std::size_t people = random_.below(4);
    for (std::size_t i = 0; i < people; ++i) add_person(table, static_cast<int>(i));
    return table;
  }

  // Half of the replaced rows or people keep their values, except in one or two columns.
  WildTable neighbour(const query::Unit& unit, WildTable table) {
    const int first = static_cast<int>(random_.below(5));
    const bool alike = random_.below(2) == 0;
    if (unit.kind != query::Unit::Kind::changes && unit.count == 2 && alike) {
      if (unit.kind == query::Unit::Kind::id) return with_person_replaced(table);
      if (!table.empty()) change_some(table[random_.below(table.size())]);
      return table;
    }
    for (std::uint32_t i = 0; i < unit.count; ++i) {
      if (unit.kind == query::Unit::Kind::id) {
        come_or_go(table, (first + static_cast<int>(i)) % 5);
      } else if (unit.kind == query::Unit::Kind::changes) {
        if (table.empty()) continue;
        WildRow& changed = table[random_.below(table.size())];
        if (alike) change_some(changed);
        if (!alike) changed = row(0);
      } else if (table.empty() || random_.below(2) == 0) {
        insert(table, row(0));
      } else {
        table.erase(table.begin() + static_cast<std::ptrdiff_t>(random_.below(table.size())));
      }
    }
    return table;
  }

 private:
  WildRow row(int person) {
    const double kHuge = HUGE_VAL;
    WildRow row;
    row.person = person;
    row.texts["k"] = random_.pick<std::optional<std::string>>({"A", "b", "\xc3\xa9", "Z", "a", {}});
    row.texts["t"] = random_.pick<std::optional<std::string>>(
        {"p", "P", "q", "", "\xc3\xa9", "e\xcc\x81", "\xe9", {}});
    row.texts["y"] = random_.pick<std::optional<std::string>>({"2024", "2025", "2026", "2027"});
    row.wholes["m"] = random_.pick<std::int64_t>({-2, -1, 0, 1, 2, kNa64, 1000});
    row.wholes["n"] = random_.pick<std::int64_t>({-9, -3, -1, 0, 2, 4, 4, kNa64 + 1, kNa64});
    row.wholes["d"] = random_.pick<std::int64_t>({-5, 0, 31, 366, 800, 90000, kNa64});
    row.wholes["f"] = random_.pick<std::int64_t>({0, 1, 7, kNa64});
    row.reals["x"] = random_.pick<double>(
        {-2, -2, -2.5, -kHuge, 0, -0.0, 0.1, 1.5, 4.9999999, 5, 5, 1e300, kHuge, std::nan("")});
    row.reals["z"] = random_.pick<double>({0, 1e-3, 1e-3, 5e-324, 3e-4, -1, 2, std::nan("")});
    return row;
  }

  void insert(WildTable& table, const WildRow& row) {
    const auto at = static_cast<std::ptrdiff_t>(random_.below(table.size() + 1));
    table.insert(table.begin() + at, row);
  }

  // Some people have equal rows, or rows that differ in one column. These move groups furthest.
  void add_person(WildTable& table, int person) {
    const std::size_t rows = random_.below(3) == 0 ? random_.below(30) : random_.below(7);
    const WildRow first = row(person);
    const std::size_t alike = random_.below(4);
    for (std::size_t i = 0; i < rows; ++i) {
      WildRow next = row(person);
      if (alike == 1) next = first;
      if (alike == 2) next.reals = first.reals, next.wholes = first.wholes;
      if (alike == 3) next.texts = first.texts;
      next.number = i;
      insert(table, next);
    }
  }

  template <class T>
  void take_one(std::map<std::string, T>& cells, const std::map<std::string, T>& from) {
    const auto at =
        std::next(from.begin(), static_cast<std::ptrdiff_t>(random_.below(from.size())));
    cells[at->first] = at->second;
  }

  void change_some(WildRow& changed) {
    const WildRow other = row(changed.person);
    const std::size_t which = random_.below(4);
    if (which != 1) take_one(changed.reals, other.reals);
    if (which == 1 || which == 2) take_one(changed.wholes, other.wholes);
    if (which == 3) take_one(changed.texts, other.texts);
  }

  // Removes a person and adds one with similar rows.
  WildTable with_person_replaced(WildTable table) {
    if (table.empty()) return table;
    const int gone = table[random_.below(table.size())].person;
    for (WildRow& row : table) {
      if (row.person != gone) continue;
      row.person = 7;
      if (random_.below(2) == 0) change_some(row);
    }
    return table;
  }

  void come_or_go(WildTable& table, int person) {
    const auto is_theirs = [&](const WildRow& row) { return row.person == person; };
    const bool was_there = std::any_of(table.begin(), table.end(), is_theirs);
    table.erase(std::remove_if(table.begin(), table.end(), is_theirs), table.end());
    if (!was_there) add_person(table, person);
  }

  TestRandom random_;
};

struct FuzzVerdict {
  int plans = 0;
  int pairs = 0;
  int violations = 0;
  int replacements = 0;  // parts that moved though the lengths of their groups are public
  std::set<query::Aggregate::Kind> reached;  // kinds that attained their maps
  std::string first;                         // which plan failed first
};

class NeighbourFuzz {
 public:
  NeighbourFuzz(QueryCounter counter, QueryClaim claim, QueryChange change = {})
      : counter_(std::move(counter)), claim_(std::move(claim)), change_(std::move(change)) {}

  // Tries statements until `plans` of them are measurements, with `pairs` of tables each. Stops at
  // the first violation.
  FuzzVerdict run(std::uint64_t seed, int plans, int pairs) {
    verdict_ = {};
    RandomStatements statements(seed);
    WildTables tables(seed ^ 0x5eed);
    for (std::uint64_t number = 0; verdict_.plans < plans && verdict_.violations == 0; ++number) {
      query::Statement statement = statements.make();
      if (change_ && !change_(statement)) continue;
      const auto plan = planned(statement, number);
      if (!plan) continue;
      ++verdict_.plans;
      for (int pair = 0; pair < pairs && verdict_.violations == 0; ++pair) {
        const WildTable x = tables.table();
        compare(*plan, x, tables.neighbour(statement.source.unit, x), number);
      }
      if (verdict_.violations > 0) verdict_.first = "statement " + std::to_string(number);
    }
    return verdict_;
  }

 private:
  struct Both {
    std::vector<std::size_t> x, y;
  };

  static std::optional<query::QueryPlan> planned(const query::Statement& statement,
                                                 std::uint64_t number) {
    const bool known = statement.keys.kind == query::Keys::Kind::declared ||
                       statement.keys.kind == query::Keys::Kind::table;
    try {
      return query::QueryPlan(
          statement, query::Loss{number % 2 == 0, 1, known ? 0 : 1e-6}, Alpha(0.05));
    } catch (const Error&) {
      return std::nullopt;  // it lacks a cap, bounds, or public keys
    }
  }

  // Positions of each group of either table in both tables.
  static Both groups_of(const query::QueryPlan& plan,
                        const query::ExactAggregates& x,
                        const query::ExactAggregates& y) {
    if (plan.keys().source == query::KeySource::universe) {
      return {query::candidate_groups(plan.keys(), x).places,
              query::candidate_groups(plan.keys(), y).places};
    }
    std::map<query::Key, std::pair<std::size_t, std::size_t>, query::KeyLess> places;
    const auto place = [&](const query::Key& key) -> std::pair<std::size_t, std::size_t>& {
      return places.try_emplace(key, query::kNoGroup, query::kNoGroup).first->second;
    };
    for (std::size_t g = 0; g < x.keys.size(); ++g) place(x.keys[g]).first = g;
    for (std::size_t g = 0; g < y.keys.size(); ++g) place(y.keys[g]).second = g;
    Both both;
    for (const auto& group : places) {
      both.x.push_back(group.second.first);
      both.y.push_back(group.second.second);
    }
    return both;
  }

  void compare(const query::QueryPlan& plan,
               const WildTable& x,
               const WildTable& y,
               std::uint64_t number) {
    query::Salt salt;
    for (std::size_t i = 0; i < 8; ++i) salt.bytes[i] = static_cast<std::uint8_t>(number >> i);
    const query::QueryComponents& parts = plan.parts();
    if (!keep_promises(counter_, plan.statement(), parts.tallies, {x, y}, salt)) return;
    ++verdict_.pairs;
    const query::ExactAggregates of_x = counter_(plan.statement(), parts.tallies, x, salt);
    const query::ExactAggregates of_y = counter_(plan.statement(), parts.tallies, y, salt);
    const Both groups = groups_of(plan, of_x, of_y);
    for (const query::NoisyComponent& part : parts.parts) {
      const Change change = change_of(parts,
                                      part,
                                      exact_numbers(parts, part, of_x, groups.x),
                                      exact_numbers(parts, part, of_y, groups.y));
      const query::Sensitivity claim = claim_(plan, part);
      if (change.l1 > claim.l1 || change.l2_squared > claim.l2_squared) ++verdict_.violations;
      if (change.l1 > 0 && change.l1 == claim.l1) verdict_.reached.insert(part.aggregate);
      if (change.l1 > 0 && part.effect.by_replacement) ++verdict_.replacements;
    }
    const bool by_threshold = plan.keys().source == query::KeySource::threshold;
    if (parts.selection || by_threshold) check_keys(plan, of_x, of_y, groups);
  }

  // The counts that decide about keys move as the bound claims. Their delta is a function of the
  // bound.
  void check_keys(const query::QueryPlan& plan,
                  const query::ExactAggregates& x,
                  const query::ExactAggregates& y,
                  const Both& groups) {
    const query::Statement& statement = plan.statement();
    const std::uint32_t count = statement.source.unit.count;
    const auto known = query::contributions_after(statement.source, statement.steps, count);
    const query::Grouping grouping{{statement.by.begin(), statement.by.end()}, {}};
    const query::QueryComponents& parts = plan.parts();
    const std::size_t tally =
        parts.selection ? *parts.selection : parts.parts[*parts.threshold].tally;
    const std::uint64_t people = query::people_in_shards(statement.source.unit, count);
    const query::ContributionBound bound =
        (parts.keys_by_people ? known.people(grouping, people) : known.rows(grouping))
            .bound.value();
    query::ContributionBound moved;
    for (std::size_t g = 0; g < groups.x.size(); ++g) {
      const auto at = [&](const query::ExactAggregates& tallied, std::size_t place) {
        return place == query::kNoGroup ? int128_t{0} : tallied.values[tally][place];
      };
      const int128_t difference = at(x, groups.x[g]) - at(y, groups.y[g]);
      const auto size = static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
      moved.groups += size > 0 ? 1 : 0;
      moved.rows += size;
      moved.rows_per_group = std::max(moved.rows_per_group, size);
    }
    if (moved.groups > bound.groups || moved.rows > bound.rows ||
        moved.rows_per_group > bound.rows_per_group) {
      ++verdict_.violations;
    }
  }

  QueryCounter counter_;
  QueryClaim claim_;
  QueryChange change_;
  FuzzVerdict verdict_;
};

}  // namespace dp::test

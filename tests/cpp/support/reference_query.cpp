#include "support/reference_query.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "core/numeric/lattice.h"
#include "core/query/keys.h"

namespace dp::test {
namespace {

using query::ExactAggregate;
using query::Key;
using query::KeyLess;
using Cells = std::vector<std::optional<double>>;

Cells cells_of(const QueryRow& row, const std::vector<std::string>& names) {
  Cells cells;
  for (const std::string& name : names) cells.push_back(row.cells.at(name));
  return cells;
}

// Arbitrary order of a person's rows and groups that depends only on these arguments.
std::size_t mixed(int person, const Cells& cells) {
  std::size_t mix = static_cast<std::size_t>(person) * 0x9E3779B97F4A7C15u;
  for (const auto& cell : cells) {
    mix = (mix ^ static_cast<std::size_t>(cell.value_or(-1) * 16 + 1e6)) * 0xBF58476D1CE4E5B9u;
    mix ^= mix >> 29;
  }
  return mix;
}

// Rows of one person, in an order that equal rows do not affect.
QueryTable kept_rows(const query::Truncate& step, QueryTable rows) {
  const auto order = [&](const QueryRow& row) {
    const Cells key = cells_of(row, step.by);
    Cells all;
    for (const auto& [name, cell] : row.cells) all.push_back(cell);
    return std::make_tuple(mixed(row.person, key), key, mixed(row.person, all), row.cells);
  };
  std::sort(rows.begin(), rows.end(), [&](const QueryRow& a, const QueryRow& b) {
    return order(a) < order(b);
  });
  QueryTable kept;
  std::map<Cells, std::uint32_t> groups;
  for (const QueryRow& row : rows) {
    const Cells key = cells_of(row, step.by);
    if (groups.count(key) == 0 && step.groups && groups.size() == *step.groups) continue;
    if (step.rows && kept.size() == *step.rows) continue;
    if (step.rows_per_group && groups[key] == *step.rows_per_group) continue;
    ++groups[key];
    kept.push_back(row);
  }
  return kept;
}

QueryTable truncated(const query::Truncate& step, const QueryTable& table) {
  std::map<int, QueryTable> people;
  for (const QueryRow& row : table) people[row.person].push_back(row);
  QueryTable all;
  for (const auto& [person, rows] : people) {
    const QueryTable kept = kept_rows(step, rows);
    all.insert(all.end(), kept.begin(), kept.end());
  }
  return all;
}

Key key_of(const QueryRow& row, const std::vector<std::string>& by) {
  Key key;
  for (const auto& cell : cells_of(row, by)) {
    query::KeyPart part;
    part.missing = !cell;
    part.whole = static_cast<std::int64_t>(cell.value_or(0));
    key.push_back(part);
  }
  return key;
}

std::optional<std::int64_t> point(const query::Quantiser& quantiser,
                                  const std::optional<double>& cell) {
  if (!cell) return quantiser.fill;
  const double held = std::clamp(*cell, quantiser.lower, quantiser.upper);
  const std::int64_t z = Lattice{quantiser.exponent}.index(held) - quantiser.offset;
  return std::clamp(z, quantiser.least, quantiser.most);
}

// A value with its multiplicity.
struct Weighted {
  std::int64_t z;
  std::int64_t times;
};

std::vector<int128_t> count_bins(const ExactAggregate& tally, const std::vector<Weighted>& points) {
  std::vector<int128_t> bins(2 * tally.grid.size() + 1, 0);
  for (const auto& [z, times] : points) {
    std::size_t bin = 0;
    for (const std::int64_t at : tally.grid) bin += (z >= at ? 1 : 0) + (z > at ? 1 : 0);
    bins[bin] += times;
  }
  return bins;
}

const std::optional<double>& cell_of(const QueryRow& row, const query::ExpressionPtr& column) {
  return row.cells.at(std::get<query::ColumnReference>(column->node()).name);
}

// Weight of a row. Empty if the weight is missing.
std::optional<std::int64_t> times_of(const ExactAggregate& tally, const QueryRow& row) {
  if (!query::is_weighted(tally)) return 1;
  return point(tally.weights.points, cell_of(row, tally.weights.of));
}

std::vector<int128_t> counted(const ExactAggregate& tally, const QueryTable& rows) {
  std::set<int> people;
  std::set<double> values;
  std::vector<Weighted> points;
  int128_t all = 0;
  int128_t present = 0;
  int128_t missing = 0;
  for (const QueryRow& row : rows) {
    people.insert(row.person);
    const auto times = times_of(tally, row);
    all += times.value_or(0);
    if (tally.of == nullptr) continue;
    const auto& cell = cell_of(row, tally.of);
    if (cell) values.insert(*cell);
    missing += cell ? 0 : 1;
    const auto z = point(tally.quantiser, cell);
    if (!z || !times) continue;
    points.push_back({*z, *times});
    present += *times;
  }
  int128_t sum = 0;
  switch (tally.kind) {
    case ExactAggregate::Kind::rows:
      return {all};
    case ExactAggregate::Kind::ids:
      return {static_cast<int128_t>(people.size())};
    case ExactAggregate::Kind::missing:
      return {missing};
    case ExactAggregate::Kind::present:
      return {present};
    case ExactAggregate::Kind::distinct:
      return {static_cast<int128_t>(values.size())};
    case ExactAggregate::Kind::bins:
      return count_bins(tally, points);
    case ExactAggregate::Kind::sum:
      for (const auto& [z, times] : points) sum += static_cast<int128_t>(z) * times;
      return {sum};
    case ExactAggregate::Kind::squares:
      for (const auto& [z, times] : points) sum += static_cast<int128_t>(z) * z * times;
      return {sum};
    case ExactAggregate::Kind::dropped:
      throw std::logic_error("the reference counts rows that are kept");
    case ExactAggregate::Kind::points:
      throw std::logic_error("the reference counts rows, and keeps none");
  }
  return {};
}

}  // namespace

query::ExactAggregates reference_tally(const query::Statement& statement,
                                       const std::vector<ExactAggregate>& tallies,
                                       const QueryTable& table) {
  QueryTable rows = table;
  for (const query::Step& step : statement.steps) {
    if (std::holds_alternative<query::Margin>(step)) continue;
    const auto* truncate = std::get_if<query::Truncate>(&step);
    if (truncate == nullptr) throw std::logic_error("the reference knows no such step");
    rows = truncated(*truncate, rows);
  }
  std::map<Key, QueryTable, KeyLess> groups;
  for (const QueryRow& row : rows) groups[key_of(row, statement.by)].push_back(row);
  query::ExactAggregates result;
  result.values.resize(tallies.size());
  for (const auto& [key, group] : groups) {
    result.keys.push_back(key);
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      const auto numbers = counted(tallies[i], group);
      result.values[i].insert(result.values[i].end(), numbers.begin(), numbers.end());
    }
  }
  return result;
}

query::ExpressionPtr column_of_query(const std::string& name) {
  return std::make_shared<query::Expression>(query::ColumnReference{name});
}

}  // namespace dp::test

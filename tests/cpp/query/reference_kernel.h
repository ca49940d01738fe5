// Reference for the counts of a query. It keeps rows in maps, sorts everything, and takes ranks
// from strings. It shares only SHA-256 and the lattice with the kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/numeric/lattice.h"
#include "core/plan/sha256.h"
#include "core/query/exact_aggregate.h"
#include "core/query/ranks.h"
#include "core/query/statement.h"

namespace dp::test {

// Integers (logicals, integers, dates), reals, strings (also levels), or missing.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;
using PlainRow = std::map<std::string, Cell>;

// Raw rows. The columns `ids` hold their ids; other columns follow the declaration.
struct PlainTable {
  std::vector<PlainRow> rows;
  std::vector<std::string> ids;
};

inline bool is_missing(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

// A value after its declaration. The raw cell may be anything.
inline Cell declared_cell(const query::Field& field, const Cell& cell) {
  using Type = query::FieldType;
  if (is_missing(cell)) return {};
  if (field.type == Type::text) return cell;
  if (field.type == Type::levels) {
    const auto& levels = field.levels;
    const bool known =
        std::find(levels.begin(), levels.end(), std::get<std::string>(cell)) != levels.end();
    return known ? cell : Cell();
  }
  const auto* whole = std::get_if<std::int64_t>(&cell);
  double x = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
  if (std::isnan(x)) return {};
  if (field.type == Type::real) {
    return std::min(std::max(x, field.reals->first), field.reals->second);
  }
  const auto [lower, upper] = *field.wholes;
  if (whole != nullptr) return std::min(std::max(*whole, lower), upper);
  if (x <= static_cast<double>(lower)) return lower;
  if (x >= static_cast<double>(upper)) return upper;
  if (x != std::trunc(x)) return {};
  return static_cast<std::int64_t>(x);
}

inline std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return std::to_string(std::get<std::int64_t>(cell));
}

inline Cell lattice_point(const query::Quantiser& q, const Cell& cell) {
  Cell z;
  if (!is_missing(cell)) {
    const auto* whole = std::get_if<std::int64_t>(&cell);
    const double x = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
    const double scaled = std::ldexp(std::min(std::max(x, q.lower), q.upper), -q.exponent);
    double index = std::floor(scaled);  // to nearest, ties to even
    const double rest = scaled - index;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(index, 2) != 0)) index += 1;
    z = std::min(std::max(static_cast<std::int64_t>(index) - q.offset, q.least), q.most);
  } else if (q.fill) {
    z = *q.fill;
  }
  return z;
}

class ReferenceKernel {
 public:
  // Operands are columns by name. Steps are at most equality filters and one truncate().
  ReferenceKernel(const query::Statement& statement,
                  const std::vector<query::ExactAggregate>& tallies,
                  const query::Salt& salt)
      : statement_(statement), tallies_(tallies), salt_(salt) {}

  query::ExactAggregates operator()(const PlainTable& table) const {
    std::map<std::vector<std::string>, std::vector<Kept>> people;
    std::size_t alone = 0;
    for (const PlainRow& raw : table.rows) {
      std::optional<Kept> kept = declared_row(raw, table.ids);
      if (!kept) continue;
      std::vector<std::string> id = kept->id;
      if (table.ids.empty()) id = {std::to_string(alone++)};
      people[id].push_back(std::move(*kept));
    }
    std::vector<Kept> all;
    for (auto& person : people) {
      for (Kept& kept : truncated(std::move(person.second))) all.push_back(std::move(kept));
    }
    return counted(all, people);
  }

 private:
  struct Kept {
    std::vector<std::string> id;
    PlainRow cells;
    std::vector<Cell> group, key, values;  // of the cap, of the query, and what is counted
    std::string group_rank, row_rank;
    Cell order;
  };

  static std::string name_of(const query::ExpressionPtr& of) {
    return std::get<query::ColumnReference>(of->node()).name;
  }

  const query::Truncate* truncate() const {
    for (const query::Step& step : statement_.steps) {
      if (const auto* found = std::get_if<query::Truncate>(&step)) return found;
    }
    return nullptr;
  }

  static std::string part(const std::string& text) {
    return std::to_string(text.size()) + ":" + text;
  }

  std::optional<Kept> declared_row(const PlainRow& raw, const std::vector<std::string>& ids) const {
    Kept kept;
    for (const std::string& id : ids) {
      if (is_missing(raw.at(id))) return std::nullopt;
      kept.id.push_back(text_of(raw.at(id)));
    }
    for (const query::Field& field : statement_.source.fields) {
      kept.cells[field.name] = declared_cell(field, raw.at(field.name));
    }
    for (const std::string& name : statement_.by) kept.key.push_back(kept.cells.at(name));
    if (truncate() != nullptr && (truncate()->groups || truncate()->rows_per_group)) {
      for (const std::string& name : truncate()->by) kept.group.push_back(kept.cells.at(name));
    }
    for (const auto* part : {&kept.key, &kept.group}) {
      for (const Cell& cell : *part) {
        if (is_missing(cell)) return std::nullopt;
      }
    }
    add_values(kept);
    add_ranks(kept);
    return kept;
  }

  // Computes one value per column and lattice, in the order that tallies use them.
  void add_values(Kept& kept) const {
    std::set<std::pair<std::string, std::optional<std::int64_t>>> seen;
    for (const query::ExactAggregate& tally : tallies_) {
      if (!tally.of) continue;
      query::Quantiser q = tally.quantiser;
      if (tally.kind == query::ExactAggregate::Kind::missing) q.fill.reset();
      if (!seen.insert({name_of(tally.of), q.fill}).second) continue;
      kept.values.push_back(lattice_point(q, kept.cells.at(name_of(tally.of))));
    }
  }

  std::string key_text(const std::string& column, const Cell& cell) const {
    for (const query::Field& field : statement_.source.fields) {
      const bool logical = field.name == column && field.type == query::FieldType::logical;
      if (logical) return std::get<std::int64_t>(cell) != 0 ? "true" : "false";
    }
    return text_of(cell);
  }

  void add_ranks(Kept& kept) const {
    std::string start;
    for (const std::uint8_t byte : salt_.bytes) {
      const char* digits = "0123456789abcdef";
      start += {digits[byte / 16], digits[byte % 16]};
    }
    for (const std::string& id : kept.id) start += part(id);
    const bool cells = !kept.group.empty();
    const std::vector<Cell>& grouped = cells ? kept.group : kept.key;
    for (std::size_t i = 0; i < grouped.size(); ++i) {
      start += part(key_text(cells ? truncate()->by[i] : statement_.by[i], grouped[i]));
    }
    kept.group_rank = hexadecimal(sha256(start));
    std::string values;
    for (std::size_t k = 0; k < kept.key.size() && cells; ++k) {
      const auto& by = truncate()->by;
      const bool ranked = std::find(by.begin(), by.end(), statement_.by[k]) != by.end();
      if (ranked) continue;
      values += key_text(statement_.by[k], kept.key[k]) + (kept.values.empty() ? "" : ";");
    }
    for (std::size_t i = 0; i < kept.values.size(); ++i) {
      values += (i == 0 ? "" : ";") +
                (is_missing(kept.values[i]) ? std::string("~") : text_of(kept.values[i]));
    }
    kept.row_rank = hexadecimal(sha256(start + values));
    if (truncate() != nullptr && truncate()->order) {
      kept.order = kept.cells.at(name_of(truncate()->order));
    }
  }

  // Negative if `a` precedes `b` in the requested order. Missing values come last.
  int ordered(const Cell& a, const Cell& b) const {
    const query::Truncate::Keep keep = truncate()->keep;
    if (keep == query::Truncate::Keep::random || a == b) return 0;
    if (is_missing(a) || is_missing(b)) return is_missing(a) ? 1 : -1;
    return (keep == query::Truncate::Keep::first) == (a < b) ? -1 : 1;
  }

  bool row_before(const Kept& a, const Kept& b) const {
    const int order = ordered(a.order, b.order);
    return order != 0 ? order < 0 : a.row_rank < b.row_rank;
  }

  // Rows are sorted.
  bool group_before(const std::vector<Kept>& a, const std::vector<Kept>& b) const {
    const int order = ordered(a.front().order, b.front().order);
    return order != 0 ? order < 0 : a.front().group_rank < b.front().group_rank;
  }

  std::vector<Kept> truncated(std::vector<Kept> rows) const {
    const query::Truncate* caps = truncate();
    if (caps == nullptr) return rows;
    const auto before = [this](const Kept& a, const Kept& b) { return row_before(a, b); };
    std::map<std::vector<Cell>, std::vector<Kept>> cells;
    for (Kept& row : rows) cells[row.group].push_back(std::move(row));
    std::vector<std::vector<Kept>> groups;
    for (auto& cell : cells) {
      std::sort(cell.second.begin(), cell.second.end(), before);
      groups.push_back(std::move(cell.second));
    }
    std::sort(groups.begin(), groups.end(), [this](const auto& a, const auto& b) {
      return group_before(a, b);
    });
    if (caps->groups && groups.size() > *caps->groups) groups.resize(*caps->groups);
    std::vector<Kept> left;
    for (auto& group : groups) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (caps->rows_per_group && i >= *caps->rows_per_group) break;
        left.push_back(std::move(group[i]));
      }
    }
    std::sort(left.begin(), left.end(), before);
    if (caps->rows && left.size() > *caps->rows) left.resize(*caps->rows);
    return left;
  }

  query::KeyPart key_part(const std::string& column, const Cell& cell) const {
    query::KeyPart part;
    for (const query::Field& field : statement_.source.fields) {
      if (field.name != column) continue;
      if (field.type == query::FieldType::levels) {
        const auto at =
            std::find(field.levels.begin(), field.levels.end(), std::get<std::string>(cell));
        part.whole = at - field.levels.begin();
      } else if (field.type == query::FieldType::text) {
        part.is_text = true;
        part.text = std::get<std::string>(cell);
      } else {
        part.whole = std::get<std::int64_t>(cell);
      }
    }
    return part;
  }

  template <class People>
  query::ExactAggregates counted(const std::vector<Kept>& all, const People&) const {
    using Parts = std::vector<std::pair<std::int64_t, std::string>>;
    std::map<Parts, std::pair<query::Key, std::vector<const Kept*>>> groups;
    for (const Kept& row : all) {
      Parts parts;
      query::Key key;
      for (std::size_t k = 0; k < statement_.by.size(); ++k) {
        key.push_back(key_part(statement_.by[k], row.key[k]));
        parts.emplace_back(key.back().whole, key.back().text);
      }
      auto& group = groups[parts];
      group.first = key;
      group.second.push_back(&row);
    }
    query::ExactAggregates tallied;
    tallied.values.resize(tallies_.size());
    for (const auto& group : groups) {
      tallied.keys.push_back(group.second.first);
      for (std::size_t t = 0; t < tallies_.size(); ++t) {
        for (const int128_t value : integers(tallies_[t], group.second.second)) {
          tallied.values[t].push_back(value);
        }
      }
    }
    return tallied;
  }

  static std::vector<int128_t> integers(const query::ExactAggregate& tally,
                                        const std::vector<const Kept*>& rows) {
    using Kind = query::ExactAggregate::Kind;
    std::vector<int128_t> out(tally.kind == Kind::bins ? 2 * tally.grid.size() + 1 : 1);
    std::set<std::vector<std::string>> people;
    std::set<Cell> different;
    for (const Kept* row : rows) {
      people.insert(row->id);
      if (!tally.of) continue;
      const Cell z = lattice_point(tally.quantiser, row->cells.at(name_of(tally.of)));
      if (tally.kind == Kind::missing && is_missing(row->cells.at(name_of(tally.of)))) ++out[0];
      if (is_missing(z)) continue;
      different.insert(z);
      const std::int64_t whole = std::get<std::int64_t>(z);
      if (tally.kind == Kind::present) ++out[0];
      if (tally.kind == Kind::sum) out[0] += whole;
      if (tally.kind == Kind::squares) out[0] += int128_t{whole} * whole;
      if (tally.kind != Kind::bins) continue;
      std::size_t bin = 0;
      for (const std::int64_t point : tally.grid) bin += (whole >= point) + (whole > point);
      ++out[bin];
    }
    if (tally.kind == Kind::rows) out[0] = static_cast<int128_t>(rows.size());
    if (tally.kind == Kind::ids) out[0] = static_cast<int128_t>(people.size());
    if (tally.kind == Kind::distinct) out[0] = static_cast<int128_t>(different.size());
    return out;
  }

  query::Statement statement_;
  std::vector<query::ExactAggregate> tallies_;
  query::Salt salt_;
};

}  // namespace dp::test

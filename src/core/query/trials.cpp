#include "core/query/trials.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/expressions/evaluate.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"

namespace dp::query {
namespace {

constexpr std::size_t kMostTried = 16384;

// A value as an amount and as a key.
using ViewedValue = std::pair<std::int64_t, std::int64_t>;

// A value outside of the bounds is an amount without a key.
std::optional<std::vector<ViewedValue>> values_seen(const Views& views,
                                                    const std::vector<Field>& fields) {
  const Field& amount = fields[views.amount];
  const Field& key = fields[views.key];
  const auto values = few_values(amount);
  if (!values) return {};
  const bool has_twin = views.key != views.amount;
  std::vector<ViewedValue> seen;
  for (const std::int64_t value : *values) {
    if (!has_twin || can_have(key, value)) seen.emplace_back(value, value);
    if (has_twin && key.may_be_missing) seen.emplace_back(value, kNone);
  }
  if (amount.may_be_missing) seen.emplace_back(kNone, kNone);
  return seen;
}

}  // namespace

std::vector<Views> views_in(const Expression& expression,
                            const std::vector<Field>& fields,
                            const std::vector<Twins>& twins) {
  const std::vector<std::string> all = columns_of(expression);
  std::set<std::string> names(all.begin(), all.end());
  std::vector<Views> columns;
  for (const Twins& pair : twins) {
    if (pair.is_group) continue;
    const std::size_t found = names.erase(pair.name) + names.erase(pair.hidden);
    if (found > 0) columns.push_back({place_of(pair.name, fields), place_of(pair.hidden, fields)});
  }
  for (const std::string& name : names) {
    const std::size_t place = place_of(name, fields);
    columns.push_back({place, place});
  }
  return columns;
}

std::optional<std::vector<std::int64_t>> few_values(const Field& field) {
  if (!places_in(field) || number_of_values(field) > kMostTried) return {};
  return values_of(field);
}

std::optional<RowBatch> all_rows(const std::vector<Views>& columns,
                                 const std::vector<Field>& fields) {
  RowBatch rows;
  rows.size = 1;
  rows.columns.resize(fields.size());
  std::vector<std::vector<ViewedValue>> seen;
  for (const Views& column : columns) {
    auto values = values_seen(column, fields);
    if (!values || rows.size * values->size() > kMostTried) return {};
    rows.size *= values->size();
    seen.push_back(*std::move(values));
  }
  std::size_t repeats = rows.size;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (rows.size == 0) break;
    repeats /= seen[c].size();
    for (std::size_t row = 0; row < rows.size; ++row) {
      const auto [amount, key] = seen[c][row / repeats % seen[c].size()];
      rows.columns[columns[c].amount].wholes.push_back(amount);
      if (columns[c].key != columns[c].amount) {
        rows.columns[columns[c].key].wholes.push_back(key);
      }
    }
  }
  return rows;
}

std::vector<std::int64_t> wholes_for(const Expression& expression,
                                     const std::vector<Field>& fields,
                                     const RowBatch& rows) {
  TextPool texts;
  const BoundPtr bound = bind_expression(expression, fields, texts);
  Cells room;
  return evaluate(*bound, rows, room).wholes;
}

}  // namespace dp::query

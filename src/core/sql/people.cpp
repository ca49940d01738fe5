#include "core/sql/people.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/coerce.h"
#include "core/sql/trees.h"

namespace dp::sql {
namespace {

using query::Field;
using query::FieldType;
using query::PerUnitValue;
using query::Truncate;

std::string comma_list(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) list += (list.empty() ? "" : ", ") + part;
  return list;
}

const SqlColumn& column_at(const Columns& columns, std::size_t place) { return *columns[place]; }

std::vector<std::string> names_of(const std::vector<SqlColumn>& columns) {
  std::vector<std::string> names;
  for (const SqlColumn& column : columns) names.push_back(column.name);
  return names;
}

// Converts a truth value to 1 or 0; missing stays missing.
std::string number_of_truth(const std::string& x) {
  return "CASE WHEN " + x + " THEN " + whole_literal(1) + " WHEN NOT " + x + " THEN " +
         whole_literal(0) + " END";
}

// The text of a cell that ranks hash; missing if the cell is.
std::string hashed_text(const Dialect& dialect, const Field& field, const SqlColumn& column) {
  const auto bytes = [&](const char* text) { return dialect.bytes_literal(text); };
  switch (field.type) {
    case FieldType::real:
      throw Error(ErrorKind::unsupported,
                  "reals that are needed after `truncate` cannot be ranked in the engine itself.");
    case FieldType::text:
      return column.name;
    case FieldType::logical:
      return "CASE WHEN " + column.name + " THEN " + bytes("true") + " WHEN NOT " + column.name +
             " THEN " + bytes("false") + " END";
    case FieldType::date:
      return dialect.bytes_of_date(column.name);
    case FieldType::levels: {
      std::vector<std::pair<std::string, std::string>> points;
      for (std::size_t i = 0; i < field.levels.size(); ++i) {
        if (!query::is_plain_text(field.levels[i])) continue;
        points.emplace_back(digits(static_cast<std::int64_t>(i)),
                            dialect.bytes_literal(field.levels[i]));
      }
      return points.empty() ? dialect.no_value(Form::bytes) : matched(column.name, points);
    }
    default:
      return dialect.bytes_of_whole(column.name);
  }
}

// The two hashes of a row, and the ranks from them.
class Truncation {
 public:
  Truncation(PeopleRows& rows,
             const Truncate& caps,
             const query::TruncateSink& sink,
             const std::vector<Field>& fields,
             const query::TextPool& texts,
             const Columns& columns)
      : rows_(rows),
        chain_(rows.chain),
        caps_(caps),
        carried_(sink.carried()),
        counts_dropped_(sink.counts_dropped()),
        fields_(fields),
        columns_(columns) {
    keep_keyed();
    if (sink.order()) add_order(written_value(*sink.order(), columns_, texts, chain_));
  }

  void run() {
    const bool has_cells = caps_.groups || caps_.rows_per_group;
    const std::string before = counts_dropped_ ? rows_of_person() : "";
    if (has_cells || caps_.rows) add_hashes(has_cells);
    if (has_cells) cap_cells();
    if (caps_.rows) cap_rows();
    if (!counts_dropped_) return;
    rows_.dropped = chain_.add("(" + before + " - " + rows_of_person() + ")", Form::whole).name;
  }

 private:
  // Adds a column with the number of rows of the row's person.
  std::string rows_of_person() {
    const std::string people = comma_list(names_of(rows_.ids));
    return chain_.add("COUNT(*) OVER (PARTITION BY " + people + ")", Form::whole).name;
  }

  void keep_keyed() {
    std::string condition;
    for (const auto* places : {&carried_.by, &carried_.keys}) {
      for (const std::size_t place : *places) {
        condition += condition.empty() ? "" : " AND ";
        condition += column_at(columns_, place).name + " IS NOT NULL";
      }
    }
    if (!condition.empty()) chain_.keep(condition);
  }

  // Orders truth values as numbers, because every engine has a minimum of numbers.
  void add_order(const SqlColumn& value) {
    SqlColumn order = chain_.named(value);
    if (order.form == Form::truth) order = chain_.add(number_of_truth(order.name), Form::whole);
    order_ = order;
  }

  std::vector<SqlColumn> texts_of(const std::vector<std::size_t>& places) {
    std::vector<SqlColumn> texts;
    for (const std::size_t place : places) {
      texts.push_back(
          {hashed_text(chain_.dialect(), fields_[place], column_at(columns_, place)), Form::bytes});
    }
    return chain_.add(texts);
  }

  std::vector<std::size_t> row_values() const {
    std::vector<std::size_t> values;
    if (!carried_.by.empty()) values = carried_.keys;
    values.insert(values.end(), carried_.values.begin(), carried_.values.end());
    return values;
  }

  // Hashes as Ranks does: e() of each part of the id and each key; for a row, then its values.
  void add_hashes(bool has_cells) {
    const Dialect& dialect = chain_.dialect();
    std::vector<std::string> parts{dialect.bytes_literal(rows_.salt)};
    std::vector<SqlColumn> ids;
    for (const SqlColumn& id : rows_.ids) {
      ids.push_back(
          {id.form == Form::bytes ? id.name : dialect.bytes_of_whole(id.name), Form::bytes});
    }
    for (const SqlColumn& id : chain_.add(ids)) parts.push_back(dialect.measured(id.name));
    for (const SqlColumn& key : texts_of(carried_.by.empty() ? carried_.keys : carried_.by)) {
      parts.push_back(dialect.measured(key.name));
    }
    const std::string of_cell = dialect.hashed(dialect.joined(parts));
    const std::vector<SqlColumn> values = texts_of(row_values());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) parts.push_back(dialect.bytes_literal(";"));
      parts.push_back("COALESCE(" + values[i].name + ", " + dialect.bytes_literal("~") + ")");
    }
    row_hash_ = chain_.add(dialect.hashed(dialect.joined(parts)), Form::bytes).name;
    if (!has_cells) return;
    // A cap on groups without `by` keys has one group per person, even if rows have other keys.
    cell_hash_ = carried_.by.empty() ? row_hash_ : chain_.add(of_cell, Form::bytes).name;
  }

  std::vector<std::string> by_names() const {
    std::vector<std::string> names;
    for (const std::size_t place : carried_.by) names.push_back(column_at(columns_, place).name);
    return names;
  }

  static void in_order(const std::vector<std::string>& names, std::vector<std::string>& order) {
    for (const std::string& name : names) order.push_back(name + " ASC NULLS LAST");
  }

  bool keeps_last() const { return caps_.keep == Truncate::Keep::last; }

  void in_asked_order(const std::string& name, std::vector<std::string>& order) const {
    order.push_back(name + (keeps_last() ? " DESC NULLS LAST" : " ASC NULLS LAST"));
  }

  // The sort order of rows: the requested order, the hash, the values.
  std::vector<std::string> row_order() const {
    std::vector<std::string> order;
    if (order_) in_asked_order(order_->name, order);
    std::vector<std::string> names{row_hash_};
    for (const auto* places : {&carried_.keys, &carried_.values}) {
      for (const std::size_t place : *places) names.push_back(column_at(columns_, place).name);
    }
    in_order(names, order);
    return order;
  }

  std::string numbered(const char* function,
                       const std::vector<std::string>& by,
                       const std::vector<std::string>& order) {
    return std::string(function) + "() OVER (PARTITION BY " + comma_list(by) + " ORDER BY " +
           comma_list(order) + ")";
  }

  // The order of a group: the order of the person's first row in it.
  std::string order_of_cell(const std::vector<std::string>& cell) {
    const std::string first = (keeps_last() ? "MAX(" : "MIN(") + order_->name + ")";
    return chain_.add(first + " OVER (PARTITION BY " + comma_list(cell) + ")", order_->form).name;
  }

  void cap_cells() {
    const std::vector<std::string> people = names_of(rows_.ids);
    std::vector<std::string> cell = people;
    for (const std::string& name : by_names()) cell.push_back(name);
    std::vector<SqlColumn> ranks;
    std::vector<std::string> caps;
    if (caps_.groups && !carried_.by.empty()) {
      std::vector<std::string> order;
      if (order_) in_asked_order(order_of_cell(cell), order);
      in_order({cell_hash_}, order);
      in_order(by_names(), order);
      ranks.push_back({numbered("dense_rank", people, order), Form::whole});
      caps.push_back(std::to_string(*caps_.groups));
    }
    if (caps_.rows_per_group) {
      ranks.push_back({numbered("row_number", cell, row_order()), Form::whole});
      caps.push_back(std::to_string(*caps_.rows_per_group));
    }
    std::string condition;
    const std::vector<SqlColumn> made = chain_.add(ranks);
    for (std::size_t i = 0; i < made.size(); ++i) {
      condition += (i > 0 ? " AND " : "") + made[i].name + " <= " + caps[i];
    }
    if (!condition.empty()) chain_.keep(condition);
  }

  void cap_rows() {
    std::vector<std::string> order = row_order();
    if (!cell_hash_.empty()) in_order({cell_hash_}, order);
    in_order(by_names(), order);
    const std::string rank = numbered("row_number", names_of(rows_.ids), order);
    chain_.keep(chain_.add(rank, Form::whole).name + " <= " + std::to_string(*caps_.rows));
  }

  PeopleRows& rows_;
  Chain& chain_;
  const Truncate& caps_;
  query::TruncateSink::Carried carried_;
  bool counts_dropped_;
  const std::vector<Field>& fields_;
  const Columns& columns_;
  std::optional<SqlColumn> order_;
  std::string row_hash_, cell_hash_;
};

// Clamps a sum with intermediate values beyond 64 bits to the bounds of its field.
std::string held_sum(const Dialect& dialect,
                     const std::string& x,
                     const Field& of,
                     const Field& made) {
  const std::string sum = dialect.wide_sum(x, of.wholes);
  const auto [lower, upper] = *made.wholes;
  return "CASE WHEN " + sum + " <= " + digits(lower) + " THEN " + whole_literal(lower) + " WHEN " +
         sum + " >= " + digits(upper) + " THEN " + whole_literal(upper) + " ELSE " +
         dialect.exact_whole(sum) + " END";
}

std::string total(const Dialect& dialect,
                  PerUnitValue::Kind kind,
                  const SqlColumn& x,
                  const Field& of,
                  const Field& made) {
  const std::string zero = whole_literal(0);
  const std::string one = whole_literal(1);
  switch (kind) {
    case PerUnitValue::Kind::sum:
      if (x.form == Form::real) {
        throw Error(ErrorKind::unsupported,
                    "`sum` of the reals of each person cannot be computed in the engine itself.");
      }
      return held_sum(dialect, x.name, of, made);
    case PerUnitValue::Kind::any:
      return "(MAX(CASE WHEN " + x.name + " THEN " + one + " ELSE " + zero + " END) = 1)";
    case PerUnitValue::Kind::all:
      return "(MIN(CASE WHEN NOT " + x.name + " THEN " + zero + " ELSE " + one + " END) = 1)";
    case PerUnitValue::Kind::rows:
    case PerUnitValue::Kind::least:
    case PerUnitValue::Kind::most:
      break;
  }
  // Engines disagree on the minimum of truth values.
  const std::string extreme = kind == PerUnitValue::Kind::least ? "MIN(" : "MAX(";
  if (x.form != Form::truth) return extreme + x.name + ")";
  return "(" + extreme + number_of_truth(x.name) + ") = 1)";
}

}  // namespace

void truncate_rows(PeopleRows& rows,
                   const Truncate& caps,
                   const query::TruncateSink& sink,
                   const std::vector<Field>& fields,
                   const query::TextPool& texts,
                   Columns& columns) {
  Truncation(rows, caps, sink, fields, texts, columns).run();
  // Only columns that the kernel's records carry remain available afterwards.
  const query::TruncateSink::Carried carried = sink.carried();
  Columns left(fields.size());
  for (const auto* places : {&carried.by, &carried.keys, &carried.values}) {
    for (const std::size_t place : *places) left[place] = columns[place];
  }
  columns = std::move(left);
}

void total_rows(PeopleRows& rows,
                const query::PerUnit& step,
                const std::vector<Field>& fields,
                const std::vector<Field>& made,
                query::TextPool& texts,
                Columns& columns) {
  Chain& chain = rows.chain;
  std::vector<SqlColumn> keys = rows.ids;
  std::string keyed;
  for (const std::string& name : step.by) {
    keys.push_back(column_at(columns, query::place_of(name, fields)));
    keyed += (keyed.empty() ? "" : " AND ") + keys.back().name + " IS NOT NULL";
  }
  if (!keyed.empty()) chain.keep(keyed);
  std::vector<SqlColumn> totals;
  for (std::size_t i = 0; i < step.values.size(); ++i) {
    const PerUnitValue& value = step.values[i];
    const Field& result = made[step.by.size() + i];
    if (value.kind == PerUnitValue::Kind::rows) {
      totals.push_back({"COUNT(*)", Form::whole});
      continue;
    }
    query::BoundPtr of = query::bind_expression(*value.of, fields, texts);
    if (of->type.type == FieldType::levels) of = query::wholes_of_levels(of);
    const SqlColumn x = chain.named(written_value(*of, columns, texts, chain));
    // A sum counts truth values as 0 and 1.
    const bool counted = value.kind == PerUnitValue::Kind::sum && x.form == Form::truth;
    const std::string number = number_of_truth(x.name);
    const SqlColumn summed = counted ? SqlColumn{"(" + number + ")", Form::whole} : x;
    totals.push_back(
        {total(chain.dialect(), value.kind, summed, of->type, result), form_of(result)});
  }
  std::vector<SqlColumn> after = chain.group(keys, totals);
  const auto ids_end = after.begin() + static_cast<std::ptrdiff_t>(rows.ids.size());
  rows.ids.assign(after.begin(), ids_end);
  columns.clear();
  for (auto column = ids_end; column != after.end(); ++column) columns.emplace_back(*column);
}

}  // namespace dp::sql

// Random statements over the whole language: schemas, units, verbs, caps, aggregates and keys, as
// far as the steps can be combined.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/query/schema.h"
#include "query/query_tables.h"
#include "support/neighbours.h"

namespace dp::test {

// Declarations never include the identifiers "who" and "day".
inline const std::vector<query::Field>& fields_to_draw_from() {
  using query::FieldType;
  static const std::vector<query::Field> kAll = [] {
    query::Field year = plain_field("y", FieldType::levels);
    year.levels = {"2024", "2025", "2026"};
    year.whole_levels = true;
    query::Field date = plain_field("d", FieldType::date);
    date.wholes = {0, 800};
    query::Field flag = plain_field("f", FieldType::logical);
    std::vector<query::Field> all{levels_field("k", {"A", "b", "\xc3\xa9", "Z"}),
                                  plain_field("t", FieldType::text),
                                  whole_field("m", -1, 2),
                                  whole_field("n", -3, 4),
                                  real_field("x", -2, 5),
                                  real_field("z", 0, 1e-3),
                                  year,
                                  date,
                                  flag};
    all.front().wholes = {0, 3};
    all[6].wholes = {0, 2};
    all[8].wholes = {0, 1};
    return all;
  }();
  return kAll;
}

class RandomStatements {
 public:
  // Kinds before `capped`, which needs caps that come last.
  static constexpr auto kDrawnKinds = static_cast<std::size_t>(query::Aggregate::Kind::capped);

  explicit RandomStatements(std::uint64_t seed) : random_(seed) {}

  // The statement may lack a cap, or something that its keys need; QueryPlan rejects it then.
  query::Statement make() {
    query::Statement statement;
    declare(statement.source);
    fields_ = statement.source.fields;
    made_ = 0;
    add_row_steps(statement, 2);
    if (statement.source.unit.kind == query::Unit::Kind::id) {
      if (random_.below(5) == 0) try_step(statement, per_unit());
      for (std::size_t i = 1 + random_.below(2); i > 0; --i) try_step(statement, caps());
    }
    add_row_steps(statement, 1);
    if (random_.below(4) == 0) try_step(statement, promise());
    for (const query::Field& field : fields_) {
      const bool some = statement.by.size() < 2 && random_.below(3) == 0;
      if (some && query::is_key(field)) statement.by.push_back(field.name);
    }
    add_aggregates(statement);
    statement.keys = keys(statement.by);
    return statement;
  }

 private:
  using Fields = std::vector<query::Field>;

  void declare(query::Source& source) {
    for (query::Field field : fields_to_draw_from()) {
      if (random_.below(3) == 0 && field.name != "x") continue;
      const bool number = field.reals || field.type == query::FieldType::integer;
      if (number && random_.below(2) == 0) field.missing = policy(field);
      source.fields.push_back(field);
    }
    using Kind = query::Unit::Kind;
    source.unit.kind =
        random_.pick<Kind>({Kind::id, Kind::id, Kind::id, Kind::rows, Kind::changes});
    source.unit.count = static_cast<std::uint32_t>(1 + random_.below(3) / 2);
    if (source.unit.kind == Kind::id) {
      source.unit.id = random_.pick<std::vector<std::string>>({{"who"}, {"who"}, {"who", "day"}});
    }
  }

  query::Missing policy(const query::Field& field) {
    if (random_.below(2) == 0) return {query::Missing::Policy::midpoint, 0};
    return {query::Missing::Policy::value, field.reals ? field.reals->second : 1};
  }

  // Expressions.

  template <class Which>
  const query::Field* column(Which which) {
    std::vector<const query::Field*> found;
    for (const query::Field& field : fields_) {
      if (which(field)) found.push_back(&field);
    }
    return found.empty() ? nullptr : random_.pick(found);
  }

  query::ExpressionPtr whole(std::int64_t from, std::size_t count) {
    return written_whole(from + static_cast<std::int64_t>(random_.below(count)));
  }

  query::ExpressionPtr number(int depth) {
    const query::Field* field = column(query::is_number);
    if (field == nullptr) return whole(-2, 5);
    const query::ExpressionPtr plain = column_named(field->name);
    if (depth == 0) return plain;
    switch (random_.below(9)) {
      case 0:
        return call(random_.pick<std::string>({"+", "-", "*"}), {number(depth - 1), whole(-2, 5)});
      case 1:
        return call(random_.pick<std::string>({"pmin", "pmax"}), {number(depth - 1), whole(-1, 4)});
      case 2:
        return call("abs", {number(depth - 1)});
      case 3:
        return call(random_.pick<std::string>({"%/%", "%%"}), {number(depth - 1), whole(1, 3)});
      case 4:
        return call("if_else", {predicate(depth - 1), number(depth - 1), number(0)});
      case 5:
        return call("coalesce", {plain, whole(0, 2)});
      case 6:
        return part_of_date(plain);
      default:
        return plain;
    }
  }

  // A number made from a date, if there is one; otherwise `other`.
  query::ExpressionPtr part_of_date(const query::ExpressionPtr& other) {
    const query::Field* field =
        column([](const query::Field& one) { return one.type == query::FieldType::date; });
    if (field == nullptr) return other;
    const query::ExpressionPtr date = column_named(field->name);
    switch (random_.below(4)) {
      case 0:
        return call("-", {call("+", {date, whole(0, 9)}), date});
      case 1:
        return call("wday", {date, whole(1, 7)});
      case 2:
        return call("as.integer", {date});
      default:
        return call(random_.pick<std::string>(
                        {"year", "yday", "quarter", "week", "isoweek", "isoyear", "day"}),
                    {date});
    }
  }

  query::ExpressionPtr first_day() {
    const query::Field* field =
        column([](const query::Field& one) { return one.type == query::FieldType::date; });
    if (field == nullptr) return predicate(0);
    const query::ExpressionPtr date = column_named(field->name);
    if (random_.below(3) == 0) {
      return call("floor_date", {date, written_text("week"), whole(1, 7)});
    }
    const char* const unit =
        random_.pick<const char*>({"day", "month", "bimonth", "quarter", "year"});
    return call("floor_date", {date, written_text(unit)});
  }

  // A number expression that has a type.
  query::ExpressionPtr typed_number(int depth) {
    for (;;) {
      query::ExpressionPtr one = number(depth);
      try {
        query::type_of(*one, fields_);
        return one;
      } catch (const Error&) {
      }
    }
  }

  query::ExpressionPtr predicate(int depth) {
    const query::Field* any = column([](const query::Field&) { return true; });
    if (depth > 0 && random_.below(3) == 0) {
      return call(random_.pick<std::string>({"&", "|"}),
                  {predicate(depth - 1), predicate(depth - 1)});
    }
    switch (random_.below(6)) {
      case 0:
        return call("!", {call("is.na", {column_named(any->name)})});
      case 1:
        return call("between", {number(0), whole(-1, 2), whole(1, 3)});
      case 2:
        return call("%in%", {number(0), whole(-1, 2), whole(1, 3), written_missing()});
      case 3:
        if (any->type == query::FieldType::text) {
          return call("!=", {column_named(any->name), written_text("p")});
        }
        return call("is.na", {column_named(any->name)});
      default:
        return call(random_.pick<std::string>({">", "<=", "!=", "=="}), {number(0), whole(-1, 3)});
    }
  }

  query::ExpressionPtr key_value() {
    switch (random_.below(5)) {
      case 0:
        return predicate(1);
      case 4:
        return first_day();
      case 1:
        return call("cut", {number(0), whole(-3, 2), whole(0, 2), whole(3, 2)});
      case 2:
        return call("%/%", {number(0), whole(1, 3)});
      default:
        return call("if_else", {predicate(0), written_text("u"), written_text("v")});
    }
  }

  // Steps.

  // Skips steps that the columns do not allow.
  void try_step(query::Statement& statement, const query::Step& step) {
    try {
      fields_ = query::fields_after_step(fields_, step);
      statement.steps.push_back(step);
    } catch (const Error&) {
    }
  }

  void add_row_steps(query::Statement& statement, std::size_t most) {
    for (std::size_t i = random_.below(most + 1); i > 0; --i) {
      switch (random_.below(6)) {
        case 0:
          try_step(statement, query::Filter{predicate(1)});
          break;
        case 1:
          try_step(statement, query::Mutate{new_name(), typed_number(2)});
          break;
        case 2:
          try_step(statement, query::Mutate{new_name(), key_value()});
          break;
        case 3:
          try_step(statement, renamed());
          break;
        default:
          try_step(statement, join());
      }
    }
  }

  // Sometimes the name of an existing column.
  std::string new_name() {
    if (random_.below(4) == 0) return random_.pick(fields_).name;
    return "v" + std::to_string(made_++);
  }

  query::Select renamed() {
    query::Select select;
    const std::string& other = random_.pick(fields_).name;
    for (const query::Field& field : fields_) {
      if (field.name != other) select.columns.emplace_back(field.name, field.name);
    }
    if (random_.below(3) > 0) select.columns.emplace_back("w" + std::to_string(made_++), other);
    if (select.columns.empty()) select.columns.emplace_back(other, other);
    std::reverse(select.columns.begin(), select.columns.end());
    return select;
  }

  // A number as any type that it may have. Reals include -0; logicals are 0 and 1.
  query::Literal number_literal(std::int64_t value) {
    query::Literal one;
    one.value = value;
    const std::size_t form = random_.below(4);
    if (form == 0) one.value = static_cast<double>(value);
    if (form == 1 && value == 0) one.value = -0.0;
    if (form == 2 && (value == 0 || value == 1)) one.value = value == 1;
    return one;
  }

  // A value of the field, or one that no row has. Strings that look alike differ in bytes:
  // composed, decomposed, or in a different encoding.
  query::Literal literal(const query::Field& field) {
    query::Literal one;
    if (field.type == query::FieldType::text) {
      one.value =
          random_.pick<std::string>({"p", "q", "", "u", "other", "\xc3\xa9", "e\xcc\x81", "\xe9"});
    } else if (field.type == query::FieldType::levels && field.whole_levels) {
      one = number_literal(std::stoi(random_.pick(field.levels)));
    } else if (field.type == query::FieldType::levels) {
      one.value = random_.pick(field.levels);
    } else if (field.type == query::FieldType::logical) {
      one = number_literal(static_cast<std::int64_t>(random_.below(2)));
    } else {
      one = number_literal(static_cast<std::int64_t>(random_.below(4)) - 1);
      one.is_date = field.type == query::FieldType::date;
    }
    return one;
  }

  std::vector<query::Literal> literals(const query::Field& field, std::size_t count) {
    std::vector<query::Literal> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(literal(field));
    return all;
  }

  // Declaration of such a column in a public table.
  static query::Field public_form(const query::Field& field, const std::string& name) {
    if (field.type != query::FieldType::levels) return plain_field(name, field.type);
    return plain_field(name,
                       field.whole_levels ? query::FieldType::integer : query::FieldType::text);
  }

  // Keys, several of them equal: copies of the first, or zeros of either sign. Some are missing.
  void add_key(query::JoinPublic& step, const query::Field& own, std::size_t rows) {
    const std::string name = "key" + std::to_string(step.by.size());
    step.by.emplace_back(own.name, name);
    query::Field other = public_form(own, name);
    const bool whole = other.type == query::FieldType::integer;
    if (whole && random_.below(3) == 0) other.type = query::FieldType::real;
    const bool zeros = whole && random_.below(2) == 0;
    std::vector<query::Literal> column = literals(own, rows);
    for (query::Literal& cell : column) {
      if (zeros) cell = number_literal(0);
      if (!zeros && random_.below(3) == 0) cell = column[0];
      if (random_.below(12) == 0) cell.value = std::monostate();
    }
    step.table.fields.push_back(other);
    step.table.columns.push_back(std::move(column));
  }

  query::JoinPublic join() {
    using How = query::JoinPublic::How;
    query::JoinPublic step;
    step.how = random_.pick<How>({How::left, How::inner, How::semi, How::anti});
    const query::Field* key = column(query::is_key);
    if (key == nullptr) return step;
    const query::Field more = plain_field("j" + std::to_string(made_++), query::FieldType::integer);
    const std::size_t rows = 1 + random_.below(6);
    add_key(step, *key, rows);
    if (random_.below(3) == 0) add_key(step, *column(query::is_key), rows);
    step.table.fields.push_back(more);
    step.table.columns.push_back(literals(more, rows));
    return step;
  }

  // A promise that tables need not keep.
  query::Margin promise() {
    query::Margin step;
    step.by = some_keys(3);
    const std::size_t which = random_.below(4);
    step.lengths_are_public = which < 2;
    step.keys_are_public = which < 3;
    if (which == 3 || random_.below(4) == 0) {
      step.most_groups = static_cast<std::uint32_t>(1 + random_.below(4));
      step.most_rows = static_cast<std::uint32_t>(1 + random_.below(8));
    }
    return step;
  }

  std::vector<std::string> some_keys(std::size_t one_in) {
    std::vector<std::string> by;
    for (const query::Field& field : fields_) {
      const bool some = by.size() < 2 && random_.below(one_in) == 0;
      if (some && query::is_key(field)) by.push_back(field.name);
    }
    return by;
  }

  query::PerUnit per_unit() {
    using Kind = query::PerUnitValue::Kind;
    query::PerUnit step;
    step.by = some_keys(3);
    step.values = {{"x", Kind::sum, number(1)}, {"rows", Kind::rows, nullptr}};
    step.values[0].kind = random_.pick<Kind>({Kind::sum, Kind::least, Kind::most});
    if (random_.below(2) == 0) step.values.push_back({"ever", Kind::any, predicate(0)});
    return step;
  }

  query::Truncate caps() {
    query::Truncate step;
    step.by = some_keys(3);
    const auto cap = [&](std::size_t most) {
      return static_cast<std::uint32_t>(1 + random_.below(most));
    };
    const std::size_t which = random_.below(4);
    if (which == 0 || step.by.empty() || which == 3) step.rows = cap(4);
    if (which > 0 && !step.by.empty()) {
      step.groups = cap(3);
      step.rows_per_group = cap(3);
    }
    using Keep = query::Truncate::Keep;
    step.keep = random_.pick<Keep>({Keep::random, Keep::random, Keep::first, Keep::last});
    if (step.keep != Keep::random) step.order = number(0);
    return step;
  }

  // Aggregates and keys.

  void add_aggregates(query::Statement& statement) {
    using Kind = query::Aggregate::Kind;
    const bool people = statement.source.unit.kind == query::Unit::Kind::id;
    for (std::size_t i = 1 + random_.below(3); i > 0; --i) {
      query::Aggregate one;
      one.name = "a" + std::to_string(i);
      do {
        one.kind = static_cast<Kind>(random_.below(kDrawnKinds));
      } while (one.kind == Kind::ids && !people);
      const bool counts = one.kind == Kind::count || one.kind == Kind::ids;
      if (!counts) one.of = typed_number(random_.below(3) == 0 ? 1 : 0);
      if (one.kind == Kind::quantiles || one.kind == Kind::histogram) add_grid(one);
      statement.aggregates.push_back(one);
      statement.outputs.push_back({one.name, column_named(one.name)});
    }
  }

  // Points within the bounds, sometimes including both ends.
  void add_grid(query::Aggregate& one) {
    using Method = query::Aggregate::Method;
    const query::Field field = query::type_of(*one.of, fields_);
    if (!query::is_number(field) || !query::is_bounded(field)) return;
    const bool real = field.reals.has_value();
    const double lower = real ? field.reals->first : static_cast<double>(field.wholes->first);
    const double upper = real ? field.reals->second : static_cast<double>(field.wholes->second);
    for (int i = 0; i <= 4; ++i) {
      const double at = lower + (upper - lower) * i / 4;
      if (real || at == std::floor(at)) one.grid.push_back(at);
    }
    one.grid.erase(std::unique(one.grid.begin(), one.grid.end()), one.grid.end());
    one.probabilities = random_.pick<std::vector<double>>({{0.5}, {0.25, 0.9}, {0, 0.5, 1}});
    one.method =
        random_.pick<Method>({Method::automatic, Method::tree, Method::score, Method::rank});
  }

  query::Keys keys(const std::vector<std::string>& by) {
    using Kind = query::Keys::Kind;
    query::Keys keys;
    if (by.empty()) return keys;
    keys.kind = random_.pick<Kind>({Kind::declared, Kind::table, Kind::threshold, Kind::select});
    const bool is_public = keys.kind == Kind::declared || keys.kind == Kind::table;
    if (is_public && random_.below(3) == 0) {
      keys.suppress = static_cast<std::uint32_t>(1 + random_.below(4));
    }
    if (keys.kind != Kind::table) return keys;
    for (const std::string& name : by) {
      const query::Field& field = fields_[query::place_of(name, fields_)];
      keys.table.columns.push_back(literals(field, 6));
      keys.table.fields.push_back(public_form(field, name));
    }
    return keys;
  }

  TestRandom random_;
  Fields fields_;
  int made_ = 0;
};

}  // namespace dp::test

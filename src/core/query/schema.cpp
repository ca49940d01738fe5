#include "core/query/schema.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/typing.h"
#include "core/numeric/int128.h"
#include "core/query/domains.h"
#include "core/query/lowered.h"
#include "core/query/narrowing.h"
#include "core/query/public_table.h"

namespace dp::query {
namespace {

[[noreturn]] void refuse_step(const std::string& sentence) {
  throw Error(ErrorKind::unsupported, sentence);
}

void check_keys(const std::string& step,
                const std::vector<std::string>& by,
                const std::vector<Field>& fields) {
  for (const std::string& name : by) {
    if (is_key(fields[place_of(name, fields)])) continue;
    refuse_step("`" + step + "` cannot group by `" + name +
                "`, which holds real numbers. Use `cut()` or `floor()` first.");
  }
}

using Fields = std::vector<Field>;

Fields after(const Fields& fields, const Filter& filter) {
  const Field type = type_of(*filter.predicate, fields);
  if (type.type != FieldType::logical) refuse_operand("filter", "logicals", type);
  return filter.narrows ? narrowed(fields, filter) : fields;
}

Fields after(Fields fields, const Mutate& mutate) {
  Field made = mutate.known     ? *mutate.known
               : mutate.narrows ? domain_of(mutate.value, fields, mutate.twins)
                                : type_of(*mutate.value, fields, Language::first_queries);
  made.name = mutate.name;
  for (Field& field : fields) {
    if (field.name == mutate.name) {
      field = std::move(made);
      return fields;
    }
  }
  fields.push_back(std::move(made));
  return fields;
}

Fields after(const Fields& fields, const Select& select) {
  Fields chosen;
  std::set<std::string> names;
  for (const auto& [name, old] : select.columns) {
    if (!names.insert(name).second) refuse_step("two columns cannot both be `" + name + "`.");
    chosen.push_back(fields[place_of(old, fields)]);
    chosen.back().name = name;
  }
  return chosen;
}

void check_lengths(const PublicTable& table) {
  bool same = table.fields.size() == table.columns.size();
  for (const auto& column : table.columns) same = same && column.size() == table.columns[0].size();
  if (!same) refuse_step("the columns of a public table must have one length.");
}

Fields after(Fields fields, const JoinPublic& join) {
  check_lengths(join.table);
  if (join.by.empty()) refuse_step("a join needs at least one column to join by.");
  TextPool texts;
  Fields key_fields;
  for (std::size_t i = 0; i < join.table.fields.size(); ++i) {
    key_fields.push_back(public_field(join.table, i, true));
  }
  for (const auto& [own, other] : join.by) {
    const auto bound = [&](const std::string& name, const Fields& among) {
      return bind_expression(Expression(ColumnReference{name}), among, texts);
    };
    promoted("join", {bound(own, fields), bound(other, key_fields)}, Meeting::values, texts);
    if (in_reals(fields[place_of(own, fields)]) ||
        in_reals(key_fields[place_of(other, key_fields)])) {
      refuse_step("a join cannot be by `" + own +
                  "`, which holds real numbers. Use `cut()` or `floor()` first.");
    }
  }
  for (const std::size_t place : joined_columns(join)) {
    Field field = public_field(join.table, place, false);
    for (const Field& old : fields) {
      if (old.name == field.name) {
        refuse_step("column `" + field.name + "` is in both tables: rename one.");
      }
    }
    if (join.how == JoinPublic::How::left) field.may_be_missing = true;
    fields.push_back(std::move(field));
  }
  return fields;
}

// The sum of at most 2^40 rows, each within the bounds.
Field total_of(const Field& field) {
  static constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (!is_number(field)) refuse_operand("sum", "numbers", field);
  if (!is_bounded(field)) {
    throw Error(ErrorKind::domain,
                "`sum()` of each person needs a column with bounds. Declare them.");
  }
  if (in_reals(field)) {
    Field total = field_of(FieldType::real, false);
    const double rows = std::ldexp(1.0, kSummedRowsBits);
    static constexpr double kGreatest = std::numeric_limits<double>::max();
    const auto held = [](double x) { return std::min(std::max(x, -kGreatest), kGreatest); };
    total.reals = {std::min(0.0, held(field.reals->first * rows)),
                   std::max(0.0, held(field.reals->second * rows))};
    return total;
  }
  Field total = field_of(FieldType::integer, false);
  const auto held = [](int128_t x) {
    return static_cast<std::int64_t>(std::min<int128_t>(std::max<int128_t>(x, -kMost), kMost));
  };
  const int128_t rows = int128_t{1} << kSummedRowsBits;
  total.wholes = {std::min<std::int64_t>(0, held(field.wholes->first * rows)),
                  std::max<std::int64_t>(0, held(field.wholes->second * rows))};
  return total;
}

Field unit_value(const PerUnitValue& value, const Fields& fields, bool narrows) {
  using Kind = PerUnitValue::Kind;
  if (value.kind == Kind::rows) {
    Field rows = field_of(FieldType::integer, false);
    rows.wholes = {1, std::int64_t{1} << kSummedRowsBits};
    return rows;
  }
  if (!value.of) refuse_step("`" + value.name + "` needs a column.");
  Field of = narrows ? domain_of(value.of, fields, {})
                     : type_of(*value.of, fields, Language::first_queries);
  if (of.type == FieldType::levels && of.whole_levels) {
    TextPool texts;
    of = wholes_of_levels(bind_expression(*value.of, fields, texts))->type;
  }
  of.places.reset();
  of.name.clear();
  of.missing = {};
  if (value.kind == Kind::sum) return total_of(of);
  if (value.kind == Kind::any || value.kind == Kind::all) {
    if (of.type != FieldType::logical)
      refuse_operand(value.name, "logicals", of, "Write a condition, such as `x > 0`.");
    return logical_field(false);
  }
  const bool ordered = is_number(of) || of.type == FieldType::date;
  if (!ordered) refuse_operand(value.name, "numbers or dates", of);
  return of;
}

Fields after(const Fields& fields, const PerUnit& unit) {
  check_keys("per_unit", unit.by, fields);
  Fields made;
  std::set<std::string> names;
  const auto add = [&](Field field, const std::string& name) {
    if (!names.insert(name).second) refuse_step("two columns cannot both be `" + name + "`.");
    field.name = name;
    made.push_back(std::move(field));
  };
  for (const std::string& name : unit.by) {
    add(fields[place_of(name, fields)], name);
    made.back().may_be_missing = false;
  }
  for (const PerUnitValue& value : unit.values)
    add(unit_value(value, fields, unit.narrows), value.name);
  return made;
}

bool is_zero(const std::optional<std::uint32_t>& cap) { return cap && *cap == 0; }

Fields after(const Fields& fields, const Truncate& truncate) {
  check_keys("truncate", truncate.by, fields);
  if (is_zero(truncate.rows) || is_zero(truncate.groups) || is_zero(truncate.rows_per_group)) {
    refuse_step("the caps of `truncate` must be at least 1.");
  }
  if (truncate.keep == Truncate::Keep::random) return fields;
  if (!truncate.order) refuse_step("to keep the first or last rows, `truncate` needs an order.");
  const Field order = type_of(*truncate.order, fields);
  const bool ordered =
      order.type == FieldType::date || (is_number(order) && order.type != FieldType::levels);
  if (!ordered) refuse_operand("truncate", "numbers or dates as its order", order);
  return fields;
}

Fields after(const Fields& fields, const Margin& margin) {
  check_keys("margin", margin.by, fields);
  if (is_zero(margin.most_groups) || is_zero(margin.most_rows)) {
    refuse_step("the limits of `margin` must be at least 1.");
  }
  return fields;
}

}  // namespace

bool is_key(const Field& field) { return field.type != FieldType::real; }

std::vector<std::size_t> joined_columns(const JoinPublic& join) {
  std::vector<std::size_t> places;
  const bool filters = join.how == JoinPublic::How::semi || join.how == JoinPublic::How::anti;
  for (std::size_t i = 0; i < join.table.fields.size() && !filters; ++i) {
    const auto is_by = [&](const auto& pair) { return pair.second == join.table.fields[i].name; };
    if (std::none_of(join.by.begin(), join.by.end(), is_by)) places.push_back(i);
  }
  return places;
}

bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b) {
  const auto known_of = [](const Field& field) {
    return std::tie(field.name,
                    field.type,
                    field.wholes,
                    field.reals,
                    field.levels,
                    field.places,
                    field.whole_levels,
                    field.missing.policy,
                    field.missing.value,
                    field.may_be_missing,
                    field.period,
                    field.steps,
                    field.rounds,
                    field.parses,
                    field.beyond,
                    field.fill,
                    field.na,
                    field.na_texts,
                    field.encoding,
                    field.level_codes,
                    field.column,
                    field.missing_key,
                    field.classes_of);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Field& x, const Field& y) {
    return known_of(x) == known_of(y);
  });
}

std::vector<Field> fields_after_step(const std::vector<Field>& fields, const Step& step) {
  return std::visit([&](const auto& one) { return after(fields, one); }, step);
}

std::vector<Field> declared_fields(const Source& source) {
  std::vector<Field> fields = source.fields;
  for (Field& field : fields) {
    if (field.type == FieldType::logical) field.wholes = {0, 1};
    if (field.type == FieldType::levels) {
      field.wholes = {0, static_cast<std::int64_t>(field.levels.size()) - 1};
    }
  }
  return fields;
}

std::vector<Field> fields_after(const Source& source, const std::vector<Step>& steps) {
  std::vector<Field> fields = declared_fields(source);
  for (const Step& step : steps) fields = fields_after_step(fields, step);
  return fields;
}

}  // namespace dp::query

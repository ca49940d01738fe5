#include "core/query/public_table.h"

#include <algorithm>

#include "core/error.h"
#include "core/numeric/cast.h"
#include "core/query/columns.h"

namespace dp::query {
namespace {

double real_in(const Literal& literal) {
  if (const auto* real = std::get_if<double>(&literal.value)) return *real;
  const auto whole = whole_in(literal);
  return whole ? static_cast<double>(*whole) : kNoReal;
}

bool fits_type(const Literal& literal, const Field& field) {
  if (is_missing_literal(literal)) return true;
  const bool text = std::holds_alternative<std::string>(literal.value);
  if (field.type == FieldType::text || field.type == FieldType::levels) return text;
  return !text && (in_reals(field) || whole_in(literal));
}

bool all_whole(const std::vector<Literal>& column) {
  return std::all_of(column.begin(), column.end(), [](const Literal& literal) {
    return is_missing_literal(literal) || whole_in(literal);
  });
}

}  // namespace

std::optional<std::int64_t> whole_in(const Literal& literal) {
  if (const auto* flag = std::get_if<bool>(&literal.value)) return *flag ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    if (*whole != kNone) return *whole;
  }
  if (const auto* real = std::get_if<double>(&literal.value)) return whole_number(*real);
  return std::nullopt;
}

bool is_missing_literal(const Literal& literal) {
  if (const auto* real = std::get_if<double>(&literal.value)) return !(*real == *real);
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) return *whole == kNone;
  return std::holds_alternative<std::monostate>(literal.value);
}

Field public_field(const PublicTable& table, std::size_t place, bool as_key) {
  Field field = table.fields[place];
  const std::vector<Literal>& column = table.columns[place];
  for (const Literal& literal : column) {
    if (!fits_type(literal, field)) {
      throw Error(ErrorKind::unsupported,
                  "column `" + field.name + "` of a public table must hold values of one type.");
    }
  }
  if (as_key && in_reals(field) && all_whole(column)) field.type = FieldType::integer;
  field.may_be_missing = std::any_of(column.begin(), column.end(), is_missing_literal);
  field.missing = {};
  if (field.type == FieldType::text) return field;
  if (field.type == FieldType::levels) {
    TextPool none;
    return as_key ? field : with_values(field, public_cells(table, place, field, none).wholes);
  }
  field.wholes.reset();
  field.reals.reset();
  for (const Literal& literal : column) {
    if (is_missing_literal(literal)) continue;
    if (in_reals(field)) {
      const double x = real_in(literal);
      const auto [least, most] = field.reals.value_or(std::pair{x, x});
      field.reals = {std::min(least, x), std::max(most, x)};
    } else {
      const std::int64_t x = *whole_in(literal);
      const auto [least, most] = field.wholes.value_or(std::pair{x, x});
      field.wholes = {std::min(least, x), std::max(most, x)};
    }
  }
  if (as_key || in_reals(field)) return field;
  TextPool none;
  return with_values(field, public_cells(table, place, field, none).wholes);
}

Cells public_cells(const PublicTable& table,
                   std::size_t place,
                   const Field& field,
                   TextPool& texts) {
  Cells cells;
  for (const Literal& literal : table.columns[place]) {
    if (in_reals(field)) {
      cells.reals.push_back(real_in(literal));
    } else if (const auto* text = std::get_if<std::string>(&literal.value)) {
      if (field.type == FieldType::text) {
        cells.wholes.push_back(texts.copy(*text));
        continue;
      }
      const auto at = std::find(field.levels.begin(), field.levels.end(), *text);
      cells.wholes.push_back(at == field.levels.end() ? kNone : at - field.levels.begin());
    } else {
      cells.wholes.push_back(whole_in(literal).value_or(kNone));
    }
  }
  return cells;
}

}  // namespace dp::query

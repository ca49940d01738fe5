#include "core/query/cell_classes.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/decode.h"
#include "core/query/missing_codes.h"
#include "core/query/text_values.h"

namespace dp::query {
namespace {

using CellKind = QueryColumn::Kind;

Field without_bounds(Field field) {
  field.fill.reset();
  field.beyond = Field::Beyond::bound;
  if (field.type == FieldType::integer || field.type == FieldType::date) field.wholes.reset();
  if (field.type == FieldType::real) field.reals.reset();
  return field;
}

// Whether a cell has a value, for columns other than factors.
bool has_value(const QueryColumn& column, std::size_t i) {
  switch (column.kind) {
    case CellKind::int64:
      return static_cast<const std::int64_t*>(column.cells)[i] !=
             std::numeric_limits<std::int64_t>::min();
    case CellKind::real:
    case CellKind::date: {
      const double cell = static_cast<const double*>(column.cells)[i];
      return cell == cell;
    }
    default:
      return static_cast<const std::int32_t*>(column.cells)[i] !=
             std::numeric_limits<std::int32_t>::min();
  }
}

std::int64_t number_of(CellClass cell) { return static_cast<std::int64_t>(cell); }

}  // namespace

Field as_key(Field field) {
  const bool has_bounds = field.wholes || field.reals;
  if (has_bounds) field.beyond = Field::Beyond::missing;
  field.fill.reset();
  return field;
}

Field classes_of(Field declared, const std::string& name) {
  Field classes;
  classes.name = name;
  classes.type = FieldType::integer;
  // So a histogram with breaks at whole numbers has a cell for each class.
  classes.wholes = {0, static_cast<std::int64_t>(std::size(kCellClassNames))};
  classes.may_be_missing = false;
  classes.column = declared.name;
  classes.classes_of = std::make_shared<const Field>(std::move(declared));
  return classes;
}

CellClasses::CellClasses(const Field& declared,
                         const QueryColumn& column,
                         TextPool& texts,
                         bool lasting)
    : declared_(declared),
      key_(as_key(declared), column, texts, lasting),
      wide_(without_bounds(declared), column, texts, lasting),
      column_(&column) {
  read_labels();
}

void CellClasses::take(const QueryColumn& column, TextPool& texts) {
  key_.take(column, texts);
  wide_.take(column, texts);
  column_ = &column;
  read_labels();
}

void CellClasses::read_labels() {
  of_label_.clear();
  const MissingCodes codes = codes_of(declared_, *column_);
  for (const std::string_view label : column_->labels) {
    of_label_.push_back(number_of(class_of_text(label, codes)));
  }
}

CellClass CellClasses::class_of_text(std::string_view label, const MissingCodes& codes) const {
  if (label == kNoLabel || is_code(codes, label)) return CellClass::missing;
  if (declared_.type == FieldType::date) {
    const std::int64_t day = day_in(label, declared_.parses);
    if (day == kNone) return CellClass::undecodable;
    if (is_code(codes, static_cast<double>(day))) return CellClass::missing;
    if (declared_.wholes && day < declared_.wholes->first) return CellClass::below;
    if (declared_.wholes && day > declared_.wholes->second) return CellClass::above;
    return CellClass::fits;
  }
  const std::optional<std::string> text = decoded(label, declared_.encoding);
  if (!text) return CellClass::undecodable;
  if (declared_.type != FieldType::levels) return CellClass::fits;
  const auto& levels = declared_.levels;
  const std::string level = declared_.parses ? without_leading_zeros(*text) : *text;
  const bool known = std::find(levels.begin(), levels.end(), level) != levels.end();
  return known ? CellClass::fits : CellClass::unknown;
}

void CellClasses::read(std::size_t begin, std::size_t size, std::int64_t* to) const {
  if (column_->kind == CellKind::text) {
    read_texts(begin, size, to);
  } else {
    read_numbers(begin, size, to);
  }
  const std::int32_t* unread = column_->unread.get();
  if (unread == nullptr) return;
  for (std::size_t i = 0; i < size; ++i) {
    if (unread[begin + i] != 0) to[i] = number_of(CellClass::undecodable);
  }
}

void CellClasses::read_texts(std::size_t begin, std::size_t size, std::int64_t* to) const {
  const auto* cells = static_cast<const std::int32_t*>(column_->cells) + begin;
  for (std::size_t i = 0; i < size; ++i) {
    const bool inside = cells[i] >= 1 && cells[i] <= static_cast<std::int64_t>(of_label_.size());
    to[i] =
        inside ? of_label_[static_cast<std::size_t>(cells[i] - 1)] : number_of(CellClass::missing);
  }
}

void CellClasses::read_numbers(std::size_t begin, std::size_t size, std::int64_t* to) const {
  Cells key, wide;
  key_.read(begin, size, key);
  wide_.read(begin, size, wide);
  const QueryColumn present = without_codes(*column_, begin, size, codes_of(declared_, *column_));
  for (std::size_t i = 0; i < size; ++i) {
    const bool fits = in_reals(declared_) ? key.reals[i] == key.reals[i] : key.wholes[i] != kNone;
    to[i] = number_of(fits                     ? CellClass::fits
                      : !has_value(present, i) ? CellClass::missing
                                               : class_beyond(wide, i));
  }
}

// Class of a value that does not fit.
CellClass CellClasses::class_beyond(const Cells& wide, std::size_t i) const {
  if (declared_.type == FieldType::levels) return CellClass::unknown;
  if (in_reals(declared_)) {
    if (!declared_.reals) return CellClass::undecodable;
    return wide.reals[i] < declared_.reals->first ? CellClass::below : CellClass::above;
  }
  if (wide.wholes[i] == kNone || !declared_.wholes) return CellClass::undecodable;
  return wide.wholes[i] < declared_.wholes->first ? CellClass::below : CellClass::above;
}

}  // namespace dp::query

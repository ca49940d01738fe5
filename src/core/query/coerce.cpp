#include "core/query/coerce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/expressions/calendar.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/cell_classes.h"
#include "core/query/missing_codes.h"
#include "core/query/text_values.h"

namespace dp::query {
namespace {

using CellKind = QueryColumn::Kind;

constexpr std::int32_t kMissing32 = std::numeric_limits<std::int32_t>::min();

const char* what_holds(CellKind kind) {
  switch (kind) {
    case CellKind::logical:
      return "logicals";
    case CellKind::int32:
    case CellKind::int64:
      return "integers";
    case CellKind::real:
      return "reals";
    case CellKind::text:
      return "text";
    default:
      return "dates";
  }
}

bool fits_declaration(const Field& field, CellKind kind) {
  if (field.classes_of) return fits_declaration(*field.classes_of, kind);
  const bool number = kind == CellKind::logical || kind == CellKind::int32 ||
                      kind == CellKind::int64 || kind == CellKind::real;
  switch (field.type) {
    case FieldType::logical:
      return kind == CellKind::logical;
    case FieldType::integer:
    case FieldType::real:
      return number;
    case FieldType::text:
      return kind == CellKind::text;
    case FieldType::levels:
      return kind == CellKind::text ||
             (number && (field.whole_levels || !field.level_codes.empty()));
    default:
      return kind == CellKind::date || kind == CellKind::date32 || kind == CellKind::text;
  }
}

// How to convert reals to whole numbers; floored is for dates, which have no time of day.
enum class Wholeness : std::uint8_t { needed, rounded, floored };

std::int64_t whole_from(double x, std::int64_t lower, std::int64_t upper, Wholeness wholeness) {
  if (wholeness == Wholeness::floored) x = std::floor(x);
  if (wholeness == Wholeness::rounded) x = std::nearbyint(x);  // ties to even
  if (x <= static_cast<double>(lower)) return lower;
  if (x >= static_cast<double>(upper)) return upper;
  const bool whole = std::trunc(x) == x;  // false of NaN
  return whole ? static_cast<std::int64_t>(x) : kNone;
}

// Calls `f` on each cell; a missing cell is kNone or a double.
template <class F>
void each_cell(const QueryColumn& column, std::size_t begin, std::size_t size, F&& f) {
  switch (column.kind) {
    case CellKind::logical: {
      const auto* cells = static_cast<const std::int32_t*>(column.cells) + begin;
      for (std::size_t i = 0; i < size; ++i) {
        f(i, cells[i] == kMissing32 ? kNone : std::int64_t{cells[i] != 0});
      }
      return;
    }
    case CellKind::int64: {
      const auto* cells = static_cast<const std::int64_t*>(column.cells) + begin;
      for (std::size_t i = 0; i < size; ++i) f(i, cells[i]);
      return;
    }
    case CellKind::real:
    case CellKind::date: {
      const auto* cells = static_cast<const double*>(column.cells) + begin;
      for (std::size_t i = 0; i < size; ++i) f(i, cells[i]);
      return;
    }
    default: {
      const auto* cells = static_cast<const std::int32_t*>(column.cells) + begin;
      for (std::size_t i = 0; i < size; ++i) {
        f(i, cells[i] == kMissing32 ? kNone : std::int64_t{cells[i]});
      }
    }
  }
}

void check_same_kind(const QueryColumn& column, CellKind before) {
  if (column.kind == before) return;
  throw Error(ErrorKind::source, "column `" + column.name + "` is kept in two ways.");
}

// Pool numbers of the texts of a column. Bytes that are not valid text have none.
std::vector<std::int64_t> numbers_of_texts(const QueryColumn& column,
                                           Field::Encoding encoding,
                                           TextPool& texts,
                                           bool lasting) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(column.labels.size());
  for (const std::string_view label : column.labels) {
    if (is_plain_text(label)) {
      numbers.push_back(lasting ? texts.view(label) : texts.copy(label));
    } else {
      const std::optional<std::string> text = decoded(label, encoding);
      numbers.push_back(text ? texts.copy(*text) : kNone);
    }
  }
  return numbers;
}

// Pool numbers of names of people. Bytes that are not valid text still name one person.
std::vector<std::int64_t> numbers_of_names(const QueryColumn& column,
                                           TextPool& texts,
                                           bool lasting) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(column.labels.size());
  for (const std::string_view label : column.labels) {
    const bool there = label != kNoLabel;
    numbers.push_back(!there ? kNone : lasting ? texts.view(label) : texts.copy(label));
  }
  return numbers;
}

std::vector<std::int64_t> places_of_labels(const QueryColumn& column, const Field& field) {
  std::map<std::string_view, std::int64_t> places;
  for (std::size_t i = 0; i < field.levels.size(); ++i) {
    places.emplace(field.levels[i], static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> of_label;
  for (const std::string_view label : column.labels) {
    std::optional<std::string> text = decoded(label, field.encoding);
    if (text && field.parses) text = without_leading_zeros(*text);
    const auto at = text ? places.find(*text) : places.end();
    of_label.push_back(at == places.end() ? kNone : at->second);
  }
  return of_label;
}

// Looks up a label number, counted from 1.
std::int64_t labelled(const std::vector<std::int64_t>& of_label, std::int64_t label) {
  const bool inside = label >= 1 && label <= static_cast<std::int64_t>(of_label.size());
  return inside ? of_label[static_cast<std::size_t>(label - 1)] : kNone;
}

}  // namespace

FieldReader::FieldReader(const Field& field,
                         const QueryColumn& column,
                         TextPool& texts,
                         bool lasting)
    : field_(field),
      lasting_(lasting),
      kept_(column.kind),
      column_(&column),
      lower_(0),
      upper_(0),
      real_lower_(0),
      real_upper_(0) {
  if (!fits_declaration(field, column.kind)) {
    throw Error(ErrorKind::source,
                "column `" + data_column(field) + "` holds " + what_holds(column.kind) +
                    ", but was declared as " + kind_of(field) + ".");
  }
  if (field.classes_of) {
    classes_ = std::make_shared<CellClasses>(*field.classes_of, column, texts, lasting);
    return;
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool date = field.type == FieldType::date;
  std::tie(lower_, upper_) =
      field.wholes.value_or(date ? std::pair{kFirstDay, kLastDay} : std::pair{-kMost, kMost});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::tie(real_lower_, real_upper_) = field.reals.value_or(std::pair{-kInfinity, kInfinity});
  if (column.kind == CellKind::text) {
    read_labels(texts);
  } else if (field.type == FieldType::levels) {
    for (std::size_t i = 0; i < field.levels.size(); ++i) {
      const std::int64_t code = field.level_codes.empty()
                                    ? whole_level(field.levels[i])
                                    : static_cast<std::int64_t>(field.level_codes[i]);
      of_whole_.emplace_back(code, static_cast<std::int64_t>(i));
    }
    std::sort(of_whole_.begin(), of_whole_.end());
  }
}

void FieldReader::take(const QueryColumn& column, TextPool& texts) {
  check_same_kind(column, kept_);
  column_ = &column;
  if (classes_) {
    classes_->take(column, texts);
  } else if (column.kind == CellKind::text) {
    read_labels(texts);
  }
}

void FieldReader::read_labels(TextPool& texts) {
  if (field_.type == FieldType::text) {
    of_label_ = numbers_of_texts(*column_, field_.encoding, texts, lasting_);
  } else if (field_.type == FieldType::levels) {
    of_label_ = places_of_labels(*column_, field_);
  } else {
    of_label_.clear();
    for (const std::string_view label : column_->labels) of_label_.push_back(held_day(label));
  }
}

// The day of a text, clamped or missing beyond the bounds as the field declares.
std::int64_t FieldReader::held_day(std::string_view text) const {
  const std::int64_t day = day_in(text, field_.parses);
  if (field_.parses && is_code(codes_of(field_, *column_), static_cast<double>(day))) return kNone;
  if (day == kNone || (day >= lower_ && day <= upper_)) return day;
  if (field_.beyond == Field::Beyond::missing) return kNone;
  return day < lower_ ? lower_ : upper_;
}

void FieldReader::read(std::size_t begin, std::size_t size, Cells& to) const {
  if (classes_) {
    to.wholes.resize(size);
    classes_->read(begin, size, to.wholes.data());
    return;
  }
  const MissingCodes missing = codes_of(field_, *column_);
  if (missing.empty()) {
    read_from(*column_, {begin, size}, to);
  } else {
    read_from(without_codes(*column_, begin, size, missing), {0, size}, to);
  }
  if (field_.fill) fill(to);
}

void FieldReader::read_from(const QueryColumn& column, const Rows& rows, Cells& to) const {
  if (in_reals(field_)) {
    to.reals.resize(rows.second);
    read_reals(column, rows, to.reals.data());
    return;
  }
  to.wholes.resize(rows.second);
  const bool coded = column.kind == CellKind::text || field_.type == FieldType::levels;
  coded ? read_levels(column, rows, to.wholes.data()) : read_wholes(column, rows, to.wholes.data());
}

void FieldReader::fill(Cells& cells) const {
  const double real = *field_.fill;
  const auto whole = static_cast<std::int64_t>(real);
  for (std::int64_t& cell : cells.wholes) cell = cell == kNone ? whole : cell;
  for (double& cell : cells.reals) cell = cell == cell ? cell : real;
}

// The loops capture by value, so writing cells cannot change the captured values and all of them
// stay in registers.
void FieldReader::read_wholes(const QueryColumn& column, const Rows& rows, std::int64_t* to) const {
  const auto [begin, size] = rows;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool date = field_.type == FieldType::date;
  const std::int64_t first = date ? kFirstDay : -kMost;
  const std::int64_t last = date ? kLastDay : kMost;
  const Wholeness wholeness = date            ? Wholeness::floored
                              : field_.rounds ? Wholeness::rounded
                                              : Wholeness::needed;
  if (field_.beyond == Field::Beyond::missing) {
    // Clamps to one beyond each end, which distinguishes a bound from a clamped value.
    each_cell(column, begin, size, [=, lower = lower_, upper = upper_](std::size_t i, auto cell) {
      std::int64_t whole;
      if constexpr (std::is_same_v<decltype(cell), double>) {
        whole = whole_from(cell, lower - 1, upper + 1, wholeness);
      } else {
        whole = cell;
      }
      to[i] = whole < lower || whole > upper ? kNone : whole;
    });
    return;
  }
  each_cell(column, begin, size, [=, lower = lower_, upper = upper_](std::size_t i, auto cell) {
    if constexpr (std::is_same_v<decltype(cell), double>) {
      if (date && !(cell >= kFirstDay && cell < kLastDay + 1)) {
        to[i] = kNone;
      } else {
        to[i] = whole_from(cell, lower, upper, wholeness);
      }
    } else {
      const std::int64_t raised = cell < lower ? lower : cell;
      const std::int64_t held = raised > upper ? upper : raised;
      to[i] = cell < first || cell > last ? kNone : held;
    }
  });
}

void FieldReader::read_reals(const QueryColumn& column, const Rows& rows, double* to) const {
  const auto [begin, size] = rows;
  const bool clamps = field_.beyond == Field::Beyond::bound;
  each_cell(
      column, begin, size, [=, lower = real_lower_, upper = real_upper_](std::size_t i, auto cell) {
        double x;
        if constexpr (std::is_same_v<decltype(cell), double>) {
          x = cell == cell ? cell : kNoReal;
        } else {
          x = cell == kNone ? kNoReal : static_cast<double>(cell);
        }
        if (!clamps && (x < lower || x > upper)) x = kNoReal;
        x = x < lower ? lower : x;
        to[i] = x > upper ? upper : x;
      });
}

void FieldReader::read_levels(const QueryColumn& column, const Rows& rows, std::int64_t* to) const {
  const bool labels = column.kind == CellKind::text;
  each_cell(column, rows.first, rows.second, [&](std::size_t i, auto cell) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t whole;
    if constexpr (std::is_same_v<decltype(cell), double>) {
      whole = whole_from(cell, -kMost, kMost, Wholeness::needed);
    } else {
      whole = cell;
    }
    if (labels) {
      to[i] = labelled(of_label_, whole);
      return;
    }
    const auto at = std::lower_bound(
        of_whole_.begin(), of_whole_.end(), whole, [](const auto& level, std::int64_t value) {
          return level.first < value;
        });
    to[i] = at != of_whole_.end() && at->first == whole ? at->second : kNone;
  });
}

IdReader::IdReader(const QueryColumn& column, TextPool& texts, bool lasting)
    : name_(column.name), lasting_(lasting), kept_(column.kind), column_(&column) {
  take(column, texts);
}

void IdReader::take(const QueryColumn& column, TextPool& texts) {
  check_same_kind(column, kept_);
  column_ = &column;
  if (column.kind == CellKind::text) of_label_ = numbers_of_names(column, texts, lasting_);
}

IdKind IdReader::kind() const {
  switch (column_->kind) {
    case CellKind::text:
      return IdKind::text;
    case CellKind::real:
    case CellKind::date:
      return IdKind::real;
    default:
      return IdKind::whole;
  }
}

void IdReader::read(std::size_t begin,
                    std::size_t size,
                    std::uint64_t* words,
                    std::size_t stride,
                    std::uint8_t* there) const {
  const bool text = column_->kind == CellKind::text;
  each_cell(*column_, begin, size, [&](std::size_t i, auto cell) {
    if constexpr (std::is_same_v<decltype(cell), double>) {
      if (!(cell == cell)) there[i] = 0;
      words[i * stride] = word_of(cell);
    } else {
      const std::int64_t whole = text ? labelled(of_label_, cell) : cell;
      if (whole == kNone) there[i] = 0;
      words[i * stride] = word_of(whole);
    }
  });
}

}  // namespace dp::query

// The columns of a private table: what each may hold, declared by the data's owner or derived from
// what was declared. All of it is public.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/calendar.h"

namespace dp::query {

// Integers and dates are 64-bit integers, dates the days since 1970-01-01; levels are declared text
// or integers, of which a row holds the place, from 0.
enum class FieldType : std::uint8_t { logical, integer, real, text, levels, date };
// In the order of the types.
constexpr const char* kFieldTypeNames[] = {"logical", "integer", "real", "text", "levels", "date"};

// What a row without a value counts as: it leaves what is computed of the column, has a value
// within the bounds, is in a group of rows without a value, or leaves the table.
struct Missing {
  enum class Policy : std::uint8_t { drop, midpoint, value, group, row };
  Policy policy = Policy::drop;
  double value = 0;
};

// Whole numbers that are offset + k size for a whole k. With size 0 there is one.
struct Steps {
  std::int64_t size;
  std::int64_t offset;

  bool operator==(const Steps& other) const { return size == other.size && offset == other.offset; }
};

struct Field {
  std::string name;
  FieldType type;
  // Of logical (0, 1), integer, date and levels (0, count - 1); whole numbers within +-2^51 where
  // they were declared, +-2^62 where they were computed. Absent where nothing is known.
  std::optional<std::pair<std::int64_t, std::int64_t>> wholes;
  // Of reals: finite and in order.
  std::optional<std::pair<double, double>> reals;
  std::vector<std::string> levels;
  // The wholes that are left of these bounds or levels, in order; absent where all are.
  std::optional<std::vector<std::int64_t>> places;
  // Levels that came as whole numbers are released as such.
  bool whole_levels = false;
  Missing missing;
  bool may_be_missing = true;
  // Of dates that are the first days of periods.
  std::optional<Period> period;
  // Of integers and dates that skip whole numbers, such as the multiples of ten in `x %/% 10 * 10`.
  std::optional<Steps> steps;

  // How a declared column is read (lowered.h). Fractions of whole numbers are rounded to nearest,
  // ties to even, or have no value; a number beyond its bounds is the nearer bound, or has no
  // value; what has no value is `fill`, a number or the place of a level.
  enum class Beyond : std::uint8_t { bound, missing };
  bool rounds = false;
  // Texts may say more than the declaration needs: a day with its time, a whole number with zeros
  // before it.
  bool parses = false;
  Beyond beyond = Beyond::bound;
  std::optional<double> fill;
  std::vector<double> na;  // codes without a value; of dates days since 1970-01-01
  std::vector<std::string> na_texts;
  // Of texts and levels: what bytes that are no UTF-8 are in.
  enum class Encoding : std::uint8_t { utf8, latin1, latin9, windows1252 };
  Encoding encoding = Encoding::utf8;
  // The key of rows without a value, where they are a group: one beyond the bounds, or the place of
  // the last level. Texts have kMissingLevel, whatever the number.
  std::optional<std::int64_t> missing_key;
  std::vector<double> level_codes;  // the numbers by which a column keeps its levels, if it does
  std::string column;               // of the data, if it has another name
  // The declaration by which cells are classed instead of read; else null (cell_classes.h).
  std::shared_ptr<const Field> classes_of;
};

inline const std::string& data_column(const Field& field) {
  return field.column.empty() ? field.name : field.column;
}

}  // namespace dp::query

// Columns of a private table: the possible values of each, declared by the data owner or derived
// from declarations. All of it is public.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expressions/calendar.h"

namespace dp::query {

// Integers are 64-bit integers, and dates the days since 1970-01-01. Levels are declared texts or
// integers; a row holds the index of its level, from 0.
enum class FieldType : std::uint8_t { logical, integer, real, text, levels, date };
// In the order of the types.
constexpr const char* kFieldTypeNames[] = {"logical", "integer", "real", "text", "levels", "date"};

// Treatment of a row without a value. Computations on the column drop it, it gets a value within
// the bounds, it belongs to a group of missing values, or it leaves the table.
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
  // Bounds of logical (0, 1), integer, date and levels (0, count - 1). Whole numbers are within
  // +-2^51 if declared, +-2^62 if computed. Absent if unknown.
  std::optional<std::pair<std::int64_t, std::int64_t>> wholes;
  // Bounds of reals: finite and in order.
  std::optional<std::pair<double, double>> reals;
  std::vector<std::string> levels;
  // The whole numbers that remain possible within these bounds or levels, in order; absent if all
  // do.
  std::optional<std::vector<std::int64_t>> places;
  // Levels that were declared as whole numbers are released as whole numbers.
  bool whole_levels = false;
  Missing missing;
  bool may_be_missing = true;
  // Set for dates that are the first days of periods.
  std::optional<Period> period;
  // Of integers and dates that skip whole numbers, such as the multiples of ten in `x %/% 10 * 10`.
  std::optional<Steps> steps;

  // How a declared column is read (lowered.h). Fractions of whole numbers are rounded to nearest,
  // ties to even, or become missing. A number beyond its bounds becomes the nearer bound, or
  // missing. Missing values become `fill`, a number or the index of a level.
  enum class Beyond : std::uint8_t { bound, missing };
  bool rounds = false;
  // Texts can contain more than the declaration needs: a day with its time, a whole number with
  // leading zeros.
  bool parses = false;
  Beyond beyond = Beyond::bound;
  std::optional<double> fill;
  std::vector<double> na;  // codes without a value; of dates days since 1970-01-01
  std::vector<std::string> na_texts;
  // For texts and levels: the encoding of bytes that are not UTF-8.
  enum class Encoding : std::uint8_t { utf8, latin1, latin9, windows1252 };
  Encoding encoding = Encoding::utf8;
  // Key of rows without a value, if they form a group: one beyond the bounds, or the index of the
  // last level. For texts the key is always kMissingLevel.
  std::optional<std::int64_t> missing_key;
  std::vector<double> level_codes;  // the numbers by which a column keeps its levels, if it does
  std::string column;               // of the data, if it has another name
  // The declaration for classing cells instead of reading them; else null (cell_classes.h).
  std::shared_ptr<const Field> classes_of;
};

inline const std::string& data_column(const Field& field) {
  return field.column.empty() ? field.name : field.column;
}

// The name for messages. The name of a hidden column (query/lowered.h) ends with the column whose
// values it has, after a zero byte.
inline std::string shown_name(const std::string& name) {
  return name.substr(name.find_last_of('\0') + 1);
}

}  // namespace dp::query

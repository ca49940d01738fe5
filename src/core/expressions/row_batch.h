// A batch of query rows, stored by column, as expressions read and write them.
//
// A cell is a whole number (logical, integer, date, the index of a level, the number of a text) or
// a real number. Each kind reserves one value for "missing". So no column needs a second vector,
// and every operation is one loop without branches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/expressions/field.h"

namespace dp::query {

// The missing value: for whole numbers the least one, which valid cells never reach; for reals any
// NaN.
inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
inline constexpr double kNoReal = std::numeric_limits<double>::quiet_NaN();

// Batch size in rows, small enough that several columns fit the cache.
inline constexpr std::size_t kQueryBatch = 2048;

// Only one of the two vectors is used, depending on the field's type.
struct Cells {
  std::vector<std::int64_t> wholes;
  std::vector<double> reals;
};

inline bool in_reals(const Field& field) { return field.type == FieldType::real; }

// The bits of a cell, unique for each value: missing cells have one form, and so does zero.
inline std::uint64_t word_of(std::int64_t whole) { return static_cast<std::uint64_t>(whole); }
inline std::uint64_t word_of(double real) {
  if (!(real == real)) real = kNoReal;
  if (real == 0) real = 0;
  std::uint64_t word;
  std::memcpy(&word, &real, sizeof word);
  return word;
}
inline std::int64_t whole_in_word(std::uint64_t word) { return static_cast<std::int64_t>(word); }
inline double real_in_word(std::uint64_t word) {
  double real;
  std::memcpy(&real, &word, sizeof real);
  return real;
}

// Columns have the same positions as their fields. A column that is not needed is empty.
struct RowBatch {
  std::size_t size = 0;
  std::vector<Cells> columns;

  // For rows of people: the words of each row's id, `id_width` per row, and their hash.
  std::size_t id_width = 0;
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> id_hashes;
  // Number of rows of this person that truncate() dropped; empty if no tally needs it.
  std::vector<std::uint64_t> dropped;
};

// Selects the rows at these positions, with repetitions.
void take_rows(RowBatch& batch, const std::vector<std::uint32_t>& rows);

}  // namespace dp::query

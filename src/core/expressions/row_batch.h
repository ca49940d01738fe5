// Some rows of a query, column by column, as expressions read and write them.
//
// A cell is a whole number (logical, integer, date, the place of a level, the number of a text) or
// a real one. One value of each kind says that there is none: so no column needs a second vector,
// and every operation is one loop without branches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/expressions/field.h"

namespace dp::query {

// No value: of wholes this one, which no value reaches; of reals any NaN.
inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
inline constexpr double kNoReal = std::numeric_limits<double>::quiet_NaN();

// Rows that are worked on at a time: some columns of so many stay in the cache.
inline constexpr std::size_t kQueryBatch = 2048;

// One of the two is used, as the type of the field says.
struct Cells {
  std::vector<std::int64_t> wholes;
  std::vector<double> reals;
};

inline bool in_reals(const Field& field) { return field.type == FieldType::real; }

// The bits of a cell, one for each value: no value has one form, and so has 0.
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

// Columns stand at the places of the fields that describe them; one that nobody needs is empty.
struct RowBatch {
  std::size_t size = 0;
  std::vector<Cells> columns;

  // Of rows that belong to people: the words of each row's id, `id_width` of them, and a hash of
  // them.
  std::size_t id_width = 0;
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> id_hashes;
  // How many rows of the row's person truncate() has dropped; empty if nobody counts them.
  std::vector<std::uint64_t> dropped;
};

// The rows at these places, each as often as it stands there.
void take_rows(RowBatch& batch, const std::vector<std::uint32_t>& rows);

}  // namespace dp::query

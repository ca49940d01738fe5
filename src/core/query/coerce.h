// Reads private columns so that they satisfy their declarations, for any contents.
//
// A declaration is enforced, because later steps rely on it for every possible table. Numbers
// outside of their bounds, and infinite ones, are clamped or become missing, depending on the
// field. Fractions of whole numbers are rounded or become missing, also depending on the field. A
// missing value, a NaN and a date outside the years 1 to 9999 are missing. A text is missing if it
// is not a level or day, is neither UTF-8 nor in the declared encoding, or holds a zero byte. The
// field's fill then replaces missing values. A date has no time of day.
//
// Each cell depends only on its own row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/query/decode.h"
#include "core/query/ranks.h"
#include "core/query/rows.h"

namespace dp::query {

class CellClasses;

// A declared column of the data.
class FieldReader {
 public:
  // Throws source, naming the column, if it is stored as a different type than declared. Copies
  // texts that are not `lasting`.
  FieldReader(const Field& field, const QueryColumn& column, TextPool& texts, bool lasting = true);

  // Name of the column in the data.
  const std::string& name() const { return data_column(field_); }

  // Continues with other rows of the column. Throws source if they are stored differently.
  void take(const QueryColumn& column, TextPool& texts);

  // Reads rows begin, ..., begin + size - 1.
  void read(std::size_t begin, std::size_t size, Cells& to) const;

 private:
  using Rows = std::pair<std::size_t, std::size_t>;  // the first one, and how many

  void read_from(const QueryColumn& column, const Rows& rows, Cells& to) const;
  void read_wholes(const QueryColumn& column, const Rows& rows, std::int64_t* to) const;
  void read_reals(const QueryColumn& column, const Rows& rows, double* to) const;
  void read_levels(const QueryColumn& column, const Rows& rows, std::int64_t* to) const;

  void read_labels(TextPool& texts);
  std::int64_t held_day(std::string_view text) const;
  void fill(Cells& cells) const;

  Field field_;
  bool lasting_;
  QueryColumn::Kind kept_;
  const QueryColumn* column_;  // outlives the reader, or is replaced
  std::int64_t lower_, upper_;
  double real_lower_, real_upper_;
  std::vector<std::int64_t> of_label_;  // the place of a level, or the number of a text
  std::vector<std::pair<std::int64_t, std::int64_t>> of_whole_;  // of levels: value and place
  std::shared_ptr<CellClasses> classes_;                         // of a column of classes
};

// Reads a column that names people, unchanged: two values are equal if and only if their words are
// equal. Values are neither clamped nor rounded, because that could merge two people. Bytes that
// are not valid text are compared as bytes, so every person is kept.
class IdReader {
 public:
  IdReader(const QueryColumn& column, TextPool& texts, bool lasting = true);

  const std::string& name() const { return name_; }
  void take(const QueryColumn& column, TextPool& texts);

  // Puts the words of rows begin, ..., begin + size - 1 into every `stride`-th of `words`, and
  // makes `there` 0 for rows without a value.
  void read(std::size_t begin,
            std::size_t size,
            std::uint64_t* words,
            std::size_t stride,
            std::uint8_t* there) const;

  IdKind kind() const;

 private:
  std::string name_;
  bool lasting_;
  QueryColumn::Kind kept_;
  const QueryColumn* column_;  // outlives the reader, or is replaced
  std::vector<std::int64_t> of_label_;
};

}  // namespace dp::query

// Private columns as their declarations say, whatever they hold.
//
// A declaration is enforced, not believed: what every later step relies on must hold of every table
// that could be. Numbers outside of their bounds are clamped or have no value, infinite ones too,
// as the field says, which also says whether fractions of whole numbers are rounded or have no
// value. There is no value where there is none in the data, where a number is NaN, where a date
// lies beyond the years 1 to 9999, where a text is no level or no day, is neither UTF-8 nor in the
// declared encoding, or holds a zero byte; then the field's fill takes its place. A date has no
// time of day.
//
// Each cell depends on its own row alone.
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
  // Throws source, naming the column, if it is kept as another type than the declared one.
  // Texts that are not `lasting` are copied.
  FieldReader(const Field& field, const QueryColumn& column, TextPool& texts, bool lasting = true);

  // That of the data.
  const std::string& name() const { return data_column(field_); }

  // Other rows of the column. Throws source if they are kept in another way.
  void take(const QueryColumn& column, TextPool& texts);

  // Rows begin, ..., begin + size - 1.
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

// A column that names people, as it is: equal words, and no others, are equal values. It is neither
// clamped nor rounded, which would make one person of two. Bytes that are no text are compared as
// bytes, so nobody is lost.
class IdReader {
 public:
  IdReader(const QueryColumn& column, TextPool& texts, bool lasting = true);

  const std::string& name() const { return name_; }
  void take(const QueryColumn& column, TextPool& texts);

  // Puts the words of rows begin, ..., begin + size - 1 into every `stride`-th of `words`, and
  // makes `there` 0 for those without a value.
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

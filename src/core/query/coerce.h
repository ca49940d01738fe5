// Private columns as their declarations say, whatever they hold.
//
// A declaration is enforced, not believed: what every later step relies on must hold of every table
// that could be. Numbers outside of their bounds are clamped, infinite ones too. There is no value
// where there is none in the data, where a number is NaN, where a whole number has a fraction,
// where a date lies beyond the years 1 to 9999, where a text is no level that was declared, no
// UTF-8 or holds a zero byte. A date has no time of day.
//
// Each cell depends on its own row alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/query/ranks.h"
#include "core/query/rows.h"

namespace dp::query {

// Whether bytes are a text that all engines know: UTF-8 without a zero.
bool is_plain_text(std::string_view bytes);

// A declared column of the data.
class FieldReader {
 public:
  // Throws source, naming the column, if it is kept as another type than the declared one.
  // Texts that are not `lasting` are copied.
  FieldReader(const Field& field, const QueryColumn& column, TextPool& texts, bool lasting = true);

  const std::string& name() const { return field_.name; }

  // Other rows of the column. Throws source if they are kept in another way.
  void take(const QueryColumn& column, TextPool& texts);

  // Rows begin, ..., begin + size - 1.
  void read(std::size_t begin, std::size_t size, Cells& to) const;

 private:
  void read_wholes(std::size_t begin, std::size_t size, std::int64_t* to) const;
  void read_reals(std::size_t begin, std::size_t size, double* to) const;
  void read_levels(std::size_t begin, std::size_t size, std::int64_t* to) const;

  void read_labels(TextPool& texts);

  Field field_;
  bool lasting_;
  QueryColumn::Kind kept_;
  const QueryColumn* column_;  // outlives the reader, or is replaced
  std::int64_t lower_, upper_;
  double real_lower_, real_upper_;
  std::vector<std::int64_t> of_label_;  // the place of a level, or the number of a text
  std::vector<std::pair<std::int64_t, std::int64_t>> of_whole_;  // of levels: value and place
};

// A column that names people, as it is: equal words, and no others, are equal values. It is neither
// clamped nor rounded, which would make one person of two.
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

// Classifies the cells of a column by how they fit its declaration. Each cell has one class, which
// depends only on its own row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/expressions/field.h"
#include "core/expressions/text_pool.h"
#include "core/query/coerce.h"
#include "core/query/rows.h"

namespace dp::query {

enum class CellClass : std::uint8_t {
  fits,
  missing,     // no value, NaN, or a code for a missing value
  unknown,     // a text or a number that is not a level
  below,       // a number or date below its bounds
  above,       // a number or date above its bounds
  undecodable  // a value that cannot be read as one of the declared type
};
// In the order of the classes.
constexpr const char* kCellClassNames[] = {
    "fits", "missing", "unknown", "below", "above", "undecodable"};

// A column of classes: whole numbers, never missing. Classifies the cells of `declared.name`.
Field classes_of(Field declared, const std::string& name);

// The declaration under which a cell has a value if and only if it fits. Without bounds all values
// fit.
Field as_key(Field declared);

class CellClasses {
 public:
  CellClasses(const Field& declared, const QueryColumn& column, TextPool& texts, bool lasting);

  void take(const QueryColumn& column, TextPool& texts);
  void read(std::size_t begin, std::size_t size, std::int64_t* to) const;

 private:
  CellClass class_of_text(std::string_view label, const MissingCodes& codes) const;
  CellClass class_beyond(const Cells& wide, std::size_t i) const;
  void read_labels();
  void read_texts(std::size_t begin, std::size_t size, std::int64_t* to) const;
  void read_numbers(std::size_t begin, std::size_t size, std::int64_t* to) const;

  Field declared_;
  FieldReader key_;   // has a value if the cell fits
  FieldReader wide_;  // the same without bounds
  const QueryColumn* column_;
  std::vector<std::int64_t> of_label_;
};

}  // namespace dp::query

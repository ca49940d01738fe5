// Text whose rows also have numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/data/column.h"

namespace dp {

// Rows with equal numbers have equal text. So a result that depends on each text separately, such
// as its count, needs every number and then one text per number. Numbers are addresses of interned
// strings, or indices in a list of labels. Several numbers can have one text, such as one text in
// two encodings.
class CodedText {
 public:
  virtual ~CodedText() = default;

  // The numbers, of type usize. Any thread may read them; they end with the rows of text.
  virtual ColumnPtr codes() const = 0;

  struct Texts {
    std::vector<std::string_view> views;
    bool distinct;  // whether it is known that no two are equal
  };

  // The text of each of `codes`, which must be distinct and come from the rows; valid as long as
  // the rows and as `buffer` keeps its text. For the calling thread only. Throws as reading such a
  // row would.
  virtual Texts texts(const std::vector<std::uint64_t>& codes, BatchBuffer& buffer) const = 0;
};

}  // namespace dp

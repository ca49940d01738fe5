// Text of which each row comes with a number.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/data/column.h"

namespace dp {

// Rows of equal numbers are of equal text, so that what depends on each text alone, such as its
// count, needs to look at every number and only then at one text per number: addresses of interned
// strings, places in a list of labels. Several numbers may stand for one text, as one text in two
// encodings does.
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

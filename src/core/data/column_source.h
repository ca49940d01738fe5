// What a column of a data frame holds.
#pragma once

#include <memory>

#include "core/data/column.h"

namespace dp {

class ColumnSource;
using ColumnSourcePtr = std::shared_ptr<const ColumnSource>;

// Rows of one type, or of whichever of several types they are asked for in: those of a factor are
// its labels, or their places among the levels. Which types there are is public.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;

  virtual std::size_t size() const = 0;

  // The type of the rows if nobody asks for another. Throws failed_cast if there is none.
  virtual AtomType type() const = 0;

  // The rows as rows of type `type`; null if they have no such form.
  virtual ColumnPtr as(AtomType type) const = 0;

  // A copy in memory that nobody else changes, or this if it is one.
  virtual ColumnSourcePtr owned() const = 0;
};

// `rows`, which have one type.
ColumnSourcePtr contents_of(ColumnPtr rows);

}  // namespace dp

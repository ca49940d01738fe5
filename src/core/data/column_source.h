// Content of a data frame column.
#pragma once

#include <memory>

#include "core/data/column.h"

namespace dp {

class ColumnSource;
using ColumnSourcePtr = std::shared_ptr<const ColumnSource>;

// Rows of one type, or of the requested one of several types: a factor has its labels, or their
// indices in the levels. The available types are public.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;

  virtual std::size_t size() const = 0;

  // Default type of the rows. Throws failed_cast if there is none.
  virtual AtomType type() const = 0;

  // The rows as rows of type `type`; null if they have no such form.
  virtual ColumnPtr as(AtomType type) const = 0;

  // A private copy in memory, or this if it is already one.
  virtual ColumnSourcePtr owned() const = 0;
};

// `rows`, which have one type.
ColumnSourcePtr contents_of(ColumnPtr rows);

}  // namespace dp

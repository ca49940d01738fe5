// Data frames: named columns, each read where it lies or made as it is read.
#pragma once

#include <utility>
#include <vector>

#include "core/data/column_source.h"
#include "core/domains/scalar.h"

namespace dp {

struct NamedColumn {
  NamedColumn(Scalar name_, ColumnSourcePtr contents_)
      : name(std::move(name_)), contents(std::move(contents_)) {}
  NamedColumn(Scalar name_, ColumnPtr rows)
      : NamedColumn(std::move(name_), contents_of(std::move(rows))) {}

  Scalar name;
  ColumnSourcePtr contents;
};

class Frame {
 public:
  // If several columns have one name, the last one stays. Names must be of the type `key`.
  Frame(AtomType key, std::vector<NamedColumn> columns);

  AtomType key() const { return key_; }
  const std::vector<NamedColumn>& columns() const { return columns_; }

  // The content of a column, and its rows of type `type`. Both throw failed_function if there is no
  // such column; the second throws failed_cast if its rows have a different type.
  const ColumnSourcePtr& column(const Scalar& name) const;
  ColumnPtr column(const Scalar& name, AtomType type) const;

  // A copy with `rows` in the column of this name, which must be there.
  Frame with(const Scalar& name, ColumnPtr rows) const;

 private:
  std::vector<NamedColumn>::const_iterator find(const Scalar& name) const;

  AtomType key_;
  std::vector<NamedColumn> columns_;
};

}  // namespace dp

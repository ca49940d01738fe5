// Data frames: named columns, each read where it lies or made as it is read.
#pragma once

#include <utility>
#include <vector>

#include "core/domains/scalar.h"
#include "core/engine/contents.h"

namespace dp {

struct Column {
  Column(Scalar name_, ContentsPtr contents_)
      : name(std::move(name_)), contents(std::move(contents_)) {}
  Column(Scalar name_, RowsPtr rows) : Column(std::move(name_), contents_of(std::move(rows))) {}

  Scalar name;
  ContentsPtr contents;
};

class Frame {
 public:
  // Of several columns with one name the last one stays. Names must be of the type `key`.
  Frame(AtomType key, std::vector<Column> columns);

  AtomType key() const { return key_; }
  const std::vector<Column>& columns() const { return columns_; }

  // What a column holds, and its rows as rows of type `type`. Throws failed_function if there is
  // none of this name; the second, failed_cast if its rows are not of this type.
  const ContentsPtr& column(const Scalar& name) const;
  RowsPtr column(const Scalar& name, AtomType type) const;

  // A copy with `rows` in the column of this name, which must be there.
  Frame with(const Scalar& name, RowsPtr rows) const;

 private:
  std::vector<Column>::const_iterator find(const Scalar& name) const;

  AtomType key_;
  std::vector<Column> columns_;
};

}  // namespace dp

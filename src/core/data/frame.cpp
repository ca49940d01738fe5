#include "core/data/frame.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dp {

Frame::Frame(AtomType key, std::vector<NamedColumn> columns) : key_(key) {
  for (NamedColumn& column : columns) {
    const auto same = find(column.name);
    if (same == columns_.end()) {
      columns_.push_back(std::move(column));
    } else {
      columns_[static_cast<std::size_t>(same - columns_.begin())].contents =
          std::move(column.contents);
    }
  }
}

std::vector<NamedColumn>::const_iterator Frame::find(const Scalar& name) const {
  return std::find_if(columns_.begin(), columns_.end(), [&](const NamedColumn& column) {
    return same_value(column.name, name);
  });
}

const ColumnSourcePtr& Frame::column(const Scalar& name) const {
  const auto found = find(name);
  if (found == columns_.end()) {
    throw Error(ErrorKind::failed_function, "arg has no column " + debug(name) + ".");
  }
  return found->contents;
}

ColumnPtr Frame::column(const Scalar& name, AtomType type) const {
  ColumnPtr rows = column(name)->as(type);
  if (rows == nullptr) {
    throw Error(ErrorKind::failed_cast,
                "column " + debug(name) + " must have the type Vec<" + dp::name(type) + ">.");
  }
  return rows;
}

Frame Frame::with(const Scalar& name, ColumnPtr rows) const {
  Frame out = *this;
  out.columns_[static_cast<std::size_t>(find(name) - columns_.begin())].contents =
      contents_of(std::move(rows));
  return out;
}

}  // namespace dp

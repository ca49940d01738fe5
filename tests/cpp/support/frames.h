// Data frames and columns of numbers for measurements of statistics.
#pragma once

#include <string>
#include <vector>

#include "core/data/frame.h"
#include "core/data/value.h"
#include "core/table/column_spec.h"

namespace dp::test {

using Doubles = std::vector<double>;

// Missing values are drawn from the whole range of the bounds.
inline ColumnSpec column(const std::string& name,
                         double lower = 0,
                         double upper = 10,
                         bool whole = false) {
  return {name, lower, upper, lower, upper, whole};
}

// Data frame with the columns x and y.
inline Value frame_of(const Doubles& x, const Doubles& y) {
  return std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{Scalar(std::string("x")), make_column(AtomType::f64, x)},
                               {Scalar(std::string("y")), make_column(AtomType::f64, y)}});
}

// The release of a measurement, if it is a vector of f64.
inline Doubles doubles_in(const Value& value) {
  const ColumnPtr rows = rows_in(value);
  BatchBuffer buffer;
  const Batch batch = rows->read(0, rows->size(), buffer);
  return {batch.as<double>(), batch.as<double>() + batch.size};
}

}  // namespace dp::test

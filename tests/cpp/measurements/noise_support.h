// Helpers that build and run additive noise.
#pragma once

#include <optional>
#include <vector>

#include "core/data/column.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/laplace.h"

namespace dp::test {

inline Domain scalars(AtomType type) { return non_nan_atom(type); }

inline Domain vectors(AtomType type, std::optional<std::uint64_t> size = std::nullopt) {
  return vector_of(non_nan_atom(type), size);
}

template <class T>
T release(const Measurement& measurement, T x) {
  return element_in<T>(measurement.invoke(Scalar(x)));
}

template <class T>
std::vector<T> release(const Measurement& measurement, const std::vector<T>& xs) {
  const AtomType type = row_domain(measurement.input_domain()).atom.type;
  const Value out = measurement.invoke(make_column(type, xs));
  const ColumnPtr& rows = rows_in(out);
  BatchBuffer buffer;
  const T* cells = rows->read(0, rows->size(), buffer).template as<T>();
  return std::vector<T>(cells, cells + rows->size());
}

inline double loss(const Measurement& measurement, const Scalar& d_in) {
  return number_in<double>(measurement.map(d_in));
}

}  // namespace dp::test

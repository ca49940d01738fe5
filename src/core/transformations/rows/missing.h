// Missing rows: nulls, and NaN in either representation.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/data/batch.h"
#include "core/domains/domain.h"

namespace dp {

template <class T>
bool is_missing(const Batch& in, std::size_t i) {
  if (in.valid != nullptr && in.valid[i] == 0) return true;
  if constexpr (std::is_floating_point_v<T>) {
    return in.as<T>()[i] != in.as<T>()[i];
  } else {
    return false;
  }
}

// The atom of rows that can be missing: options of any type, or floats. Throws `type` for others.
inline AtomDomain missing_atom(const Domain& input_domain) {
  const RowDomain rows = row_domain(input_domain);
  if (!rows.option && !is_float(rows.atom.type)) {
    throw Error(
        ErrorKind::type,
        "input_domain must be a vector of options or of floats, not " + debug(input_domain) + ".");
  }
  return rows.atom;
}

}  // namespace dp

// Names of columns.
#pragma once

#include <string>

#include "core/domains/domain.h"
#include "core/transformations/counts/hashable.h"

namespace dp {

// Throws `type` unless `key_type` can name columns (integers of at most 64 bits, bool, String),
// failed_cast, naming `what`, if `name` is not of that type.
inline void check_key(const Scalar& name, AtomType key_type, const char* what) {
  visit_hashable(key_type, [&](auto tag) { scalar_as<typename decltype(tag)::type>(name, what); });
}

// The type of the names of a domain of data frames. Throws failed_cast for any other domain.
inline AtomType key_type_of(const Domain& input_domain) {
  const auto* frame = input_domain.as<DataFrameDomain>();
  if (frame == nullptr) {
    throw Error(ErrorKind::failed_cast,
                "input_domain must be a DataFrameDomain, not " + debug(input_domain) + ".");
  }
  return frame->key;
}

}  // namespace dp

// One public or private element, in its carrier type.
#pragma once

#include <cstdint>
#include <string>

#include "core/domains/atom_type.h"
#include "core/one_of.h"

namespace dp {

using Scalar = OneOf<std::int8_t,
                     std::int16_t,
                     std::int32_t,
                     std::int64_t,
                     int128_t,
                     std::uint8_t,
                     std::uint16_t,
                     std::uint32_t,
                     std::uint64_t,
                     float,
                     double,
                     bool,
                     std::string>;

// The element of type T in `scalar`. Throws failed_cast, naming `what`, if another type is in it.
template <class T>
const T& scalar_as(const Scalar& scalar, const char* what) {
  const T* element = std::get_if<T>(&scalar);
  if (element == nullptr) {
    throw Error(ErrorKind::failed_cast, std::string(what) + " has another carrier type.");
  }
  return *element;
}

// Whether `scalar` has the C++ type that carries `type`.
bool carries(const Scalar& scalar, AtomType type);

bool is_nan(const Scalar& scalar);

// Values are equal when their types and values are; -0 equals +0, and NaN equals nothing.
bool same_value(const Scalar& a, const Scalar& b);

// Printed form of public bounds in domains: floats keep at least one decimal or an exponent (0.0,
// 1e16), integers are plain, strings are quoted.
std::string debug(const Scalar& scalar);

}  // namespace dp

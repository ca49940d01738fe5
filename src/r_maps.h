// Maps between R and the core.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "core/data/value.h"
#include "core/domains/atom_type.h"
#include "core/domains/scalar.h"
#include "r_integer64.h"

namespace dp::r {

// The name of a column or of an element as a key of type `type`: itself as String, TRUE and FALSE
// as bool, a number as integers; none if it does not stand for a key of this type.
std::optional<Scalar> key_from_name(SEXP name, AtomType type);

// Inverse of key_from_name(). The caller must PROTECT the result.
SEXP name_from_key(const Scalar& key);

// A map with keys and values of these types, from a hash table, a dp_map or a vector with names.
// Integers among the keys of a table may be text, as they come in. Throws failed_cast for anything
// else, and for keys and values of other types or missing.
MapPtr map_from_r(SEXP object, AtomType key, AtomType value);

// A dp_map: the keys in their order, and the values; 64-bit integers as r_integer64.h says.
SEXP map_to_r(const Map& map, Wide keys, Wide values);

}  // namespace dp::r

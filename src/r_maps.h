// Converts maps between R and the core.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "core/data/value.h"
#include "core/domains/atom_type.h"
#include "core/domains/scalar.h"
#include "r_integer64.h"

namespace dp::r {

// Parses the name of a column or of an element as a key of type `type`: String takes it unchanged,
// bool takes TRUE and FALSE, integers take a number. None if it is not a key of this type.
std::optional<Scalar> key_from_name(SEXP name, AtomType type);

// Inverse of key_from_name(). The caller must PROTECT the result.
SEXP name_from_key(const Scalar& key);

// Reads a map with keys and values of these types, from a hash table, a dp_map or a named vector.
// Integer keys of a table can be text. Throws failed_cast for anything else, and for keys and
// values that have a different type or are missing.
MapPtr map_from_r(SEXP object, AtomType key, AtomType value);

// A dp_map: the keys in their order, and the values; 64-bit integers as in r_integer64.h.
SEXP map_to_r(const Map& map, Wide keys, Wide values);

}  // namespace dp::r

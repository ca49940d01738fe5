// Canonical JSON of the core, and values of R.
#pragma once

#include <Rcpp.h>

#include "core/ledger/json.h"

namespace dp::r {

// Strings, whole numbers, and lists of them: with names an object, without an array. Throws
// ErrorKind::ledger for more than kMostDepth levels, and ErrorKind::failed_cast for other values.
Json json_from_r(SEXP object);

// Strings, doubles, and lists of them, with names for an object.
SEXP json_to_r(const Json& json);

}  // namespace dp::r

// Converts between the core's canonical JSON and R values.
#pragma once

#include <Rcpp.h>

#include "core/ledger/json.h"

namespace dp::r {

// Takes strings, whole numbers, and lists of them: named lists are objects, others arrays. Throws
// ErrorKind::ledger for more than kMostDepth levels, and ErrorKind::failed_cast for other values.
Json json_from_r(SEXP object);

// Returns strings, doubles, and lists of them, with names for an object.
SEXP json_to_r(const Json& json);

}  // namespace dp::r

// R vectors as rows of the core.
#pragma once

#include <Rcpp.h>

#include "core/domains/domain.h"
#include "core/engine/rows.h"

namespace dp::r {

// The rows of `vector`, read where they lie when R keeps them as the carrier type does, and
// converted block by block otherwise; `vector` must outlive them.
//
// i32 and the other integer types take integer vectors, i64 also bit64's integer64; f64 and f32
// take double vectors; bool takes logical vectors; String takes character vectors. Anything else,
// and any other class attribute, is failed_cast. A missing value is null for option rows and NaN
// for floats, else failed_cast when it is read.
RowsPtr rows_from_r(SEXP vector, AtomType type, bool option);

// The opposite. Integers of at most 31 bits and i32 become integer vectors, wider ones double
// vectors (nearest beyond 2^53), null rows NA.
SEXP rows_to_r(const Rows& rows);

}  // namespace dp::r

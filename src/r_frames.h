// Data frames between R and the core.
#pragma once

#include <Rcpp.h>

#include "core/data/value.h"

namespace dp::r {

// A data frame, which a tibble or a data.table is too, with names of type `key` (see
// key_from_name(); a column whose name stands for no key cannot be reached). Columns are read where
// they lie, as rows_from_r() says, in the type that they are asked for in; a column that no type
// takes is refused when it is asked for. Throws failed_cast for anything but a data frame, and if
// two columns share a name.
FramePtr frame_from_r(SEXP object, AtomType key);

// The rows of a data frame: asked of the attribute, so that no method of a class has a say.
std::size_t frame_rows(SEXP frame);

// A data frame with the columns in the type that comes first in row_type().
SEXP frame_to_r(const Frame& frame);

}  // namespace dp::r

// Converts data frames between R and the core.
#pragma once

#include <Rcpp.h>

#include "core/data/value.h"

namespace dp::r {

// Reads a data frame, which can be a tibble or a data.table, with names of type `key` (see
// key_from_name()). A column whose name is not a valid key is inaccessible. Columns are read in
// place, as in rows_from_r(), in the requested type. A column of an unsupported type raises an
// error when it is requested. Throws failed_cast for anything but a data frame, and if two columns
// share a name.
FramePtr frame_from_r(SEXP object, AtomType key);

// Number of rows of a data frame, read from the attribute so that no S3 method can change it.
std::size_t frame_rows(SEXP frame);

// A data frame whose columns have the first matching type of row_type().
SEXP frame_to_r(const Frame& frame);

}  // namespace dp::r

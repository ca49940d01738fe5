// R's text as rows of type String.
#pragma once

#include <Rcpp.h>

#include "core/data/column.h"

namespace dp::r {

// A settled() character vector, as UTF-8 views of R's strings. Only R's thread reads text other
// than ASCII, as in text_of(); invalid text is missing.
ColumnPtr text_rows(SEXP vector, bool option);

// The labels of a settled() factor. Labels are few and are copied; codes are read in place. The
// levels are read without S3 methods. A code without a level is missing, and so is a level that is
// not valid text. Throws failed_cast unless the levels are a character vector.
ColumnPtr label_rows(SEXP factor, bool option);

// Indices of labels among the levels, from 0 as all indices of the framework.
ColumnPtr place_rows(SEXP factor, bool option);

}  // namespace dp::r

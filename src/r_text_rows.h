// R's text as rows of type String.
#pragma once

#include <Rcpp.h>

#include "core/data/column.h"

namespace dp::r {

// A character vector, settled(): views of R's strings, in UTF-8. What is not ASCII is read by R's
// thread alone, as text_of() says; what is no text is missing.
ColumnPtr text_rows(SEXP vector, bool option);

// The labels of a factor, settled(), which are few and are copied; its codes are read where they
// lie. What the levels are is asked of no class. A code that is no place among them is missing, and
// so is one whose level is no text. Throws failed_cast unless the levels are a character vector.
ColumnPtr label_rows(SEXP factor, bool option);

// The places of labels among the levels, from 0 as all indices of the framework.
ColumnPtr place_rows(SEXP factor, bool option);

}  // namespace dp::r

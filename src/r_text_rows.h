// R's text as rows of type String.
#pragma once

#include <Rcpp.h>

#include "core/engine/rows.h"

namespace dp::r {

// A character vector: views of R's strings, in UTF-8. What is in another encoding is translated as
// it is read, by R's thread alone; bytes without one are failed_cast.
RowsPtr text_rows(SEXP vector, bool option);

// The labels of a factor, which are few and are copied; its codes are read where they lie.
RowsPtr label_rows(SEXP factor, bool option);

}  // namespace dp::r

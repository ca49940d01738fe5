// Settles vectors: their elements do not change between the check and the use.
#pragma once

#include <Rcpp.h>

namespace dp::r {

// Returns `vector` unchanged if R stores its elements in its own memory. Other vectors (ALTREP)
// compute elements on access: generated, in a file, or of a package's class. They can return
// different elements on a second read, so a plain copy is returned, with all attributes except
// names and dimensions. For a sequence, R's own sequence from its first element to its last is
// returned, which takes no memory and never changes. The caller must protect the result.
SEXP settled(SEXP vector);

}  // namespace dp::r

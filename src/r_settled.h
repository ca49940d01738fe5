// What is checked is what is used: vectors whose elements stay as they are.
#pragma once

#include <Rcpp.h>

namespace dp::r {

// `vector` itself if R keeps its elements in memory of its own. Else it is one that answers when it
// is asked (ALTREP): made up as it goes, lying in a file, or of a package's own class, it may
// answer otherwise the next time. Of such a vector this is a plain copy, with its attributes but
// names and dimensions; of a sequence R's own sequence from its first element to its last, which
// takes no memory and never changes. To be protected by the caller.
SEXP settled(SEXP vector);

}  // namespace dp::r

// Plain lists of R as forms of queries, and back. No attribute but names passes, either way.
#pragma once

#include <Rcpp.h>

#include "core/query/form.h"

namespace dp::r {

// Throws failed_cast for what is neither a bare vector nor a list of such. NULL among named
// elements is an element that is not there.
query::Form form_from_r(SEXP object);

SEXP form_to_r(const query::Form& form);

}  // namespace dp::r

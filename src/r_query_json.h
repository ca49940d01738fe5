// Converts between plain R lists and forms of queries. Keeps only the attribute names, both ways.
#pragma once

#include <Rcpp.h>

#include "core/query/form.h"

namespace dp::r {

// Throws failed_cast unless `object` is a bare vector or a list of such. NULL among named elements
// means an absent element.
query::Form form_from_r(SEXP object);

SEXP form_to_r(const query::Form& form);

}  // namespace dp::r

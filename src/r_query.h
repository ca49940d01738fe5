// Converts queries between R and the core: statements as plain lists, which R's verbs write. All of
// it is public.
//
// query = list(source, steps, by, keys, aggregates, outputs); elements have the names of the
// structures in core/query/statement.h. An expression is list(op = "column", name), list(op =
// "literal", value, type) or list(op, args). `type` is "date" for dates, which are days since
// 1970-01-01.
#pragma once

#include <Rcpp.h>

#include "core/query/query_plan.h"
#include "core/query/statement.h"

namespace dp::r {

// Throws failed_cast, naming the part, for lists of a different form.
query::Statement statement_from_r(const Rcpp::List& query);

// Takes list(epsilon) or list(rho), optionally with delta. Throws budget for anything else.
query::Loss loss_from_r(const Rcpp::List& loss);
Rcpp::List loss_to_r(const query::Loss& loss);

// A list of vectors: name, type, lower, upper, levels, may_be_missing.
Rcpp::List fields_to_r(const std::vector<query::Field>& fields);

}  // namespace dp::r

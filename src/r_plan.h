// The plan of an object: which step made it of which arguments. Its handle keeps it, as R data, and
// it outlives what the handle holds.
#pragma once

#include <Rcpp.h>

#include <string>

namespace dp::r {

// Lets `handle` keep `node`, a list, and the digest of its plan; NULL keeps nothing. The node is
// one of list(constructor, args), with `input` if what comes before stands for the first two
// arguments; list(part, of); list(d_in, of); list(statistic, args).
void keep_plan(SEXP handle, SEXP node);

// The digest of a node as raw bytes, NULL if an object in it has none.
SEXP node_digest(const Rcpp::List& node);

// The node, and beside it the digest as raw bytes; NULL if there is none.
SEXP node_of(SEXP handle);
SEXP digest_of(SEXP handle);

}  // namespace dp::r

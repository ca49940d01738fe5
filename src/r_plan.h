// The plan of an object: the step and the arguments that made it. Its handle keeps the plan as R
// data, and the plan outlives the object in the handle.
#pragma once

#include <Rcpp.h>

#include <string>

namespace dp::r {

// Stores `node`, a list, and the digest of its plan in `handle`; NULL stores nothing. The node is
// one of list(constructor, args), with `input` if a previous object replaces the first two
// arguments; list(part, of); list(d_in, of); list(statistic, args).
void keep_plan(SEXP handle, SEXP node);

// The digest of a node as raw bytes; NULL if an object in it has none.
SEXP node_digest(const Rcpp::List& node);

// The node, and its digest as raw bytes; NULL if there is none.
SEXP node_of(SEXP handle);
SEXP digest_of(SEXP handle);

}  // namespace dp::r

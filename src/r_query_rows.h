// Data frames of R as the private columns of a query.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/rows.h"
#include "core/query/statement.h"

namespace dp::r {

// The columns that `source` declares, and those that name people, each once.
std::vector<std::string> columns_of_source(const query::Source& source);

// The columns that `source` declares, and those that name people, read where they lie: logical,
// integer and double vectors, bit64's integer64, dates, character vectors and factors, and the
// labelled vectors of haven as what they label. A vector that might answer otherwise the next time
// is copied first (settled()); of a character vector each text is looked at once.
//
// A data frame is also a tibble or a data.table. Throws source, naming the column, for one that is
// not there, is there twice, is of another class, or is a matrix or a list: what a query reads of a
// frame is decided before it reads any element.
query::QueryRows query_rows_from_r(SEXP object, const query::Source& source);

// How query_rows_from_r() reads each column of a data frame: "logical", "whole", "real", "text",
// "date", or "other" if it does not. Throws source, naming the column, for what it would throw.
std::vector<std::string> frame_kinds_from_r(SEXP frame);

const char* name_of_kind(query::QueryColumn::Kind kind);

}  // namespace dp::r

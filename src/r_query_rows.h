// Reads R data frames as the private columns of a query.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/rows.h"
#include "core/query/statement.h"

namespace dp::r {

// The columns that `source` declares, and those that name people, each once.
std::vector<std::string> columns_of_source(const query::Source& source);

// Reads the columns that `source` declares, and those that name people, in place. Supported are
// logical, integer and double vectors, bit64's integer64, dates, character vectors and factors.
// haven's labelled vectors are read as their underlying type. If a vector could return different
// elements on a second read, it is copied first (settled()). Each text of a character vector is
// inspected only once.
//
// A data frame can also be a tibble or a data.table. Throws source, naming the column, if a column
// is absent, duplicated, of a different class, a matrix or a list. These checks precede the read of
// any element.
query::QueryRows query_rows_from_r(SEXP object, const query::Source& source);

// Says how query_rows_from_r() reads each column of a data frame: "logical", "whole", "real",
// "text", "date", or "other" if it does not. Throws source, naming the column, in the same cases.
std::vector<std::string> frame_kinds_from_r(SEXP frame);

const char* name_of_kind(query::QueryColumn::Kind kind);

}  // namespace dp::r

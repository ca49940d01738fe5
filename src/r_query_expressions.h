// Reads expressions and public tables of queries, with the names of core/expressions/expression.h
// and statement.h.
#pragma once

#include <Rcpp.h>

#include <cstddef>
#include <vector>

#include "core/expressions/expression.h"
#include "core/expressions/field.h"
#include "core/query/statement.h"

namespace dp::r {

constexpr double kMostDeclared = 2251799813685248;  // 2^51

query::FieldType type_at(const Rcpp::List& column);

// None if it is absent.
query::ExpressionPtr expression_at(const Rcpp::List& list, const char* name);

// Empty if it is absent.
std::vector<query::ExpressionPtr> expressions_at(const Rcpp::List& list, const char* name);

// Throws failed_cast if it is absent.
query::ExpressionPtr needed_expression(const Rcpp::List& list, const char* name);

// Reads one of several expressions, which share `calls_left` calls. Throws unsupported for more
// calls, before it reads them.
query::ExpressionPtr needed_expression(const Rcpp::List& list,
                                       const char* name,
                                       std::size_t& calls_left);

// The table of an element `table`; an empty one if it is absent.
query::PublicTable table_at(const Rcpp::List& list);

}  // namespace dp::r

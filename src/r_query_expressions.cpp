#include "r_query_expressions.h"

#include <cmath>
#include <string>
#include <utility>

#include "boundary.h"
#include "core/error.h"
#include "core/limits.h"
#include "r_query_lists.h"
#include "r_scalars.h"

namespace dp::r {

using namespace dp::query;  // NOLINT: this file speaks its language

namespace {

Literal literal_at(SEXP vector, R_xlen_t at, bool is_date) {
  Literal literal;
  if (TYPEOF(vector) == LGLSXP) {
    const int cell = LOGICAL(vector)[at];
    if (cell != NA_LOGICAL) literal.value = cell != 0;
  } else if (TYPEOF(vector) == INTSXP) {
    const int cell = INTEGER(vector)[at];
    if (cell != NA_INTEGER) literal.value = static_cast<std::int64_t>(cell);
  } else if (TYPEOF(vector) == REALSXP) {
    const double cell = REAL(vector)[at];
    if (!std::isnan(cell)) literal.value = cell;
  } else if (TYPEOF(vector) == STRSXP) {
    std::string room;
    if (const auto text = text_of(STRING_ELT(vector, at), room)) literal.value = std::string(*text);
  } else {
    refuse_query("literal");
  }
  if (!is_date) return literal;
  literal.is_date = true;
  if (const auto* days = std::get_if<double>(&literal.value)) {
    if (!(std::fabs(*days) <= kMostDeclared)) refuse_query("literal");
    literal.value = static_cast<std::int64_t>(std::floor(*days));
  }
  return literal;
}

ExpressionPtr expression_from_r(SEXP object, std::size_t depth, std::size_t& calls_left);

[[noreturn]] void refuse_values(const std::string& where) {
  throw Error(ErrorKind::unsupported,
              where + " must have at most " + std::to_string(limits::kCells) + " values.");
}

void take_call(std::size_t& calls_left) {
  if (calls_left == 0) {
    throw Error(ErrorKind::unsupported,
                "expressions must have at most " + std::to_string(limits::kPartsOfCode) +
                    " calls together. Compute a part of them in a step before.");
  }
  --calls_left;
}

// Limits recursion to `depth` calls.
Expression::Node node_from_r(const Rcpp::List& list, std::size_t depth, std::size_t& calls_left) {
  const std::string op = text_at(list, "op");
  if (op == "column") return ColumnReference{text_at(list, "name")};
  if (op == "literal") {
    const SEXP value = element(list, "value");
    if (Rf_xlength(value) != 1) refuse_query("literal");
    const SEXP type = element(list, "type");
    return literal_at(value, 0, !Rf_isNull(type) && string_from_r(type, "type") == "date");
  }
  if (depth >= limits::kNestedCalls) refuse_nesting();
  take_call(calls_left);
  Call call{op, {}};
  const Rcpp::List args = list_at(list, "args");
  if (static_cast<std::size_t>(args.size()) > limits::kCells + 1) refuse_values("a call");
  for (const SEXP arg : args) {
    call.args.push_back(expression_from_r(arg, depth + 1, calls_left));
  }
  return call;
}

ExpressionPtr expression_from_r(SEXP object, std::size_t depth, std::size_t& calls_left) {
  return std::make_shared<Expression>(
      node_from_r(list_in(object, "expression"), depth, calls_left));
}

}  // namespace

FieldType type_at(const Rcpp::List& column) {
  return choice_at<FieldType>(column, "type", kFieldTypeNames);
}

ExpressionPtr expression_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  std::size_t calls_left = limits::kPartsOfCode;
  return Rf_isNull(object) ? nullptr : expression_from_r(object, 0, calls_left);
}

std::vector<ExpressionPtr> expressions_at(const Rcpp::List& list, const char* name) {
  std::vector<ExpressionPtr> expressions;
  std::size_t calls_left = limits::kPartsOfCode;
  for (const SEXP object : list_at(list, name)) {
    expressions.push_back(expression_from_r(object, 0, calls_left));
  }
  return expressions;
}

ExpressionPtr needed_expression(const Rcpp::List& list, const char* name) {
  ExpressionPtr expression = expression_at(list, name);
  if (expression == nullptr) refuse_query(name);
  return expression;
}

ExpressionPtr needed_expression(const Rcpp::List& list, const char* name, std::size_t& calls_left) {
  const SEXP object = element(list, name);
  if (Rf_isNull(object)) refuse_query(name);
  return expression_from_r(object, 0, calls_left);
}

PublicTable table_at(const Rcpp::List& list) {
  PublicTable table;
  const SEXP object = element(list, "table");
  if (Rf_isNull(object)) return table;
  std::size_t size = 0;
  for (const SEXP each : list_at(list_in(object, "table"), "columns")) {
    const Rcpp::List column = list_in(each, "columns");
    Field field;
    field.name = text_at(column, "name");
    field.type = type_at(column);
    const SEXP values = element(column, "values");
    size += static_cast<std::size_t>(Rf_xlength(values));
    if (size > limits::kCells) refuse_values("a public table");
    std::vector<Literal> literals;
    for (R_xlen_t i = 0; i < Rf_xlength(values); ++i) {
      literals.push_back(literal_at(values, i, field.type == FieldType::date));
    }
    if (!table.columns.empty() && literals.size() != table.columns.front().size()) {
      refuse_query("table");
    }
    table.fields.push_back(std::move(field));
    table.columns.push_back(std::move(literals));
  }
  return table;
}

}  // namespace dp::r

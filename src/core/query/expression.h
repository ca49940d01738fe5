// Expressions over the columns of one row: a closed type, total on everything that columns can
// hold. The same tree is evaluated by the kernel and written as SQL.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/query/field.h"

namespace dp::query {

class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

// The operators, by R's names: "==", "!=", "<", "<=", ">", ">=", "&", "|", "!", "is.na",
// "coalesce", "if_else", "case_when", "%in%", "between", "pmin", "pmax", "abs", "cut", "year",
// "month", "day", "+", "-", "*", "/", "%/%", "%%". A literal is a logical, a 64-bit integer, a
// double (never NaN), a text, or missing.
struct ColumnReference {
  std::string name;
};
struct Literal {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  bool is_date = false;  // of a 64-bit integer
};
struct Call {
  std::string op;
  std::vector<ExpressionPtr> args;
};

class Expression {
 public:
  explicit Expression(std::variant<ColumnReference, Literal, Call> node) : node_(std::move(node)) {}
  const std::variant<ColumnReference, Literal, Call>& node() const { return node_; }

 private:
  std::variant<ColumnReference, Literal, Call> node_;
};

}  // namespace dp::query

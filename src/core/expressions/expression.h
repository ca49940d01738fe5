// Expressions over the columns of one row, total on all possible column contents. The set of node
// types is closed. The kernel evaluates the same tree that the SQL writers write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/expressions/field.h"
#include "core/one_of.h"

namespace dp::query {

// Throws unsupported because an expression is nested too deeply.
[[noreturn]] void refuse_nesting();

class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

// Operators, by R's names: "==", "!=", "<", "<=", ">", ">=", "&", "|", "!", "is.na", "coalesce",
// "if_else", "case_when", "%in%", "between", "pmin", "pmax", "abs", "cut", "year", "month", "day",
// "yday", "quarter", "wday", "week", "isoweek", "isoyear", "floor_date", "as.integer",
// "as.numeric", "+", "-", "*", "/", "%/%", "%%"; formulas also have "^", "log", "exp", "sqrt". A
// literal is a logical, a 64-bit integer, a double (never NaN), a text, or missing.
struct ColumnReference {
  std::string name;
};
struct Literal {
  OneOf<std::monostate, bool, std::int64_t, double, std::string> value;
  bool is_date = false;  // of a 64-bit integer
};
struct Call {
  std::string op;
  std::vector<ExpressionPtr> args;
};

// At most limits::kNestedCalls deep, so every function of a tree can recurse.
class Expression {
 public:
  using Node = OneOf<ColumnReference, Literal, Call>;

  // Throws unsupported for more than limits::kNestedCalls nested calls.
  explicit Expression(Node node);
  const Node& node() const { return node_; }

 private:
  Node node_;
  std::size_t nested_calls_;
};

}  // namespace dp::query

#include "core/expressions/expression.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/limits.h"

namespace dp::query {

Expression::Expression(Node node) : node_(std::move(node)), nested_calls_(0) {
  const auto* call = std::get_if<Call>(&node_);
  if (call == nullptr) return;
  for (const ExpressionPtr& arg : call->args) {
    nested_calls_ = std::max(nested_calls_, arg->nested_calls_);
  }
  if (++nested_calls_ > limits::kNestedCalls) refuse_nesting();
}

void refuse_nesting() {
  throw Error(ErrorKind::unsupported,
              "an expression must have at most " + std::to_string(limits::kNestedCalls) +
                  " calls within each other. Compute a part of it in a step before.");
}

}  // namespace dp::query

#include "core/expressions/expression.h"

#include <gtest/gtest.h>

#include "core/limits.h"
#include "support/expect_error.h"

namespace dp::test::expression_test {
namespace {

using query::Call;
using query::ColumnReference;
using query::Expression;
using query::ExpressionPtr;

ExpressionPtr column() { return std::make_shared<Expression>(ColumnReference{"x"}); }

ExpressionPtr sum(const ExpressionPtr& left, const ExpressionPtr& right) {
  return std::make_shared<Expression>(Call{"+", {left, right}});
}

TEST(Expression, HasNoMoreThan256CallsWithinEachOther) {
  ExpressionPtr left = column();
  ExpressionPtr right = column();
  for (std::size_t i = 0; i < limits::kNestedCalls; ++i) {
    left = sum(left, column());
    right = sum(column(), right);
  }
  for (const ExpressionPtr& deepest : {left, right}) {
    expect_error(ErrorKind::unsupported, [&] { sum(deepest, column()); });
    expect_error(ErrorKind::unsupported, [&] { sum(column(), deepest); });
  }
}

TEST(Expression, CountsTheDeepestOfItsArguments) {
  ExpressionPtr deep = column();
  for (std::size_t i = 1; i < limits::kNestedCalls; ++i) deep = sum(deep, column());
  EXPECT_NO_THROW(sum(deep, deep));
  EXPECT_NO_THROW(sum(column(), column()));
}

}  // namespace
}  // namespace dp::test::expression_test

// Values of several types are copied completely or not at all, whichever allocation fails.
#include "core/one_of.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/catalogue/constructor.h"
#include "core/data/value.h"
#include "core/ledger/json.h"
#include "core/metrics/distance.h"
#include "core/query/statement.h"
#include "support/ending_memory.h"

namespace dp::test::one_of_test {
namespace {

// Too long for the inline storage of a std::string.
const std::string kLong(100, 'x');

std::string show(const Scalar& scalar) { return debug(scalar); }
std::string show(const Distance& distance) { return debug(distance); }
std::string show(const Domain& domain) { return debug(domain); }
std::string show(const Json& json) { return to_text(json); }
std::string show(const Made& made) { return debug(std::get<Domain>(made)); }
std::string show(const query::Literal& literal) {
  const auto* text = std::get_if<std::string>(&literal.value);
  return text == nullptr ? std::string("no text") : *text;
}
std::string show(const query::Expression& expression) {
  const auto* column = std::get_if<query::ColumnReference>(&expression.node());
  return column == nullptr ? std::get<query::Call>(expression.node()).op : column->name;
}
std::string show(const query::Step& step) {
  const auto* select = std::get_if<query::Select>(&step);
  return select == nullptr ? std::get<query::Mutate>(step).name : select->columns[0].second;
}
std::string show(const Value& value) {
  if (const auto* tuple = value.as<Value::Tuple>()) {
    std::string all;
    for (const Value& part : *tuple) all += show(part);
    return all;
  }
  if (const auto* bits = value.as<Value::Bits>()) return std::to_string(bits->bytes.size());
  return debug(*value.as<Scalar>());
}

// Copies `value`, and assigns it to a copy of `other`, with increasing numbers of allocations.
// Returns the number of failures before success.
template <class T>
long copies_that_fail(const T& value, const T& other) {
  const std::string wanted = show(value);
  const std::string before = show(other);
  EXPECT_NE(wanted, before);
  long failed = 0;
  for (bool done = false; !done; failed += !done) {
    done = has_memory(failed, [&] { const T copy(value); });
    EXPECT_EQ(show(value), wanted);
  }
  for (long i = 0; i <= failed; ++i) {
    T target(other);
    const bool done = has_memory(i, [&] { target = value; });
    EXPECT_EQ(show(target), done ? wanted : before) << i;
    EXPECT_EQ(done, i == failed);
    EXPECT_EQ(show(value), wanted);
  }
  return failed;
}

TEST(OneOf, IsCopiedWhollyOrNotAtAllWhateverAllocationFails) {
  const Scalar text = kLong;
  EXPECT_EQ(copies_that_fail<Scalar>(text, 1.0), 1);
  EXPECT_EQ(copies_that_fail<Scalar>(text, std::string(50, 'y')), 1);
  const Distance tuple = Distance::Tuple{text, Distance::Tuple{text, Scalar(1)}};
  EXPECT_GE(copies_that_fail<Distance>(tuple, text), 4);
  const Value values = Value::Tuple{text, Value::Bits{{1, 2, 3}}, Value::Tuple{text}};
  EXPECT_GE(copies_that_fail<Value>(values, Value::Bits{{1}}), 5);
  const Json json = Json::Array{Json(kLong), Json::Array{Json(kLong), Json(1)}, Json().set("a", 1)};
  EXPECT_GE(copies_that_fail<Json>(json, Json(kLong)), 5);
}

TEST(OneOf, OfDomainsAndStatementsIsCopiedSo) {
  const Domain domain = UserDomain{kLong, nullptr, nullptr};
  EXPECT_EQ(copies_that_fail<Domain>(domain, default_atom(AtomType::f64)), 1);
  EXPECT_EQ(copies_that_fail<Made>(domain, Domain(default_atom(AtomType::f64))), 1);
  EXPECT_EQ(copies_that_fail<query::Literal>({kLong}, {std::int64_t{1}}), 1);
  using query::Expression;
  const Expression column(query::ColumnReference{"a"});
  const Expression call(query::Call{kLong, {std::make_shared<const Expression>(column)}});
  EXPECT_GE(copies_that_fail<Expression>(call, column), 2);
  EXPECT_GE(
      copies_that_fail<query::Step>(query::Select{{{kLong, kLong}}}, query::Mutate{"a", nullptr}),
      3);
}

TEST(OneOf, HoldsAFunctionAndTheOldValueUntilItHasTheNew) {
  struct Big {
    double numbers[20];
  };
  using Form = OneOf<int, std::function<double(double)>>;
  const Form function = [big = Big{{2}}](double x) { return x * big.numbers[0]; };
  Form target = 1;
  EXPECT_FALSE(has_memory(0, [&] { target = function; }));
  EXPECT_EQ(std::get<int>(target), 1);
  EXPECT_TRUE(has_memory(1, [&] { target = function; }));
  EXPECT_EQ(std::get<1>(target)(3), 6);
  EXPECT_TRUE(has_memory(0, [&] { target = 5; }));
  EXPECT_EQ(std::get<int>(target), 5);
}

TEST(OneOf, IsAssignedToItselfAndMovedWithoutMemory) {
  Scalar text = kLong;
  Scalar& alias = text;
  text = alias;
  EXPECT_EQ(std::get<std::string>(text), kLong);
  EXPECT_TRUE(has_memory(0, [&] {
    Scalar moved = std::move(text);
    text = std::move(moved);
  }));
  EXPECT_EQ(std::get<std::string>(text), kLong);
}

}  // namespace
}  // namespace dp::test::one_of_test

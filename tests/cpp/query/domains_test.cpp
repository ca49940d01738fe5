// The domain of an expression holds each value that the expression has for some row, and of simple
// expressions it holds no other.
#include "core/query/domains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/expressions/evaluate.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "query/query_tables.h"
#include "support/neighbours.h"
#include "support/tier.h"

namespace dp::test::domains_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language

constexpr int kFirstCode = 50001;

// Columns of few and of many values, each with the same name in both lists.
std::vector<Field> columns_of_size(bool many, bool many_codes) {
  Field flag = plain_field("f", FieldType::logical);
  flag.wholes = {0, 1};
  Field level = levels_field("g", {"a", "b", "c"});
  level.wholes = {0, 2};
  std::vector<std::string> codes;
  for (int i = 0; i < (many_codes ? 17000 : 50); ++i)
    codes.push_back(std::to_string(kFirstCode + i));
  Field code = levels_field("z", codes);
  code.whole_levels = true;
  code.wholes = {0, static_cast<std::int64_t>(codes.size()) - 1};
  Field day = plain_field("d", FieldType::date);
  day.wholes = {10000, many ? 40000 : 10060};
  return {flag,
          level,
          code,
          day,
          whole_field("m", -7, many ? 100000 : 8),
          whole_field("n", 0, many ? 123456 : 40),
          real_field("x", -3, 11)};
}

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  ExpressionPtr number(int depth) {
    if (depth == 0) {
      return random_.below(4) == 0 ? whole() : column_named(random_.pick<std::string>({"m", "n"}));
    }
    const ExpressionPtr of = number(depth - 1);
    switch (random_.below(12)) {
      case 0:
        return call(random_.pick<std::string>({"+", "-", "*"}), {of, number(depth - 1)});
      case 1:
        return call("*", {call("%/%", {of, divisor()}), divisor()});
      case 2:
        return call("%%", {of, divisor()});
      case 3: {
        const ExpressionPtr by = divisor();
        return call("-", {of, call("%%", {of, by})});
      }
      case 4:
        return call("round", {of, written_whole(-1 - static_cast<std::int64_t>(random_.below(3)))});
      case 5:
        return call("*", {call("floor", {call("/", {of, divisor()})}), divisor()});
      case 6:
        return call("if_else", {condition(depth - 1), of, number_or_missing()});
      case 7:
        return call("if_else", {condition(depth - 1), of, number(0), number(depth - 1)});
      case 8:
        return call(
            "case_when",
            {condition(0), of, condition(depth - 1), number(depth - 1), number_or_missing()});
      case 9:
        return call(random_.pick<std::string>({"coalesce", "pmin", "pmax"}), {of, number(0)});
      case 10:
        return call(random_.pick<std::string>({"abs", "-"}), {of});
      default:
        return call("ceiling", {real(depth - 1)});
    }
  }

  ExpressionPtr real(int depth) {
    if (depth == 0) {
      return random_.below(3) == 0 ? written(random_.below(2) == 0 ? 2.5 : 99.5)
                                   : column_named("x");
    }
    switch (random_.below(4)) {
      case 0:
        return call("if_else", {condition(depth - 1), real(depth - 1), written_missing()});
      case 1:
        return call("case_when", {real_condition(), real(0), real_condition(), real(0), real(0)});
      case 2:
        return call("+", {real(depth - 1), number(0)});
      default:
        return call("if_else", {real_condition(), column_named("x"), written(1.5)});
    }
  }

  ExpressionPtr condition(int depth) {
    if (depth > 0 && random_.below(3) == 0) {
      return call(random_.pick<std::string>({"&", "|"}),
                  {condition(depth - 1), condition(depth - 1)});
    }
    switch (random_.below(7)) {
      case 0:
        return call("between", {number(0), whole(), whole()});
      case 6:
        return call(random_.pick<std::string>({"<", "<=", ">", ">=", "==", "!="}),
                    {column_named("z"),
                     written_whole(kFirstCode + static_cast<std::int64_t>(random_.below(50)))});
      case 1:
        return call("is.na", {number(0)});
      case 2:
        return call("!", {call("%in%", {number(0), whole(), whole()})});
      case 3:
        return real_condition();
      case 4:
        return call("==", {column_named("g"), written_text(random_.pick<const char*>({"a", "b"}))});
      default:
        return call(random_.pick<std::string>({"<", "<=", ">", ">=", "==", "!="}),
                    {number(depth), whole()});
    }
  }

  Cells cells_of(const Field& field, std::size_t rows) {
    Cells cells;
    for (std::size_t i = 0; i < rows; ++i) {
      const bool missing = random_.below(8) == 0;
      if (in_reals(field)) {
        const auto [lower, upper] = *field.reals;
        const double at = lower + (upper - lower) * random_.unit();
        const double end = random_.below(2) == 0 ? lower : upper;
        cells.reals.push_back(missing ? kNoReal : random_.below(4) == 0 ? end : at);
      } else {
        const auto [lower, upper] = *field.wholes;
        const auto count = static_cast<std::uint64_t>(upper - lower + 1);
        const std::int64_t at = lower + static_cast<std::int64_t>(random_.below(count));
        const std::int64_t end = random_.below(2) == 0 ? lower : upper;
        cells.wholes.push_back(missing ? kNone : random_.below(4) == 0 ? end : at);
      }
    }
    return cells;
  }

  std::uint64_t below(std::uint64_t count) { return random_.below(count); }

 private:
  ExpressionPtr real_condition() {
    return call(random_.pick<std::string>({"<", "<=", ">", ">="}),
                {column_named("x"), written(static_cast<double>(random_.below(20)) - 6)});
  }
  // Some are beyond all values of a column.
  ExpressionPtr whole() {
    if (random_.below(8) == 0) return written_whole(200000);
    return written_whole(static_cast<std::int64_t>(random_.below(40)) - 8);
  }
  ExpressionPtr divisor() {
    return written_whole(random_.pick<std::int64_t>({2, 3, 5, 10, 12, -4, 1000}));
  }
  ExpressionPtr number_or_missing() {
    return random_.below(2) == 0   ? written_missing()
           : random_.below(2) == 0 ? written_whole(5000000)
                                   : number(0);
  }

  TestRandom random_;
};

bool holds(const Field& domain, const Cells& cells, std::size_t row) {
  if (in_reals(domain)) {
    const double value = cells.reals[row];
    if (!(value == value)) return domain.may_be_missing;
    return !domain.reals || (domain.reals->first <= value && value <= domain.reals->second);
  }
  const std::int64_t value = cells.wholes[row];
  if (value == kNone) return domain.may_be_missing;
  const bool within = !domain.wholes || domain.type == FieldType::levels ||
                      (domain.wholes->first <= value && value <= domain.wholes->second);
  return within && can_have(domain, value);
}

// Than under the first rules, which refuse some expressions.
bool is_narrower(const Field& domain, const Expression& of, const std::vector<Field>& fields) {
  try {
    const Field before = type_of(of, fields, Language::first_queries);
    return domain.places || domain.wholes != before.wholes || domain.reals != before.reals;
  } catch (const Error&) {
    return true;
  }
}

struct Outcome {
  int expressions = 0;
  int exceptions = 0;
  int narrowed = 0;
};

// `spoil` changes the derived domain of an expression before the comparison.
Outcome outcome_of(unsigned seed, int count, void (*spoil)(Field&)) {
  constexpr std::size_t kRows = 200;
  RandomExpressions random(seed);
  Outcome outcome;
  for (int i = 0; i < count; ++i) {
    const std::vector<Field> fields = columns_of_size(i % 2 == 0, i % 20 == 0);
    const int depth = 1 + static_cast<int>(random.below(3));
    const ExpressionPtr of = i % 5 == 0   ? random.condition(depth)
                             : i % 5 == 1 ? random.real(depth)
                                          : random.number(depth);
    Field domain;
    TextPool texts;
    BoundPtr bound;
    try {
      bound = bind_expression(*of, fields, texts);
      domain = domain_of(of, fields, {});
    } catch (const Error&) {
      continue;  // the result may leave the numbers that there are
    }
    ++outcome.expressions;
    if (is_narrower(domain, *of, fields)) ++outcome.narrowed;
    spoil(domain);
    RowBatch rows;
    rows.size = kRows;
    for (const Field& field : fields) rows.columns.push_back(random.cells_of(field, kRows));
    Cells room;
    const Cells& cells = evaluate(*bound, rows, room);
    for (std::size_t row = 0; row < kRows; ++row) {
      if (!holds(domain, cells, row)) ++outcome.exceptions;
    }
  }
  return outcome;
}

TEST(Domains, hold_all_values_of_random_nested_expressions) {
  for (unsigned seed = 1; seed <= in_tier(4u, 100u); ++seed) {
    const Outcome found = outcome_of(seed, 500, [](Field&) {});
    EXPECT_EQ(found.exceptions, 0) << seed;
    EXPECT_GT(found.expressions, 300);
    EXPECT_GT(found.narrowed, 100);
  }
}

TEST(Domains, T_MUT_bounds_steps_and_values_that_are_too_few_are_noticed) {
  const auto noticed = [](void (*spoil)(Field&)) { return outcome_of(3, 500, spoil).exceptions; };
  EXPECT_GT(noticed([](Field& domain) {
              if (domain.wholes && domain.wholes->first < domain.wholes->second) {
                --domain.wholes->second;
              }
            }),
            100);
  EXPECT_GT(noticed([](Field& domain) {
              if (domain.reals) domain.reals->first = domain.reals->second;
            }),
            100);
  EXPECT_GT(noticed([](Field& domain) {
              if (domain.steps && domain.steps->size > 0) ++domain.steps->offset;
            }),
            100);
  EXPECT_GT(noticed([](Field& domain) {
              if (domain.places && domain.places->size() > 1) domain.places->pop_back();
            }),
            100);
  EXPECT_GT(noticed([](Field& domain) { domain.may_be_missing = false; }), 100);
}

std::vector<std::int64_t> values_in_domain(const ExpressionPtr& of, bool many) {
  return values_of(domain_of(of, columns_of_size(many, false), {}));
}

TEST(Domains, of_simple_expressions_hold_no_other_values) {
  const ExpressionPtr n = column_named("n");
  const ExpressionPtr ten = written_whole(10);
  const ExpressionPtr decades[] = {
      call("*", {call("%/%", {n, ten}), ten}),
      call("-", {n, call("%%", {n, ten})}),
      call("*", {call("floor", {call("/", {n, ten})}), ten}),
      call("round", {n, written_whole(-1)}),
  };
  for (const ExpressionPtr& decade : decades) {
    EXPECT_EQ(values_in_domain(decade, false), (std::vector<std::int64_t>{0, 10, 20, 30, 40}));
    const std::vector<std::int64_t> many = values_in_domain(decade, true);
    EXPECT_EQ(many.size(), 12346 + (many.back() == 123460 ? 1 : 0));
    EXPECT_EQ(many.front(), 0);
    EXPECT_EQ(many[1], 10);
  }
  const ExpressionPtr third = call("+", {call("*", {written_whole(3), n}), written_whole(2)});
  EXPECT_EQ(values_in_domain(third, true).size(), 123457u);
  EXPECT_EQ(values_in_domain(call("%%", {call("*", {n, written_whole(4)}), ten}), true),
            (std::vector<std::int64_t>{0, 2, 4, 6, 8}));
}

TEST(Domains, of_choices_have_the_bounds_that_their_conditions_leave) {
  const ExpressionPtr n = column_named("n");
  const ExpressionPtr x = column_named("x");
  const auto wholes = [](const ExpressionPtr& of) {
    return *domain_of(of, columns_of_size(true, false), {}).wholes;
  };
  const auto reals = [](const ExpressionPtr& of) {
    return *domain_of(of, columns_of_size(true, false), {}).reals;
  };
  using Wholes = std::pair<std::int64_t, std::int64_t>;
  using Reals = std::pair<double, double>;
  const ExpressionPtr top = written_whole(500);
  const ExpressionPtr above = call(">", {n, top});
  EXPECT_EQ(wholes(call("if_else", {above, top, n})), Wholes(0, 500));
  EXPECT_EQ(wholes(call("if_else", {above, n, written_missing()})), Wholes(501, 123456));
  EXPECT_EQ(wholes(call("if_else", {above, top, n, written_whole(-1)})), Wholes(-1, 500));
  EXPECT_EQ(wholes(call("case_when", {above, top, n})), Wholes(0, 500));
  const ExpressionPtr high = call(">", {x, written(5.0)});
  EXPECT_EQ(reals(call("if_else", {high, x, written_missing()})), Reals(5, 11));
  EXPECT_EQ(
      reals(call("case_when", {high, written(5.0), call("<", {x, written(0.0)}), written(0.0), x})),
      Reals(0, 5));
  // A missing value fails a condition, too.
  const ExpressionPtr lacking = call("na_if", {n, written_whole(7)});
  const ExpressionPtr odd = call(">", {lacking, written_whole(9)});
  EXPECT_EQ(wholes(call("case_when", {odd, written_whole(3), n})), Wholes(0, 123456));
}

TEST(Domains, of_the_first_rules_have_neither_steps_nor_bounds_of_choices) {
  const std::vector<Field> fields = columns_of_size(true, false);
  const ExpressionPtr n = column_named("n");
  const ExpressionPtr ten = written_whole(10);
  const Field decade =
      type_of(*call("*", {call("%/%", {n, ten}), ten}), fields, Language::first_queries);
  EXPECT_FALSE(decade.steps);
  EXPECT_EQ(decade.wholes, (std::pair<std::int64_t, std::int64_t>(0, 123450)));
  const ExpressionPtr choice = call("if_else", {call(">", {n, ten}), n, written_missing()});
  EXPECT_FALSE(type_of(*choice, fields, Language::first_queries).wholes);
  EXPECT_TRUE(type_of(*choice, fields).wholes);
}

}  // namespace
}  // namespace dp::test::domains_test

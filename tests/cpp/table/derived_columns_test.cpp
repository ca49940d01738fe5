#include "core/table/derived_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "query/query_tables.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/neighbours.h"
#include "support/tier.h"

namespace dp::test::derived_columns_test {
namespace {

using query::ExpressionPtr;
using Text = std::optional<std::string>;

// x and z are numbers, k has integer levels, g has string levels.
std::vector<SourceColumn> sources() {
  return {{column("x", -2, 3), {}},
          {column("z", 0.5, 4), {}},
          {column("k", 0, 2, true), {"10", "20", "35"}, true},
          {column("g", 0, 2, true), {"A", "B", "C"}}};
}

struct Row {
  double x, z, k;
  Text g;
};

Value frame_of_rows(const std::vector<Row>& rows) {
  Doubles x, z, k;
  auto g = std::make_shared<OwnedColumn<std::string>>(AtomType::string, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    x.push_back(rows[i].x);
    z.push_back(rows[i].z);
    k.push_back(rows[i].k);
    g->cells()[i] = g->keep(rows[i].g.value_or(""));
    if (!rows[i].g) g->valid()[i] = 0;
  }
  return std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{Scalar(std::string("x")), make_column(AtomType::f64, x)},
                               {Scalar(std::string("z")), make_column(AtomType::f64, z)},
                               {Scalar(std::string("k")), make_column(AtomType::f64, k)},
                               {Scalar(std::string("g")), ColumnPtr(g)}});
}

const ExpressionPtr kX = column_named("x");
const ExpressionPtr kZ = column_named("z");

RowProgram program_of(const std::vector<ExpressionPtr>& terms) {
  std::vector<DerivedTerm> named;
  for (const ExpressionPtr& term : terms) {
    named.push_back({"t" + std::to_string(named.size()), term});
  }
  return RowProgram(sources(), named);
}

std::vector<Doubles> columns_in(const Value& value) {
  std::vector<Doubles> all;
  for (const NamedColumn& each : frame_in(value)->columns()) {
    all.push_back(doubles_in(each.contents->as(AtomType::f64)));
  }
  return all;
}

std::vector<Doubles> derived(const std::vector<ExpressionPtr>& terms,
                             const std::vector<Row>& rows,
                             SourceGaps gaps = SourceGaps::kept) {
  return columns_in(make_derive_columns(program_of(terms), gaps).invoke(frame_of_rows(rows)));
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same(const Doubles& found, const Doubles& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(same(found[i], expected[i])) << found[i] << " at " << i;
  }
}

TEST(DerivedColumns, AreComputedOfWhatSourcesAreWithinTheirBounds) {
  const std::vector<Row> rows{{1, 2, 10, "A"}, {9, 1, 20, "C"}, {-kInf, 4, 35, "B"}};
  const auto all = derived({call("^", {kX, written(2.0)}),
                            call("*", {kX, kZ}),
                            call(">", {kX, written(1.5)}),
                            call("==", {column_named("g"), written_text("C")}),
                            call("==", {column_named("k"), written(20.0)})},
                           rows);
  expect_same(all[0], {1, 9, 4});
  expect_same(all[1], {2, 3, -8});
  expect_same(all[2], {0, 1, 0});
  expect_same(all[3], {0, 1, 0});
  expect_same(all[4], {0, 1, 0});
}

TEST(DerivedColumns, OfARowThatLacksAValueOrHasNoFiniteOneAreMissing) {
  const std::vector<Row> rows{
      {kNaN, 1, 10, "A"}, {1, 1, 11, std::nullopt}, {0, 1, kNaN, "D"}, {2, kNaN, 10, "B"}};
  const auto all = derived({kX,
                            call("log", {kX}),
                            call("/", {written(1.0), kX}),
                            call("==", {column_named("g"), written_text("A")}),
                            call("==", {column_named("k"), written(10.0)})},
                           rows);
  expect_same(all[0], {kNaN, 1, 0, 2});
  expect_same(all[1], {kNaN, 0, kNaN, all[1][3]});
  expect_same(all[2], {kNaN, 1, kNaN, 0.5});
  expect_same(all[3], {1, kNaN, kNaN, 0});
  expect_same(all[4], {1, kNaN, kNaN, 1});
}

// 2,000 draws of three levels: 667 of each, up to 7 standard deviations.
TEST(DerivedColumns, SeeOneDrawOfAnImputedValueWhereverItStands) {
  const std::vector<Row> rows(2000, {kNaN, 1, kNaN, std::nullopt});
  const ExpressionPtr g = column_named("g");
  const auto all = derived({kX,
                            call("^", {kX, written(2.0)}),
                            call("==", {g, written_text("A")}),
                            call("==", {g, written_text("B")}),
                            call("==", {g, written_text("C")})},
                           rows,
                           SourceGaps::imputed);
  double count[3] = {};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(-2 <= all[0][i] && all[0][i] <= 3);
    EXPECT_EQ(all[1][i], all[0][i] * all[0][i]);
    EXPECT_EQ(all[2][i] + all[3][i] + all[4][i], 1);
    for (std::size_t level = 0; level < 3; ++level) count[level] += all[2 + level][i];
  }
  for (const double each : count) EXPECT_NEAR(each, 667, 148);
}

TEST(DerivedColumns, PublicRowsAreTakenAsTheyAre) {
  const RowProgram program = program_of({kX, call("==", {column_named("g"), written_text("A")})});
  const FramePtr terms =
      program.derived_as_given(*frame_in(frame_of_rows({{99, 1, 10, "A"}, {kNaN, 1, 10, "Z"}})));
  const auto all = columns_in(terms);
  expect_same(all[0], {99, kNaN});
  expect_same(all[1], {1, kNaN});
}

// Random formulas over the whole language --------------------------------------------------------

class RandomTerms {
 public:
  explicit RandomTerms(std::uint64_t seed) : random_(seed) {}

  // A term that has a type.
  ExpressionPtr term() {
    for (;;) {
      const ExpressionPtr one = number(3);
      try {
        program_of({one});
        return one;
      } catch (const Error&) {
      }
    }
  }

 private:
  ExpressionPtr constant() { return written(0.25 * static_cast<double>(random_.below(24)) - 2.0); }

  ExpressionPtr condition(int depth) {
    switch (random_.below(4)) {
      case 0:
        return call("==", {column_named("g"), written_text(random_.below(2) == 0 ? "A" : "C")});
      case 1:
        return call("!=", {column_named("k"), written(20.0)});
      case 2:
        return call("!", {call("&", {condition(0), condition(0)})});
      default:
        return call(random_.pick<std::string>({"<", "<=", ">", ">="}),
                    {number(depth - 1), constant()});
    }
  }

  ExpressionPtr number(int depth) {
    if (depth <= 0) return random_.below(2) == 0 ? kX : kZ;
    switch (random_.below(8)) {
      case 0:
        return call("^", {number(depth - 1), written(static_cast<double>(random_.below(6)) - 1)});
      case 1:
        return call(random_.pick<std::string>({"log", "exp", "sqrt", "abs"}), {number(depth - 1)});
      case 2:
        return call(random_.pick<std::string>({"pmin", "pmax"}), {number(depth - 1), constant()});
      case 3:
        return condition(depth);
      case 4:
        return call("/", {number(depth - 1), number(depth - 1)});
      case 5:
        return number(0);
      default:
        return call(random_.pick<std::string>({"+", "-", "*"}),
                    {number(depth - 1), random_.below(2) == 0 ? constant() : number(depth - 1)});
    }
  }

  TestRandom random_;
};

Row random_row(TestRandom& random) {
  const auto number = [&](double lower, double upper) {
    const Doubles odd{kNaN, kInf, -kInf, 0, lower, upper, 1e300, -1e-300};
    return random.below(3) == 0 ? random.pick(odd) : lower + (upper - lower) * random.unit();
  };
  return {number(-2, 3),
          number(0.5, 4),
          random.pick<double>({10, 20, 35, 11, kNaN}),
          random.pick<Text>({"A", "B", "C", "D", std::nullopt})};
}

using Derive = std::function<Value(const RowProgram&, const Value&)>;
using KnownBounds = std::vector<std::optional<std::pair<double, double>>>;

// Number of times, in random frames, that a replaced row moved another row's terms or a term left
// its bounds.
int violations(const Derive& derive, const std::function<KnownBounds(const RowProgram&)>& known) {
  TestRandom random(11);
  RandomTerms terms(12);
  int count = 0;
  for (int formula = 0; formula < in_tier(300, 30000); ++formula) {
    const RowProgram program = program_of({terms.term(), terms.term(), terms.term()});
    const KnownBounds bounds = known(program);
    std::vector<Row> rows;
    for (int i = 0; i < 6; ++i) rows.push_back(random_row(random));
    const std::size_t replaced = random.below(rows.size());
    const auto before = columns_in(derive(program, frame_of_rows(rows)));
    rows[replaced] = random_row(random);
    const auto after = columns_in(derive(program, frame_of_rows(rows)));
    for (std::size_t t = 0; t < before.size(); ++t) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i != replaced && !same(before[t][i], after[t][i])) ++count;
        const double y = after[t][i];
        const bool held = !bounds[t] || (bounds[t]->first <= y && y <= bounds[t]->second);
        if (std::isinf(y) || (!std::isnan(y) && !held)) ++count;
      }
    }
  }
  return count;
}

Value honest(const RowProgram& program, const Value& frame) {
  return make_derive_columns(program, SourceGaps::kept).invoke(frame);
}

KnownBounds own_bounds(const RowProgram& program) { return program.bounds(); }

TEST(DerivedColumns, OfRandomFormulasMoveWithTheirOwnRowAndStayWithinTheirBounds) {
  EXPECT_EQ(violations(honest, own_bounds), 0);
}

TEST(DerivedColumns, MutantsAreCaught) {
  // Mutant: a term centred at its mean.
  const Derive centred = [](const RowProgram& program, const Value& frame) -> Value {
    std::vector<NamedColumn> columns;
    for (Doubles& each : columns_in(honest(program, frame))) {
      double sum = 0;
      for (const double y : each) sum += std::isnan(y) ? 0 : y;
      for (double& y : each) y -= sum / static_cast<double>(each.size());
      columns.emplace_back(Scalar(std::to_string(columns.size())),
                           make_column(AtomType::f64, each));
    }
    return std::make_shared<const Frame>(AtomType::string, std::move(columns));
  };
  EXPECT_GT(violations(centred, [](const RowProgram& p) { return KnownBounds(p.bounds().size()); }),
            0);
  // Mutant: sources that are not clamped.
  const Derive unclamped = [](const RowProgram& program, const Value& frame) -> Value {
    return program.derived_as_given(*frame_in(frame));
  };
  EXPECT_GT(violations(unclamped, own_bounds), 0);
  // Mutant: bounds that are slightly too narrow.
  const auto narrow = [](const RowProgram& program) {
    KnownBounds bounds = program.bounds();
    for (auto& each : bounds) {
      if (each) each->second -= 1e-9 * (each->second - each->first);
    }
    return bounds;
  };
  EXPECT_GT(violations(honest, narrow), 0);
}

TEST(DerivedColumns, CostWhatTheirRowsCost) {
  const Transformation derive = make_derive_columns(program_of({kX}), SourceGaps::imputed);
  for (const std::uint32_t rows : {0U, 1U, 7U}) {
    EXPECT_EQ(number_in<std::uint32_t>(derive.map(Distance(Scalar(rows)))), rows);
  }
}

TEST(DerivedColumns, ProgramsThatSayTooLittleAreRefused) {
  const auto refused = [](ErrorKind kind, const std::function<void()>& body) {
    expect_error(kind, body);
  };
  const ErrorKind made = ErrorKind::make_transformation;
  refused(made, [] { RowProgram(sources(), {{"t", kX}, {"t", kZ}}); });
  refused(made, [] { program_of({column_named("g")}); });
  refused(made, [] { RowProgram({{column("g", 0, 1, true), {"A", "A"}}}, {}); });
  refused(made, [] { RowProgram({{column("g", 0, 2, true), {"A", "B"}}}, {}); });
  refused(ErrorKind::domain, [] { program_of({column_named("nowhere")}); });
  refused(ErrorKind::unsupported, [] { program_of({call("mean", {kX})}); });
  // Columns of different lengths do not form a data frame.
  const Value uneven = std::make_shared<const Frame>(
      AtomType::string,
      std::vector<NamedColumn>{{Scalar(std::string("x")), make_column(AtomType::f64, Doubles{1})},
                               {Scalar(std::string("y")), make_column(AtomType::f64, Doubles{})}});
  const RowProgram both({{column("x"), {}}, {column("y"), {}}}, {{"t", kX}});
  expect_error(ErrorKind::failed_function,
               [&] { make_derive_columns(both, SourceGaps::kept).invoke(uneven); });
}

}  // namespace
}  // namespace dp::test::derived_columns_test

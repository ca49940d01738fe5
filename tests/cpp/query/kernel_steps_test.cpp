// Joins with public tables and summaries of people, as the kernel runs them, against a plain
// reference. Both give the same integers on hostile tables, for any chunks and order.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/query/kernel.h"
#include "query/plain_steps.h"
#include "query/random_tables.h"
#include "support/neighbours.h"
#include "support/tier.h"

namespace dp::test::kernel_steps_test {
namespace {

using namespace random_tables;

using How = JoinPublic::How;
using Total = PerUnitValue::Kind;

struct Steps {
  std::vector<Step> steps;  // steps on rows, and per_unit
  std::optional<Truncate> caps;
  std::vector<std::string> by;
  std::vector<ExactAggregate> tallies;
  PlainTable table;
};

const ExpressionPtr& is_absent() {
  static const ExpressionPtr expression = call("is.na", {number_column()});
  return expression;
}
const ExpressionPtr& is_positive() {
  static const ExpressionPtr expression = call(">", {number_column(), written_whole(0)});
  return expression;
}

const PlainOperands& operands() {
  static const PlainOperands all{
      {amount_column(), [](const PlainRow& row) { return row.at("x"); }},
      {number_column(), [](const PlainRow& row) { return row.at("n"); }},
      {is_absent(),
       [](const PlainRow& row) -> Cell { return std::int64_t{is_missing(row.at("n"))}; }},
      {is_positive(), [](const PlainRow& row) -> Cell {
         if (is_missing(row.at("n"))) return {};
         return std::int64_t{std::get<std::int64_t>(row.at("n")) > 0};
       }}};
  return all;
}

class RandomSteps {
 public:
  explicit RandomSteps(std::uint64_t seed) : seed_(seed), random_(seed ^ 0x57e95) {}

  Steps make() {
    Steps one;
    one.table = Tables(seed_).make().table;
    fields_ = declared_fields();
    const bool people = !one.table.ids.empty();
    add(one, join("c", "g"));
    const bool sums = people && random_.below(3) > 0;
    if (sums) add(one, per_unit());
    if (random_.below(2) == 0) add(one, join("e", "h"));
    for (const Field& field : fields_) {
      if (one.by.size() < 2 && is_key(field) && random_.below(3) == 0) one.by.push_back(field.name);
    }
    if (people && random_.below(2) == 0) one.caps = caps(one.by);
    one.tallies = tallies(sums, people);
    return one;
  }

 private:
  void add(Steps& one, const Step& step) {
    one.steps.push_back(step);
    fields_ = fields_after_step(fields_, step);
  }

  // A number as any type that public numbers may have.
  Literal number(std::int64_t value) {
    Literal one;
    one.value = value;
    const std::size_t form = random_.below(4);
    if (form == 0) one.value = static_cast<double>(value);
    if (form == 1 && value == 0) one.value = -0.0;
    if (form == 2 && (value == 0 || value == 1)) one.value = value == 1;
    return one;
  }

  std::vector<Literal> literals(bool text, std::size_t count) {
    std::vector<Literal> all(count);
    for (Literal& one : all) {
      if (random_.below(8) == 0) continue;
      if (text) {
        one.value = random_.pick<std::string>(
            {"A", "b", "p", "P", "", "q", "\xc3\xa9", "e\xcc\x81", "\xe9"});
      } else {
        one = number(static_cast<std::int64_t>(random_.below(5)) - 2);
      }
    }
    if (!text) all[0].value = std::int64_t{1};  // an existing one
    return all;
  }

  // Joins by one or two columns. Rows of the public table may be equal, and many may match.
  JoinPublic join(const std::string& text, const std::string& whole) {
    JoinPublic step;
    step.how =
        random_.pick<How>({How::left, How::left, How::inner, How::inner, How::semi, How::anti});
    const std::size_t rows = 1 + random_.below(7);
    std::vector<const Field*> keys;
    for (const Field& field : fields_) {
      const bool plain = field.type == FieldType::levels || field.type == FieldType::text ||
                         field.type == FieldType::integer;
      if (plain) keys.push_back(&field);
    }
    const auto add_key = [&](const Field* key) {
      const bool is_text = key->type != FieldType::integer;
      const std::string name = "key" + std::to_string(step.by.size());
      step.by.emplace_back(key->name, name);
      step.table.fields.push_back(
          plain_field(name, is_text ? FieldType::text : FieldType::integer));
      step.table.columns.push_back(literals(is_text, rows));
    };
    add_key(random_.pick(keys));
    if (random_.below(3) == 0) add_key(random_.pick(keys));
    for (const std::string& name : {text, whole}) {
      step.table.fields.push_back(
          plain_field(name, name == text ? FieldType::text : FieldType::integer));
      step.table.columns.push_back(literals(name == text, rows));
    }
    return step;
  }

  PerUnit per_unit() {
    PerUnit step;
    for (const Field& field : fields_) {
      const bool some = step.by.size() < 2 && is_key(field) && random_.below(4) == 0;
      if (some && field.name != "n") step.by.push_back(field.name);
    }
    const auto kind = [&] { return random_.pick<Total>({Total::sum, Total::least, Total::most}); };
    step.values = {{"u", kind(), amount_column()},
                   {"v", kind(), number_column()},
                   {"rows", Total::rows, nullptr},
                   {"some", random_.pick<Total>({Total::any, Total::all}), is_absent()},
                   {"ever", random_.pick<Total>({Total::any, Total::all}), is_positive()}};
    return step;
  }

  Truncate caps(const std::vector<std::string>& by) {
    Truncate caps;
    const auto cap = [&] { return static_cast<std::uint32_t>(1 + random_.below(4)); };
    if (random_.below(3) > 0) caps.groups = cap();
    if (random_.below(3) > 0) caps.rows_per_group = cap();
    if (random_.below(3) > 0) caps.rows = cap();
    caps.by = by;
    return caps;
  }

  std::vector<ExactAggregate> tallies(bool sums, bool people) {
    const Lattice fine = lattice_for(-8, 40);
    const Quantiser real{fine.exponent, -8, 40, fine.index(-8), fine.index(40), 0, std::nullopt};
    const Quantiser whole{0, -20, 30, -20, 30, 0, std::nullopt};
    std::vector<ExactAggregate> all{{ExactAggregate::Kind::rows, nullptr, {}, {}}};
    if (people) all.push_back({ExactAggregate::Kind::ids, nullptr, {}, {}});
    const auto add_column = [&](const std::string& name, const Quantiser& quantiser) {
      const ExpressionPtr of = column_named(name);
      for (const ExactAggregate::Kind kind : {ExactAggregate::Kind::sum,
                                              ExactAggregate::Kind::present,
                                              ExactAggregate::Kind::missing}) {
        all.push_back({kind, of, quantiser, {}});
      }
    };
    add_column(sums ? "u" : "x", real);
    add_column(sums ? "v" : "n", whole);
    if (sums) add_column("rows", whole);
    if (sums) add_column("ever", Quantiser{0, 0, 1, 0, 1, 0, std::nullopt});
    if (sums) add_column("some", Quantiser{0, 0, 1, 0, 1, 0, std::nullopt});
    for (const char* name : {"g", "h"}) {
      const auto is_it = [&](const Field& field) { return field.name == name; };
      if (std::any_of(fields_.begin(), fields_.end(), is_it)) add_column(name, whole);
    }
    return all;
  }

  std::uint64_t seed_;
  TestRandom random_;
  std::vector<Field> fields_;
};

Statement statement_of(const Steps& one) {
  Statement statement;
  statement.source.fields = declared_fields();
  statement.source.unit.kind = one.table.ids.empty() ? Unit::Kind::rows : Unit::Kind::id;
  statement.source.unit.id = one.table.ids;
  statement.steps = one.steps;
  if (one.caps) statement.steps.emplace_back(*one.caps);
  statement.by = one.by;
  return statement;
}

ExactAggregates plainly(const Steps& one, const Salt& salt) {
  PlainRows plain = declared_rows(declared_fields(), one.table);
  for (const Step& step : one.steps) {
    if (const auto* join = std::get_if<JoinPublic>(&step)) {
      plain = joined(plain, *join);
    } else {
      plain = summed_up(plain, std::get<PerUnit>(step), operands(), {{"u", {-2, 5}}});
    }
  }
  Statement rest = statement_of(one);
  rest.source.fields = plain.fields;
  rest.steps.clear();
  if (one.caps) rest.steps.emplace_back(*one.caps);
  return ReferenceKernel(rest, one.tallies, salt)({plain.rows, plain.ids});
}

ExactAggregates by_kernel(const Steps& one, const Salt& salt, const Pieces& pieces = {}) {
  return tally_in_pieces(statement_of(one), one.tallies, kept(one.table, true), salt, pieces);
}

constexpr std::uint64_t kTables = in_tier(100, 40000);

TEST(QueryKernelSteps, JoinsAndSummariesEqualThePlainReferenceOnHostileTables) {
  for (std::uint64_t seed = 0; seed < kTables; ++seed) {
    Steps one = RandomSteps(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::sha256);
    const ExactAggregates expected = plainly(one, salt);
    ASSERT_TRUE(same(by_kernel(one, salt), expected)) << "seed " << seed;
    std::shuffle(one.table.rows.begin(), one.table.rows.end(), std::mt19937_64(seed));
    ASSERT_TRUE(same(by_kernel(one, salt, {5, 10, 50, 3, 64, 90}), expected)) << "seed " << seed;
  }
}

// Whether the reference rejects steps changed by `spoil`.
template <class Spoil>
bool is_noticed(Spoil spoil) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Steps one = RandomSteps(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::sha256);
    Steps spoilt = one;
    for (Step& step : spoilt.steps) spoil(step);
    if (!same(by_kernel(spoilt, salt), plainly(one, salt))) return true;
  }
  return false;
}

TEST(QueryKernelSteps, TheReferenceNoticesPlantedMistakesOfJoins) {
  const auto of_joins = [](auto&& spoil) {
    return is_noticed([&](Step& step) {
      if (auto* join = std::get_if<JoinPublic>(&step)) spoil(*join);
    });
  };
  EXPECT_FALSE(of_joins([](JoinPublic&) {}));
  EXPECT_TRUE(of_joins([](JoinPublic& join) {
    if (join.how == How::left) join.how = How::inner;
  }));
  EXPECT_TRUE(of_joins([](JoinPublic& join) {
    if (join.how == How::anti) join.how = How::semi;
  }));
  EXPECT_TRUE(of_joins([](JoinPublic& join) {  // ignores the second key
    if (join.by.size() < 2) return;
    join.table.fields.erase(join.table.fields.begin() + 1);
    join.table.columns.erase(join.table.columns.begin() + 1);
    join.by.pop_back();
  }));
  EXPECT_TRUE(of_joins([](JoinPublic& join) {  // joins one of several matching rows
    for (auto& column : join.table.columns) column.pop_back();
  }));
  EXPECT_TRUE(of_joins([](JoinPublic& join) {  // matches a missing key
    for (Literal& key : join.table.columns[0]) {
      if (std::holds_alternative<std::monostate>(key.value) &&
          join.table.fields[0].type == FieldType::text) {
        key.value = std::string("A");
      }
    }
  }));
}

TEST(QueryKernelSteps, TheReferenceNoticesPlantedMistakesOfSummaries) {
  const auto of_summaries = [](auto&& spoil) {
    return is_noticed([&](Step& step) {
      if (auto* unit = std::get_if<PerUnit>(&step)) spoil(*unit);
    });
  };
  const auto other_kind = [&](std::size_t value, Total from, Total to) {
    return of_summaries([&](PerUnit& unit) {
      if (unit.values[value].kind == from) unit.values[value].kind = to;
    });
  };
  EXPECT_FALSE(of_summaries([](PerUnit&) {}));
  EXPECT_TRUE(other_kind(0, Total::sum, Total::most));
  EXPECT_TRUE(other_kind(1, Total::least, Total::most));
  EXPECT_TRUE(other_kind(3, Total::any, Total::all));
  EXPECT_TRUE(other_kind(4, Total::all, Total::any));
  EXPECT_TRUE(of_summaries([](PerUnit& unit) { std::swap(unit.values[3].of, unit.values[4].of); }));
}

}  // namespace
}  // namespace dp::test::kernel_steps_test

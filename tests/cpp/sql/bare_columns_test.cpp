#include "core/sql/bare_columns.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/sql/engines/registry.h"
#include "core/sql/source.h"
#include "sql/statements.h"

namespace dp::test::bare_columns_test {
namespace {

using namespace query;  // NOLINT: tests of queries speak their language
using Kind = sql::EngineColumn::Kind;

// Declared sums of `cost`, within [0, 10], and `stay`, within [0, 60].
KnownStatement sums() {
  KnownStatement known;
  known.table = {{"t"}, {{"who", Kind::whole}, {"cost", Kind::real}, {"stay", Kind::whole}}};
  known.statement.source.unit = {Unit::Kind::id, {"who"}, 1};
  known.statement.source.fields = {real_field("cost", 0, 10), whole_field("stay", 0, 60)};
  const Lattice fine = lattice_for(0, 10);
  const Quantiser cost{fine.exponent, 0, 10, 0, fine.index(10), 0, std::nullopt};
  const Quantiser stay{0, 0, 60, 0, 60, 0, std::nullopt};
  known.tallies = {{ExactAggregate::Kind::sum, column_named("cost"), cost, {}},
                   {ExactAggregate::Kind::sum, column_named("stay"), stay, {}}};
  return known;
}

using Places = std::set<std::size_t>;

Places bare_in(const std::function<void(KnownStatement&)>& change) {
  KnownStatement known = sums();
  change(known);
  const QueryRows none = sql::without_rows(known.table);
  const Pipeline pipeline(known.statement, known.tallies, none, known_salt(), 64);
  return sql::only_on_lattices(pipeline, known.statement.source.fields);
}

TEST(BareColumns, AreThoseThatAreOnlyAddedUp) {
  EXPECT_EQ(bare_in([](KnownStatement&) {}), (Places{0, 1}));
  EXPECT_EQ(bare_in([](KnownStatement& known) {  // the lattice ends within the declaration
              known.tallies[0].quantiser.upper = 5;
              known.tallies[0].quantiser.most /= 2;
            }),
            (Places{0, 1}));
  EXPECT_EQ(bare_in([](KnownStatement& known) { known.statement.steps = {Truncate{}}; }),
            (Places{0, 1}));
  EXPECT_EQ(bare_in([](KnownStatement& known) {  // by another name, and in another place
              known.statement.steps = {Select{{{"stay", "stay"}, {"cost", "cost"}}}};
            }),
            (Places{0, 1}));
}

TEST(BareColumns, AreNoneOfWhichAnythingElseHangs) {
  const auto step = [](const Step& added) {
    return bare_in([&](KnownStatement& known) { known.statement.steps = {added}; });
  };
  EXPECT_EQ(step(Filter{call(">", {column_named("cost"), written(1.0)})}), Places{1});
  EXPECT_EQ(step(Mutate{"stay", call("+", {column_named("stay"), written_whole(1)})}), Places{0});
  EXPECT_EQ(bare_in([](KnownStatement& known) { known.statement.by = {"stay"}; }), Places{0});
  EXPECT_EQ(
      bare_in([](KnownStatement& known) {
        known.tallies.push_back({ExactAggregate::Kind::distinct, column_named("stay"), {}, {}});
      }),
      Places{0});
  Truncate ordered;
  ordered.rows = 1;
  ordered.keep = Truncate::Keep::last;
  ordered.order = column_named("stay");
  EXPECT_EQ(step(ordered), Places{0});
  PerUnit total;
  total.values = {{"cost", PerUnitValue::Kind::most, column_named("cost")},
                  {"stay", PerUnitValue::Kind::sum, column_named("stay")}};
  EXPECT_EQ(step(total), Places{});
}

// Columns that the declared clamp would change, or that cannot be computed without it.
TEST(BareColumns, AreNoneWhoseLatticeIsWiderOrIsNoPlainClamp) {
  EXPECT_EQ(bare_in([](KnownStatement& known) { known.tallies[0].quantiser.lower = -1; }),
            Places{1});
  EXPECT_EQ(bare_in([](KnownStatement& known) { known.tallies[1].quantiser.upper = 61; }),
            Places{0});
  EXPECT_EQ(bare_in([](KnownStatement& known) {
              known.tallies[1].quantiser.offset = 30;
              known.tallies[1].quantiser.least = known.tallies[1].quantiser.least - 30;
              known.tallies[1].quantiser.most = known.tallies[1].quantiser.most - 30;
            }),
            Places{0});
  EXPECT_EQ(bare_in([](KnownStatement& known) { known.tallies[1].quantiser.exponent = -1; }),
            Places{0});
}

TEST(BareColumns, AreReadWithoutAComparisonIfTheirTypeAllowsIt) {
  const Field real = real_field("x", 0, 1);
  const Field whole = whole_field("x", 0, 1);
  const auto text = [](const char* engine, const Field& field, Kind kind) -> std::string {
    const auto read = sql::bare_number(sql::dialect_named(engine), field, {"x", kind});
    return read ? read->name : "";
  };
  EXPECT_EQ(text("PostgreSQL", real, Kind::real), "CAST(\"x\" AS float8)");
  EXPECT_EQ(text("DuckDB", real, Kind::decimal), "CAST(\"x\" AS DOUBLE)");
  EXPECT_EQ(text("DuckDB", whole, Kind::whole), "CAST(\"x\" AS BIGINT)");
  // A decimal may exceed the range of doubles, have a fraction, be the least integer, or be a
  // logical.
  EXPECT_EQ(text("PostgreSQL", real, Kind::decimal), "");
  EXPECT_EQ(text("DuckDB", whole, Kind::real), "");
  EXPECT_EQ(text("DuckDB", real, Kind::whole), "");
  EXPECT_EQ(text("DuckDB", real, Kind::logical), "");
}

}  // namespace
}  // namespace dp::test::bare_columns_test

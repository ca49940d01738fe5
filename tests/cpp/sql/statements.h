// Statements with golden texts: one with every kind of column, cap and count, and one with steps.
#pragma once

#include <vector>

#include "core/numeric/lattice.h"
#include "core/sql/writer.h"
#include "query/query_tables.h"

namespace dp::test {

struct KnownStatement {
  query::Statement statement;
  std::vector<query::ExactAggregate> tallies;
  sql::EngineTable table;
};

inline query::Salt known_salt() {
  query::Salt salt;
  for (std::size_t i = 0; i < 16; ++i) salt.bytes[i] = static_cast<std::uint8_t>(17 * i);
  salt.hash = query::Salt::Hash::sha256;
  return salt;
}

// Two parts of an id, caps of all kinds, all tallies.
inline KnownStatement capped_statement() {
  using namespace query;  // NOLINT: its own words
  using Kind = sql::EngineColumn::Kind;
  KnownStatement known;
  known.table = {{"clinic", "o'visits\""},
                 {{"who", Kind::text},
                  {"day", Kind::date},
                  {"ward", Kind::text},
                  {"urgent", Kind::logical},
                  {"cost", Kind::real},
                  {"stay", Kind::whole}}};
  Statement& statement = known.statement;
  statement.source.unit = {Unit::Kind::id, {"who", "day"}, 1};
  statement.source.fields = {levels_field("ward", {"North", "it's\\"}),
                             plain_field("urgent", FieldType::logical),
                             real_field("cost", -1, 100),
                             whole_field("stay", 0, 60)};
  Truncate caps;
  caps.by = {"ward", "urgent"};
  caps.groups = 3;
  caps.rows_per_group = 2;
  caps.rows = 5;
  caps.keep = Truncate::Keep::last;
  caps.order = column_named("stay");
  statement.steps = {caps};
  statement.by = {"ward"};
  const Lattice fine = lattice_for(-1, 100);
  const Quantiser cost{fine.exponent, -1, 100, fine.index(-1), fine.index(100), 0, std::nullopt};
  const Quantiser stay{0, 0, 60, -30, 30, 30, -5};
  const auto of_cost = column_named("cost");
  const auto of_stay = column_named("stay");
  known.tallies = {{ExactAggregate::Kind::rows, nullptr, {}, {}},
                   {ExactAggregate::Kind::ids, nullptr, {}, {}},
                   {ExactAggregate::Kind::missing, of_cost, cost, {}},
                   {ExactAggregate::Kind::present, of_cost, cost, {}},
                   {ExactAggregate::Kind::sum, of_cost, cost, {}},
                   {ExactAggregate::Kind::squares, of_stay, stay, {}},
                   {ExactAggregate::Kind::distinct, of_stay, stay, {}},
                   {ExactAggregate::Kind::bins, of_stay, stay, {-30, 0, 7, 30}}};
  return known;
}

// Steps on single rows, a public table, and totals per person.
inline KnownStatement stepped_statement() {
  using namespace query;  // NOLINT: its own words
  using Kind = sql::EngineColumn::Kind;
  KnownStatement known;
  known.table = {
      {"logs"},
      {{"user", Kind::whole}, {"at", Kind::date}, {"page", Kind::text}, {"ms", Kind::decimal}}};
  Statement& statement = known.statement;
  statement.source.unit = {Unit::Kind::id, {"user"}, 1};
  statement.source.fields = {plain_field("at", FieldType::date),
                             plain_field("page", FieldType::text),
                             whole_field("ms", 0, 60000)};
  JoinPublic join;
  join.how = JoinPublic::How::left;
  join.by = {{"page", "name"}};
  join.table.fields = {plain_field("name", FieldType::text),
                       plain_field("kind", FieldType::integer)};
  Literal name, kind;
  name.value = std::string("\xc3\xa9");
  kind.value = std::int64_t{7};
  join.table.columns = {{name}, {kind}};
  const ExpressionPtr ms = column_named("ms");
  const ExpressionPtr early = call("<", {column_named("at"), written_day(20000)});
  PerUnit total;
  total.by = {"year"};
  total.values = {
      {"seconds", PerUnitValue::Kind::sum, column_named("s")},
      {"rows", PerUnitValue::Kind::rows, nullptr},
      {"any", PerUnitValue::Kind::any, call("==", {column_named("kind"), written_whole(7)})},
      {"most", PerUnitValue::Kind::most, ms}};
  statement.steps = {
      Filter{call("&", {early, call("!", {call("is.na", {ms})})})},
      join,
      Mutate{"year", call("year", {column_named("at")})},
      Mutate{"s",
             call("%/%", {call("abs", {call("-", {ms, written_whole(5)})}), written_whole(1000)})},
      total,
      Filter{
          call("|", {column_named("any"), call(">", {column_named("rows"), written_whole(2)})})}};
  statement.by = {"year"};
  const Quantiser seconds{0, 0, 1000, 0, 1000, 0, std::nullopt};
  known.tallies = {{ExactAggregate::Kind::rows, nullptr, {}, {}},
                   {ExactAggregate::Kind::sum, column_named("seconds"), seconds, {}},
                   {ExactAggregate::Kind::distinct, column_named("most"), {}, {}}};
  return known;
}

// Inner, semi and anti joins with public tables, on rows without ids.
inline KnownStatement joined_statement() {
  using namespace query;  // NOLINT: its own words
  using Kind = sql::EngineColumn::Kind;
  KnownStatement known;
  known.table = {{"visits"}, {{"region", Kind::whole}, {"ward", Kind::text}}};
  Statement& statement = known.statement;
  statement.source.unit = {Unit::Kind::rows, {}, 1};
  statement.source.fields = {whole_field("region", 1, 9), plain_field("ward", FieldType::text)};
  const auto literal = [](auto value) {
    Literal made;
    made.value = value;
    return made;
  };
  JoinPublic inner;
  inner.how = JoinPublic::How::inner;
  inner.by = {{"region", "number"}};
  inner.table.fields = {plain_field("number", FieldType::integer),
                        plain_field("weight", FieldType::real)};
  inner.table.columns = {{literal(std::int64_t{2}), literal(std::int64_t{2})},
                         {literal(0.1), literal(-2.5)}};
  JoinPublic semi;
  semi.how = JoinPublic::How::semi;
  semi.by = {{"ward", "name"}};
  semi.table.fields = {plain_field("name", FieldType::text)};
  semi.table.columns = {{literal(std::string("o'\\")), literal(std::string("b"))}};
  JoinPublic anti = semi;
  anti.how = JoinPublic::How::anti;
  anti.table.columns = {{literal(std::string("b"))}};
  statement.steps = {inner, semi, anti};
  const Lattice fine = lattice_for(-2.5, 0.1);
  const Quantiser weight{
      fine.exponent, -2.5, 0.1, fine.index(-2.5), fine.index(0.1), 0, std::nullopt};
  known.tallies = {{ExactAggregate::Kind::rows, nullptr, {}, {}},
                   {ExactAggregate::Kind::sum, column_named("weight"), weight, {}}};
  return known;
}

}  // namespace dp::test

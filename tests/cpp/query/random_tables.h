// Random statements on random tables of unexpected values.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/numeric/lattice.h"
#include "core/query/kernel.h"
#include "query/query_tables.h"
#include "query/reference_kernel.h"
#include "support/doubles.h"

// A separate namespace, because it imports the language of queries and other tests do not.
namespace dp::test::random_tables {

using namespace query;  // NOLINT: tests of queries speak their language

// One shared expression per column, so that tallies of a column share it.
inline const ExpressionPtr& amount_column() {
  static const ExpressionPtr column = column_named("x");
  return column;
}
inline const ExpressionPtr& number_column() {
  static const ExpressionPtr column = column_named("n");
  return column;
}

struct Case {
  Statement statement;
  std::vector<ExactAggregate> tallies;
  PlainTable table;
};

inline std::vector<Field> declared_fields() {
  return {levels_field("k", {"A", "b", "\xc3\xa9"}),
          plain_field("t", FieldType::text),
          whole_field("m", -1, 2),
          real_field("x", -2, 5),
          whole_field("n", -3, 4)};
}

class Tables {
 public:
  explicit Tables(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t n) { return engine_() % n; }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  PlainRow row(std::size_t people) {
    PlainRow row;
    row["i"] = maybe(static_cast<std::int64_t>(below(people)));
    row["j"] = maybe(one_of<std::string>({"", "a", "A", "\xc3\xa9", "1:a"}));
    row["k"] = maybe(one_of<std::string>({"A", "A", "b", "B", "\xc3\xa9", "e\xcc\x81", ""}));
    row["t"] = maybe(one_of<std::string>({"p", "P", "", "q"}));
    row["m"] = maybe(one_of<std::int64_t>({-2, -1, 0, 1, 2, kNa64 + 1, 5}));
    row["x"] = Cell(one_of<double>(
        {kNaN, kInf, -kInf, 0.0, -0.0, 1.25, 5, 4.9999999, -2.5, 1e300, 5e-324, 0.1}));
    if (below(9) == 0) row["x"] = Cell();
    row["n"] = maybe(one_of<std::int64_t>({-9, -3, 0, 1, 4, 7, kNa64 + 1}));
    return row;
  }

  Case make() {
    Case one;
    one.statement.source.fields = declared_fields();
    one.table.ids = one_of<std::vector<std::string>>({{}, {"i"}, {"j"}, {"i", "j"}});
    one.statement.source.unit.kind = one.table.ids.empty() ? Unit::Kind::rows : Unit::Kind::id;
    one.statement.source.unit.id = one.table.ids;
    one.statement.by = one_of<std::vector<std::string>>({{}, {"k"}, {"t"}, {"m", "k"}, {"k", "t"}});
    if (!one.table.ids.empty()) add_caps(one.statement);
    one.tallies = tallies(!one.table.ids.empty());
    const std::size_t rows = below(5) == 0 ? below(3) : below(200);
    const std::size_t people = 1 + below(20);
    for (std::size_t i = 0; i < rows; ++i) {
      one.table.rows.push_back(row(people));
      if (below(4) == 0) one.table.rows.push_back(one.table.rows.back());
    }
    return one;
  }

 private:
  template <class T>
  Cell maybe(T value) {
    return below(12) == 0 ? Cell() : Cell(value);
  }

  void add_caps(Statement& statement) {
    Truncate caps;
    if (below(3) > 0) caps.groups = static_cast<std::uint32_t>(1 + below(3));
    if (below(3) > 0) caps.rows_per_group = static_cast<std::uint32_t>(1 + below(4));
    if (below(3) > 0) caps.rows = static_cast<std::uint32_t>(1 + below(6));
    caps.by = statement.by;
    if (below(4) == 0) caps.by = {"k"};
    caps.keep = one_of<Truncate::Keep>(
        {Truncate::Keep::random, Truncate::Keep::first, Truncate::Keep::last});
    if (caps.keep != Truncate::Keep::random)
      caps.order = below(2) == 0 ? amount_column() : number_column();
    statement.steps.push_back(caps);
  }

  static std::vector<ExactAggregate> tallies(bool people) {
    const Lattice fine = lattice_for(-2, 5);
    Quantiser amount{fine.exponent, -2, 5, fine.index(-2), fine.index(5), 0, std::nullopt};
    Quantiser filled = amount;
    filled.fill = fine.index(1.5);
    const Quantiser number{0, -3, 4, -3, 4, 0, std::nullopt};
    std::vector<ExactAggregate> all{
        {ExactAggregate::Kind::rows, nullptr, {}, {}},
        {ExactAggregate::Kind::sum, amount_column(), amount, {}},
        {ExactAggregate::Kind::missing, amount_column(), filled, {}},
        {ExactAggregate::Kind::present, amount_column(), filled, {}},
        {ExactAggregate::Kind::sum, amount_column(), filled, {}},
        {ExactAggregate::Kind::bins,
         amount_column(),
         amount,
         {fine.index(-2), fine.index(0), fine.index(1.25), fine.index(4)}},
        {ExactAggregate::Kind::squares, number_column(), number, {}},
        {ExactAggregate::Kind::distinct, number_column(), number, {}},
        {ExactAggregate::Kind::present, number_column(), number, {}}};
    if (people) all.push_back({ExactAggregate::Kind::ids, nullptr, {}, {}});
    return all;
  }

  std::mt19937_64 engine_;
};

// Columns that the declaration and the ids need, stored in one of several ways.
inline QueryRows kept(const PlainTable& table, bool wide) {
  std::vector<std::optional<std::string>> j, k, t;
  std::vector<std::int64_t> i, n;
  std::vector<std::int32_t> m;
  std::vector<double> i_real, x;
  for (const PlainRow& row : table.rows) {
    const auto text = [&](const char* name) -> std::optional<std::string> {
      if (is_missing(row.at(name))) return std::nullopt;
      return std::get<std::string>(row.at(name));
    };
    const auto whole = [&](const char* name) {
      return is_missing(row.at(name)) ? kNa64 : std::get<std::int64_t>(row.at(name));
    };
    j.push_back(text("j"));
    k.push_back(text("k"));
    t.push_back(text("t"));
    i.push_back(whole("i"));
    i_real.push_back(whole("i") == kNa64 ? kNaN : static_cast<double>(whole("i")));
    n.push_back(whole("n"));
    const bool fits = whole("m") == kNa64 || whole("m") > -100;
    m.push_back(whole("m") == kNa64 ? kNa32
                : fits              ? static_cast<std::int32_t>(whole("m"))
                                    : kNa32 + 1);
    x.push_back(is_missing(row.at("x")) ? kNaN : std::get<double>(row.at("x")));
  }
  std::vector<QueryColumn> columns{text_column("j", j),
                                   text_column("k", k),
                                   text_column("t", t),
                                   column_of("n", QueryColumn::Kind::int64, n),
                                   column_of("m", QueryColumn::Kind::int32, m),
                                   column_of("x", QueryColumn::Kind::real, x)};
  columns.push_back(wide ? column_of("i", QueryColumn::Kind::int64, i)
                         : column_of("i", QueryColumn::Kind::real, i_real));
  return QueryRows(table.rows.size(), columns);
}

inline bool same_keys(const std::vector<Key>& a, const std::vector<Key>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t g = 0; g < a.size(); ++g) {
    if (a[g].size() != b[g].size()) return false;
    for (std::size_t k = 0; k < a[g].size(); ++k) {
      if (a[g][k].whole != b[g][k].whole || a[g][k].text != b[g][k].text) return false;
      if (a[g][k].is_text != b[g][k].is_text || a[g][k].missing != b[g][k].missing) return false;
    }
  }
  return true;
}

inline bool same(const ExactAggregates& a, const ExactAggregates& b) {
  return same_keys(a.keys, b.keys) && a.values == b.values;
}

inline Salt salt_of(std::uint64_t seed, Salt::Hash hash) {
  Salt salt;
  for (std::size_t i = 0; i < 16; ++i)
    salt.bytes[i] = static_cast<std::uint8_t>(seed * 37 + i * 11);
  salt.hash = hash;
  return salt;
}

}  // namespace dp::test::random_tables

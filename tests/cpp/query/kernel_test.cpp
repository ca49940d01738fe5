#include "core/query/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/numeric/lattice.h"
#include "core/runtime/parallel.h"
#include "query/query_tables.h"
#include "query/reference_kernel.h"
#include "support/expect_error.h"

namespace dp::test::kernel_test {
namespace {

using namespace query;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

const ExpressionPtr kAmount = column_named("x");
const ExpressionPtr kNumber = column_named("n");

struct Case {
  Statement statement;
  std::vector<Tally> tallies;
  PlainTable table;
};

std::vector<Field> declared() {
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
    one.statement.source.fields = declared();
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
    if (caps.keep != Truncate::Keep::random) caps.order = below(2) == 0 ? kAmount : kNumber;
    statement.steps.push_back(caps);
  }

  static std::vector<Tally> tallies(bool people) {
    const Lattice fine = lattice_for(-2, 5);
    Quantiser amount{fine.exponent, -2, 5, fine.index(-2), fine.index(5), 0, std::nullopt};
    Quantiser filled = amount;
    filled.fill = fine.index(1.5);
    const Quantiser number{0, -3, 4, -3, 4, 0, std::nullopt};
    std::vector<Tally> all{{Tally::Kind::rows, nullptr, {}, {}},
                           {Tally::Kind::sum, kAmount, amount, {}},
                           {Tally::Kind::missing, kAmount, filled, {}},
                           {Tally::Kind::present, kAmount, filled, {}},
                           {Tally::Kind::sum, kAmount, filled, {}},
                           {Tally::Kind::bins,
                            kAmount,
                            amount,
                            {fine.index(-2), fine.index(0), fine.index(1.25), fine.index(4)}},
                           {Tally::Kind::squares, kNumber, number, {}},
                           {Tally::Kind::distinct, kNumber, number, {}},
                           {Tally::Kind::present, kNumber, number, {}}};
    if (people) all.push_back({Tally::Kind::ids, nullptr, {}, {}});
    return all;
  }

  std::mt19937_64 engine_;
};

// The columns that the declaration and the ids need, kept in one of several ways.
QueryRows kept(const PlainTable& table, bool wide) {
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

bool same_keys(const std::vector<Key>& a, const std::vector<Key>& b) {
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

bool same(const Tallied& a, const Tallied& b) {
  return same_keys(a.keys, b.keys) && a.values == b.values;
}

Salt salt_of(std::uint64_t seed, Salt::Hash hash) {
  Salt salt;
  for (std::size_t i = 0; i < 16; ++i)
    salt.bytes[i] = static_cast<std::uint8_t>(seed * 37 + i * 11);
  salt.hash = hash;
  return salt;
}

TEST(QueryKernel, EqualsThePlainReferenceOnHostileTables) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::sha256);
    const Tallied expected = ReferenceKernel(one.statement, one.tallies, salt)(one.table);
    const Tallied found = tally(one.statement, one.tallies, kept(one.table, seed % 2 == 0), salt);
    ASSERT_TRUE(same(found, expected)) << "seed " << seed;
  }
}

// The reference must reject a kernel that is a little wrong.
TEST(QueryKernel, TheReferenceNoticesPlantedMistakes) {
  const auto differs = [](auto&& spoil) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Case one = Tables(seed).make();
      const Salt salt = salt_of(seed, Salt::Hash::sha256);
      Case spoilt = one;
      Salt other = salt;
      spoil(spoilt, other);
      const Tallied expected = ReferenceKernel(one.statement, one.tallies, salt)(one.table);
      const Tallied found =
          tally(spoilt.statement, spoilt.tallies, kept(spoilt.table, true), other);
      if (!same(found, expected)) return true;
    }
    return false;
  };
  EXPECT_FALSE(differs([](Case&, Salt&) {}));
  EXPECT_TRUE(differs([](Case&, Salt& salt) { salt.bytes[3] ^= 1; }));
  EXPECT_TRUE(differs([](Case&, Salt& salt) { salt.hash = Salt::Hash::siphash; }));
  const auto change_cap = [](auto member) {
    return [member](Case& one, Salt&) {
      for (Step& step : one.statement.steps) {
        auto& cap = std::get<Truncate>(step).*member;
        if (cap) cap = *cap + 1;
      }
    };
  };
  EXPECT_TRUE(differs(change_cap(&Truncate::groups)));
  EXPECT_TRUE(differs(change_cap(&Truncate::rows)));
  EXPECT_TRUE(differs(change_cap(&Truncate::rows_per_group)));
  EXPECT_TRUE(differs([](Case& one, Salt&) {  // ids without their last part
    if (one.statement.source.unit.id.size() > 1) one.statement.source.unit.id.pop_back();
  }));
  EXPECT_TRUE(differs([](Case& one, Salt&) {  // one more step of the lattice
    for (Tally& tally : one.tallies) ++tally.quantiser.offset;
  }));
}

TEST(QueryKernel, PiecesThreadsAndTheOrderOfRowsChangeNothing) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const Tallied expected = tally(one.statement, one.tallies, kept(one.table, true), salt);
    for (const Pieces& pieces :
         {Pieces{1, 7, 13, 3, 64}, Pieces{5, 10, 50, 64, 64}, Pieces{64, 64, 64, 1, 64}}) {
      std::shuffle(one.table.rows.begin(), one.table.rows.end(), std::mt19937_64(seed));
      ASSERT_TRUE(
          same(tally_in_pieces(one.statement, one.tallies, kept(one.table, true), salt, pieces),
               expected))
          << "seed " << seed;
    }
  }
}

// Hashes of two bits meet all the time: then the values themselves decide, and still all pieces and
// orders agree.
TEST(QueryKernel, ValuesDecideWhereHashesMeet) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const auto found = [&](const Pieces& pieces) {
      return tally_in_pieces(one.statement, one.tallies, kept(one.table, true), salt, pieces);
    };
    const Tallied expected = found({2048, 1 << 16, 1 << 20, 64, 2});
    std::shuffle(one.table.rows.begin(), one.table.rows.end(), std::mt19937_64(seed));
    ASSERT_TRUE(same(found({3, 20, 40, 5, 2}), expected)) << "seed " << seed;
  }
}

// Sizes that wake several threads and compact parts several times.
TEST(QueryKernel, ManyThreadsAndBlocksAgreeWithOne) {
  constexpr std::size_t kRows = 1 << 20;
  std::mt19937_64 engine(1);
  std::vector<std::int32_t> id, group, value;
  for (std::size_t i = 0; i < kRows; ++i) {
    id.push_back(static_cast<std::int32_t>(engine() % 50000));
    group.push_back(static_cast<std::int32_t>(engine() % 100));
    value.push_back(static_cast<std::int32_t>(engine() % 1000));
  }
  const QueryRows rows(kRows,
                       {column_of("i", QueryColumn::Kind::int32, id),
                        column_of("g", QueryColumn::Kind::int32, group),
                        column_of("v", QueryColumn::Kind::int32, value)});
  Statement statement;
  statement.source.fields = {whole_field("g", 0, 99), whole_field("v", 0, 999)};
  statement.source.unit = {Unit::Kind::id, {"i"}, 1};
  statement.by = {"g"};
  Truncate caps;
  caps.by = {"g"};
  caps.groups = 3;
  caps.rows_per_group = 2;
  statement.steps = {caps};
  const std::vector<Tally> tallies{
      {Tally::Kind::rows, nullptr, {}, {}},
      {Tally::Kind::ids, nullptr, {}, {}},
      {Tally::Kind::sum, column_named("v"), {0, 0, 999, 0, 999, 0, {}}, {}}};
  const Tallied expected = tally(statement, tallies, rows, Salt{});
  set_thread_count(4);
  const Tallied found =
      tally_in_pieces(statement, tallies, rows, Salt{}, {1000, 3000, 100000, 64, 64});
  set_thread_count(1);
  EXPECT_TRUE(same(found, expected));
}

// Neighbours
// -----------------------------------------------------------------------------------------------

struct Changes {
  std::int64_t l0 = 0, l1 = 0, li = 0;
};

using GroupValues = std::map<std::vector<std::pair<std::int64_t, std::string>>, std::int64_t>;

GroupValues by_group(const Tallied& tallied, std::size_t t) {
  GroupValues values;
  for (std::size_t g = 0; g < tallied.keys.size(); ++g) {
    std::vector<std::pair<std::int64_t, std::string>> key;
    for (const KeyPart& part : tallied.keys[g]) key.emplace_back(part.whole, part.text);
    values[key] = static_cast<std::int64_t>(tallied.values[t][g]);
  }
  return values;
}

Changes changes(const GroupValues& a, const GroupValues& b) {
  GroupValues difference = a;
  for (const auto& [key, value] : b) difference[key] -= value;
  Changes found;
  for (const auto& group : difference) {
    const std::int64_t size = std::abs(group.second);
    found.l0 += size > 0;
    found.l1 += size;
    found.li = std::max(found.li, size);
  }
  return found;
}

// Without people 0, ..., t - 1, or, `replaced`, with other rows of theirs.
PlainTable neighbour(const PlainTable& table, std::int64_t t, bool replaced, Tables& tables) {
  PlainTable other{{}, table.ids};
  for (const PlainRow& row : table.rows) {
    const bool leaves = !is_missing(row.at("i")) && std::get<std::int64_t>(row.at("i")) < t;
    if (!leaves) other.rows.push_back(row);
  }
  const std::size_t count = replaced ? tables.below(40) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    PlainRow row = tables.row(20);
    row["i"] = static_cast<std::int64_t>(tables.below(static_cast<std::size_t>(t)));
    const auto at = static_cast<std::ptrdiff_t>(tables.below(other.rows.size() + 1));
    other.rows.insert(other.rows.begin() + at, row);
  }
  return other;
}

struct Caps {
  std::int64_t groups, rows_per_group, rows;
};

Case capped_case(Tables& tables, Tally::Kind kind, Caps& caps) {
  Case one = tables.make();
  for (int i = 0; i < 60; ++i) one.table.rows.push_back(tables.row(5));
  one.table.ids = {"i"};
  one.statement.source.unit = {Unit::Kind::id, {"i"}, 1};
  one.statement.by = {"t"};
  caps = {1 + static_cast<std::int64_t>(tables.below(3)),
          1 + static_cast<std::int64_t>(tables.below(3)),
          1 + static_cast<std::int64_t>(tables.below(6))};
  Truncate truncate;
  truncate.by = {"t"};
  truncate.groups = static_cast<std::uint32_t>(caps.groups);
  truncate.rows_per_group = static_cast<std::uint32_t>(caps.rows_per_group);
  truncate.rows = static_cast<std::uint32_t>(caps.rows);
  one.statement.steps = {truncate};
  one.tallies = {{kind, nullptr, {}, {}}};
  return one;
}

struct Verdict {
  bool held = true;
  bool reached_l0 = false, reached_l1 = false, reached_li = false;
};

// With t people more or less: (t G, t min(G R, K), t R) of rows, (t G, t G, t) of people, G and R
// at most K. A person whose rows are replaced is one less and one more. `lie` is taken off all
// three.
Verdict check_neighbours(Tally::Kind kind, bool replaced, std::int64_t lie) {
  const bool people = kind == Tally::Kind::ids;
  Verdict found;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Tables tables(seed);
    Caps caps{};
    const Case one = capped_case(tables, kind, caps);
    const std::int64_t changed = 1 + static_cast<std::int64_t>(tables.below(3));
    const PlainTable other = neighbour(one.table, changed, replaced, tables);
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const auto counts = [&](const PlainTable& table) {
      return by_group(tally(one.statement, one.tallies, kept(table, true), salt), 0);
    };
    const Changes moved = changes(counts(one.table), counts(other));
    const std::int64_t t = replaced ? 2 * changed : changed;
    const std::int64_t l0 = t * std::min(caps.groups, caps.rows) - lie;
    const std::int64_t all = t * std::min(caps.groups * caps.rows_per_group, caps.rows) - lie;
    const std::int64_t l1 = people ? l0 : all;
    const std::int64_t li = (people ? t : t * std::min(caps.rows_per_group, caps.rows)) - lie;
    found.held = found.held && moved.l0 <= l0 && moved.l1 <= l1 && moved.li <= li;
    found.reached_l0 |= moved.l0 == l0;
    found.reached_l1 |= moved.l1 == l1;
    found.reached_li |= moved.li == li;
  }
  return found;
}

TEST(QueryKernel, NeighboursDifferByTheCapsAndReachThem) {
  for (const Tally::Kind kind : {Tally::Kind::rows, Tally::Kind::ids}) {
    const Verdict found = check_neighbours(kind, false, 0);
    EXPECT_TRUE(found.held);
    EXPECT_TRUE(found.reached_l0 && found.reached_l1 && found.reached_li);
    EXPECT_FALSE(check_neighbours(kind, false, 1).held);
    EXPECT_TRUE(check_neighbours(kind, true, 0).held);
  }
}

// Steps
// -----------------------------------------------------------------------------------------------

Statement small_statement() {
  Statement statement;
  statement.source.fields = {plain_field("p", FieldType::text),
                             levels_field("k", {"A", "B"}),
                             whole_field("n", 0, 10),
                             real_field("x", -1, 1)};
  statement.source.unit = {Unit::Kind::id, {"p"}, 1};
  return statement;
}

// Persons u (three rows), v (two), and nobody.
QueryRows small_rows() {
  return QueryRows(6,
                   {text_column("p", {"u", "u", "u", "v", "v", std::nullopt}),
                    text_column("k", {"A", "A", "B", "B", "C", "A"}),
                    column_of<std::int32_t>("n", QueryColumn::Kind::int32, {1, 2, kNa32, 40, 5, 6}),
                    column_of<double>("x", QueryColumn::Kind::real, {0.5, kNaN, 1, -7, 0.25, 1})});
}

Tally sum_of(const std::string& column, double lower, double upper) {
  const auto whole = [](double x) { return static_cast<std::int64_t>(x); };
  return {Tally::Kind::sum,
          column_named(column),
          {0, lower, upper, whole(lower), whole(upper), 0, std::nullopt},
          {}};
}

const Tally kRows{Tally::Kind::rows, nullptr, {}, {}};

std::vector<std::int64_t> integers(const Tallied& tallied, std::size_t t) {
  std::vector<std::int64_t> values;
  for (const int128_t value : tallied.values[t]) values.push_back(static_cast<std::int64_t>(value));
  return values;
}
using Integers = std::vector<std::int64_t>;

TEST(QuerySteps, PerUnitAddsUpEachPersonsRows) {
  Statement statement = small_statement();
  PerUnit unit;
  unit.by = {"k"};
  unit.values = {
      {"total", PerUnitValue::Kind::sum, column_named("n")},
      {"rows", PerUnitValue::Kind::rows, nullptr},
      {"least", PerUnitValue::Kind::least, column_named("n")},
      {"any", PerUnitValue::Kind::any, call(">", {column_named("n"), written_whole(1)})}};
  statement.steps = {unit};
  statement.by = {"k"};
  const Tallied found = tally(statement,
                              {kRows,
                               sum_of("total", 0, 100),
                               sum_of("rows", 0, 100),
                               sum_of("least", 0, 10),
                               sum_of("any", 0, 1),
                               {Tally::Kind::missing, column_named("least"), {}, {}}},
                              small_rows(),
                              Salt{});
  EXPECT_EQ(integers(found, 0), (Integers{1, 2}));   // u in A; u, v in B
  EXPECT_EQ(integers(found, 1), (Integers{3, 10}));  // 40 is clamped
  EXPECT_EQ(integers(found, 2), (Integers{2, 2}));
  EXPECT_EQ(integers(found, 3), (Integers{1, 10}));
  EXPECT_EQ(integers(found, 4), (Integers{1, 1}));
  EXPECT_EQ(integers(found, 5), (Integers{0, 1}));
}

TEST(QuerySteps, RowsFilteredAfterACapDoNotMakeRoomForOthers) {
  Statement statement = small_statement();
  Truncate caps;
  caps.rows = 1;
  caps.keep = Truncate::Keep::last;
  caps.order = column_named("n");
  const Filter small{call("<", {column_named("n"), written_whole(2)})};
  statement.steps = {caps, small};
  EXPECT_TRUE(tally(statement, {kRows}, small_rows(), Salt{}).keys.empty());
  statement.steps = {small, caps};
  EXPECT_EQ(integers(tally(statement, {kRows}, small_rows(), Salt{}), 0), (Integers{1}));
}

TEST(QuerySteps, ColumnsAreMadeRenamedAndJoined) {
  Statement statement = small_statement();
  PublicTable table;
  table.fields = {plain_field("code", FieldType::text), plain_field("price", FieldType::real)};
  const auto text = [](const char* value) { return Literal{std::string(value), false}; };
  table.columns = {
      {text("A"), text("A"), Literal{}, text("C")},
      {Literal{2.0, false}, Literal{3.0, false}, Literal{9.0, false}, Literal{9.0, false}}};
  const auto joined = [&](JoinPublic::How how) {
    statement.steps = {Mutate{"n", call("+", {column_named("n"), written_whole(1)})},
                       Select{{{"ward", "k"}, {"m", "n"}}},
                       JoinPublic{how, {{"ward", "code"}}, table}};
    const bool filters = how == JoinPublic::How::semi || how == JoinPublic::How::anti;
    std::vector<Tally> tallies{kRows, sum_of("m", 0, 11)};
    if (!filters) tallies.push_back(sum_of("price", 0, 10));
    const Tallied found = tally(statement, tallies, small_rows(), Salt{});
    Integers all;
    for (std::size_t t = 0; t < tallies.size(); ++t) {
      all.push_back(found.keys.empty() ? 0 : integers(found, t)[0]);
    }
    return all;
  };
  EXPECT_EQ(joined(JoinPublic::How::inner), (Integers{4, 10, 10}));
  EXPECT_EQ(joined(JoinPublic::How::left), (Integers{7, 27, 10}));
  EXPECT_EQ(joined(JoinPublic::How::semi), (Integers{2, 5}));
  EXPECT_EQ(joined(JoinPublic::How::anti), (Integers{3, 17}));
}

TEST(QuerySteps, WhatTheDataOrTheStatementLackIsRefusedByName) {
  const auto refused = [](ErrorKind kind, const Statement& statement, const QueryRows& rows) {
    return expect_error(kind, [&] { tally(statement, {sum_of("n", 0, 10)}, rows, Salt{}); });
  };
  Statement statement = small_statement();
  EXPECT_NE(refused(ErrorKind::source, statement, QueryRows(0, {})).find("`p`"), std::string::npos);
  statement.source.unit.kind = Unit::Kind::rows;
  statement.steps = {Truncate{}};
  refused(ErrorKind::unsupported, statement, small_rows());
  statement.steps = {};
  statement.by = {"x"};
  refused(ErrorKind::unsupported, statement, small_rows());
  statement.by = {"z"};
  refused(ErrorKind::domain, statement, small_rows());
}

TEST(QuerySteps, AnEmptyTableHasNoGroups) {
  Statement statement = small_statement();
  statement.by = {"k"};
  const QueryRows rows(0,
                       {text_column("p", {}),
                        text_column("k", {}),
                        column_of<std::int32_t>("n", QueryColumn::Kind::int32, {})});
  const Tallied found = tally(statement, {kRows, sum_of("n", 0, 10)}, rows, Salt{});
  EXPECT_TRUE(found.keys.empty());
  EXPECT_EQ(found.values.size(), 2U);
}

}  // namespace
}  // namespace dp::test::kernel_test

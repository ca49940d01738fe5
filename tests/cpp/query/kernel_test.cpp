#include "core/query/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/runtime/parallel.h"
#include "query/query_tables.h"
#include "query/random_tables.h"
#include "query/reference_kernel.h"

namespace dp::test::kernel_test {
namespace {

using namespace random_tables;

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
  EXPECT_TRUE(differs([](Case& one, Salt&) {  // T-MUT: keys without their case
    for (PlainRow& row : one.table.rows) {
      if (row["t"] == Cell(std::string("P"))) row["t"] = Cell(std::string("p"));
    }
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

}  // namespace
}  // namespace dp::test::kernel_test

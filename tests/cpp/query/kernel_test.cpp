#include "core/query/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/runtime/parallel.h"
#include "query/query_tables.h"
#include "query/random_tables.h"
#include "query/reference_kernel.h"
#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::kernel_test {
namespace {

using namespace random_tables;

TEST(QueryKernel, EqualsThePlainReferenceOnHostileTables) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::sha256);
    const ExactAggregates expected = ReferenceKernel(one.statement, one.tallies, salt)(one.table);
    const ExactAggregates found =
        tally(one.statement, one.tallies, kept(one.table, seed % 2 == 0), salt);
    ASSERT_TRUE(same(found, expected)) << "seed " << seed;
  }
}

// The reference must reject a slightly wrong kernel.
TEST(QueryKernel, TheReferenceNoticesPlantedMistakes) {
  const auto differs = [](auto&& spoil) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Case one = Tables(seed).make();
      const Salt salt = salt_of(seed, Salt::Hash::sha256);
      Case spoilt = one;
      Salt other = salt;
      spoil(spoilt, other);
      const ExactAggregates expected = ReferenceKernel(one.statement, one.tallies, salt)(one.table);
      const ExactAggregates found =
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
    for (ExactAggregate& tally : one.tallies) ++tally.quantiser.offset;
  }));
}

TEST(QueryKernel, PiecesThreadsAndTheOrderOfRowsChangeNothing) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const ExactAggregates expected = tally(one.statement, one.tallies, kept(one.table, true), salt);
    for (const Pieces& pieces :
         {Pieces{1, 7, 13, 3, 64, 0}, Pieces{5, 10, 50, 64, 64, 900}, Pieces{64, 64, 64, 1, 64}}) {
      std::shuffle(one.table.rows.begin(), one.table.rows.end(), std::mt19937_64(seed));
      ASSERT_TRUE(
          same(tally_in_pieces(one.statement, one.tallies, kept(one.table, true), salt, pieces),
               expected))
          << "seed " << seed;
    }
  }
}

// Two-bit hashes collide constantly, so the values must decide. All chunks and orders still agree.
TEST(QueryKernel, ValuesDecideWhereHashesMeet) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const auto found = [&](const Pieces& pieces) {
      return tally_in_pieces(one.statement, one.tallies, kept(one.table, true), salt, pieces);
    };
    const ExactAggregates expected = found({2048, 1 << 16, 1 << 20, 64, 2});
    std::shuffle(one.table.rows.begin(), one.table.rows.end(), std::mt19937_64(seed));
    ASSERT_TRUE(same(found({3, 20, 40, 5, 2, 0}), expected)) << "seed " << seed;
  }
}

// Chunks of a table. The next chunk reuses the memory of the previous one.
NextRows in_chunks(const PlainTable& table, std::size_t size) {
  std::size_t begin = 0;
  bool first = true;
  return [=]() mutable -> std::optional<QueryRows> {
    if (!first && begin >= table.rows.size()) return std::nullopt;
    first = false;
    PlainTable chunk = table;
    const auto at = [&](std::size_t i) {
      return table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, table.rows.size()));
    };
    chunk.rows.assign(at(begin), at(begin + size));
    begin += size;
    return kept(chunk, true);
  };
}

TEST(QueryKernel, ChunksChangeNothing) {
  for (std::uint64_t seed = 0; seed < in_tier(50u, 150u); ++seed) {
    const Case one = Tables(seed).make();
    const Salt salt = salt_of(seed, Salt::Hash::siphash);
    const ExactAggregates expected = tally(one.statement, one.tallies, kept(one.table, true), salt);
    for (const std::size_t size : {1, 7, 1000}) {
      const Pieces pieces{5, 10, 50, 6, 64};
      ASSERT_TRUE(
          same(tally_stream(one.statement, one.tallies, in_chunks(one.table, size), salt, pieces),
               expected))
          << "seed " << seed << ", chunks of " << size;
    }
  }
}

TEST(QueryKernel, RefusesChunksOfAnotherForm) {
  Statement statement;
  statement.source.fields = {whole_field("v", 0, 9)};
  const auto stream_of = [&](const QueryColumn& second) {
    int chunk = 0;
    return tally_stream(
        statement,
        {{ExactAggregate::Kind::rows, nullptr, {}, {}},
         {ExactAggregate::Kind::present, column_named("v"), {}, {}}},
        [&]() -> std::optional<QueryRows> {
          if (++chunk > 2) return std::nullopt;
          if (chunk == 2) return QueryRows(1, {second});
          return QueryRows(
              1, {column_of("v", QueryColumn::Kind::int32, std::vector<std::int32_t>{1})});
        },
        Salt{});
  };
  const std::vector<std::int32_t> one{1};
  EXPECT_EQ(stream_of(column_of("v", QueryColumn::Kind::int32, one)).values[0][0], 2);
  expect_error(ErrorKind::source,
               [&] { stream_of(column_of("v", QueryColumn::Kind::logical, one)); });
  expect_error(ErrorKind::source,
               [&] { stream_of(column_of("w", QueryColumn::Kind::int32, one)); });
}

// Sizes that use several threads and compact parts several times.
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
  const std::vector<ExactAggregate> tallies{
      {ExactAggregate::Kind::rows, nullptr, {}, {}},
      {ExactAggregate::Kind::ids, nullptr, {}, {}},
      {ExactAggregate::Kind::sum, column_named("v"), {0, 0, 999, 0, 999, 0, {}}, {}}};
  const ExactAggregates expected = tally(statement, tallies, rows, Salt{});
  set_thread_count(4);
  const ExactAggregates found =
      tally_in_pieces(statement, tallies, rows, Salt{}, {1000, 3000, 100000, 64, 64, 1 << 16});
  set_thread_count(1);
  EXPECT_TRUE(same(found, expected));
}

}  // namespace
}  // namespace dp::test::kernel_test

#include "core/sample_aggregate/subset_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/combinators/chain.h"
#include "core/numeric/rational.h"
#include "core/runtime/parallel.h"
#include "core/sample_aggregate/block_total.h"
#include "core/transformations/rows/clamp.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/recorded_bits.h"
#include "support/scripted_bits.h"

namespace dp::test::subset_statistics_test {
namespace {

using test::SplitMix;
using Doubles = std::vector<double>;

Domain rows_between(double lower, double upper, std::uint64_t size) {
  return vector_of(closed_atom(AtomType::f64, lower, upper), size);
}

Metric l1() { return l1_distance(AtomType::i64); }

Transformation subsets(BlockFunction function,
                       const Domain& domain,
                       std::uint64_t blocks,
                       const Metric& input_metric = change_one_distance(),
                       const Metric& output_metric = l1()) {
  return make_subset_statistics(domain, input_metric, function, blocks, output_metric);
}

std::vector<std::int64_t> results(const Transformation& t, const Doubles& data) {
  const Value value = t.function()(make_column(AtomType::f64, data));
  const auto& rows = static_cast<const OwnedColumn<std::int64_t>&>(*rows_in(value));
  return {rows.cells(), rows.cells() + rows.size()};
}

std::int64_t l1_map(const Transformation& t, std::uint32_t d_in) {
  return number_in<std::int64_t>(t.map(Scalar(d_in)));
}

TEST(SubsetStatistics, MapsCountReplacedRows) {
  const Domain domain = rows_between(0, 100, 1000);
  const auto mean = subsets(BlockFunction::mean, domain, 10);
  const std::int64_t d = l1_map(mean, 1);
  EXPECT_EQ(lattice_for(0, 100).value(int128_t{d}), 1);
  EXPECT_EQ(l1_map(mean, 0), 0);
  EXPECT_EQ(l1_map(mean, 7), 7 * d);

  const auto symmetric = subsets(BlockFunction::mean, domain, 10, symmetric_distance());
  for (const std::uint32_t d_in : {0u, 1u, 2u, 3u, 8u}) {
    EXPECT_EQ(l1_map(symmetric, d_in), d_in / 2 * d);
  }
  const auto hamming =
      subsets(BlockFunction::mean, domain, 10, change_one_distance(), hamming_distance());
  EXPECT_EQ(number_in<std::uint32_t>(hamming.map(Scalar(std::uint32_t{3}))), 3u);
  expect_error(ErrorKind::overflow, [&] {
    l1_map(subsets(BlockFunction::median, domain, 10), std::numeric_limits<std::uint32_t>::max());
  });
}

TEST(SubsetStatistics, OutputDomainIsTheRangeOfTheStatistic) {
  const auto variance = subsets(BlockFunction::variance, rows_between(0, 100, 1000), 10);
  const RowDomain out = row_domain(variance.output_domain());
  EXPECT_EQ(*out.size, 10u);
  EXPECT_EQ(std::get<std::int64_t>(out.atom.bounds->lower), 0);
  const auto statistic =
      block_statistic_of(rows_between(0, 100, 1000), BlockFunction::variance, 10);
  EXPECT_EQ(std::get<std::int64_t>(out.atom.bounds->upper), statistic.range().upper);
}

TEST(SubsetStatistics, OneBlockIsTheStatisticOfAllRows) {
  const Doubles data = {3, 1, 4, 1, 5, 9, 2, 6};
  const Domain domain = rows_between(0, 10, data.size());
  const auto value = [&](BlockFunction function) {
    const Lattice lattice = block_statistic_of(domain, function, 1).range().lattice;
    return lattice.value(int128_t{results(subsets(function, domain, 1), data).at(0)});
  };
  EXPECT_EQ(value(BlockFunction::mean), 3.875);
  EXPECT_EQ(value(BlockFunction::median), 3.5);
  EXPECT_NEAR(value(BlockFunction::variance), 7.553571428571429, 1e-12);
}

TEST(SubsetStatistics, IntegerRowsHaveFractionalMeans) {
  const Domain domain = vector_of(closed_atom(AtomType::i64, std::int64_t{0}, std::int64_t{10}), 4);
  const auto mean = subsets(BlockFunction::mean, domain, 1);
  const Value value = mean.function()(make_column<std::int64_t>(AtomType::i64, {1, 2, 2, 99}));
  const auto& rows = static_cast<const OwnedColumn<std::int64_t>&>(*rows_in(value));
  const Lattice lattice = block_statistic_of(domain, BlockFunction::mean, 1).range().lattice;
  EXPECT_EQ(lattice.value(int128_t{rows.cells()[0]}), 3.75);  // 99 is clamped to 10
}

TEST(SubsetStatistics, RowsOutsideTheDomainStayWithinTheRange) {
  const Domain domain = rows_between(0, 10, 6);
  const Doubles bad = {kNaN, HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 5};
  for (const auto function :
       {BlockFunction::mean, BlockFunction::median, BlockFunction::variance}) {
    const auto range = block_statistic_of(domain, function, 3).range();
    for (const std::int64_t result : results(subsets(function, domain, 3), bad)) {
      EXPECT_GE(result, range.lower);
      EXPECT_LE(result, range.upper);
    }
  }
}

TEST(SubsetStatistics, D_DOM_4_AnotherNumberOfRowsIsOneFixedError) {
  const auto mean = subsets(BlockFunction::mean, rows_between(0, 10, 3), 2);
  const auto fails = [&](const Doubles& data) {
    return expect_error(ErrorKind::failed_function, [&] { results(mean, data); });
  };
  EXPECT_EQ(fails({1, 2}), fails({1, 2, 3, 4}));
}

// Datasets at change-one distance at most `d`, dealt with the same bits. Replaced rows keep their
// position.
struct Pair {
  Doubles one;
  Doubles other;
};

Pair neighbours(std::size_t size, std::size_t d, double lower, double upper, SplitMix& random) {
  const auto draw = [&] {
    const std::uint64_t kind = random() % 4;
    if (kind < 2) return kind == 0 ? lower : upper;
    return lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  Pair pair;
  for (std::size_t i = 0; i < size; ++i) pair.one.push_back(draw());
  pair.other = pair.one;
  for (std::size_t i = 0; i < d; ++i) pair.other[random() % size] = draw();
  return pair;
}

// Largest L1 distance and number of changed blocks over many such pairs.
struct Moves {
  std::int64_t l1 = 0;
  std::uint32_t blocks = 0;
};

Moves largest_moves(
    const Transformation& t, std::size_t size, std::size_t d, double lower, double upper) {
  SplitMix random(11);
  Moves most;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Pair pair = neighbours(size, d, lower, upper, random);
    const auto run = [&](const Doubles& data) {
      ReplayedBits bits(i);
      const ScopedBitSource scope(bits);
      return results(t, data);
    };
    const auto a = run(pair.one);
    const auto b = run(pair.other);
    Moves moves;
    for (std::size_t j = 0; j < a.size(); ++j) {
      moves.l1 += std::abs(a[j] - b[j]);
      moves.blocks += a[j] == b[j] ? 0 : 1;
    }
    most.l1 = std::max(most.l1, moves.l1);
    most.blocks = std::max(most.blocks, moves.blocks);
  }
  return most;
}

TEST(SubsetStatistics, D_SEN_1_NeighboursDealtAlikeStayWithinTheMap) {
  const std::size_t size = 11;
  const double lower = -2, upper = 5;
  const Domain domain = rows_between(lower, upper, size);
  for (const auto function :
       {BlockFunction::mean, BlockFunction::median, BlockFunction::variance}) {
    for (const std::uint64_t blocks : {1, 2, 4, 5}) {
      const auto t = subsets(function, domain, blocks);
      for (const std::uint32_t d : {1u, 2u, 3u}) {
        const Moves most = largest_moves(t, size, d, lower, upper);
        EXPECT_LE(most.l1, l1_map(t, d));
        EXPECT_LE(most.blocks, d);
        if (d == 1) {
          EXPECT_GT(most.l1, l1_map(t, d) / 3) << "the bound is loose";
        }
      }
    }
  }
}

TEST(SubsetStatistics, D_SEN_1_TheCheckRejectsOverlappingBlocks) {
  // Mutant whose blocks share a row, so one row moves two results.
  const std::size_t size = 11;
  const Domain domain = rows_between(0, 1, size);
  const auto honest = subsets(BlockFunction::median, domain, 2);
  const Transformation mutant(
      domain,
      change_one_distance(),
      honest.output_domain(),
      honest.output_metric(),
      whole_function([](const Value& value) -> Value {
        const auto& rows = static_cast<const OwnedColumn<double>&>(*rows_in(value));
        const Lattice lattice = lattice_for(0, 1);
        return make_column<std::int64_t>(
            AtomType::i64, {lattice.index(rows.cells()[0]), lattice.index(rows.cells()[0])});
      }),
      honest.stability_map());
  const Moves most = largest_moves(mutant, size, 1, 0, 1);
  EXPECT_GT(most.l1, l1_map(mutant, 1));
  EXPECT_GT(most.blocks, 1u);
}

TEST(SubsetStatistics, EqualDatasetsInAnotherOrderHaveTheSameLaw) {
  // 4 rows in 2 blocks of 2: the mean of the first block has 3 pairs of equally likely values.
  const auto mean = subsets(BlockFunction::mean, rows_between(0, 8, 4), 2);
  const auto law = [&](const Doubles& data) {
    ReplayedBits bits(5);
    const ScopedBitSource scope(bits);
    std::vector<std::int64_t> seen;
    std::vector<int> counts;
    for (int i = 0; i < 12000; ++i) {
      const std::int64_t first = results(mean, data).at(0);
      const auto found = std::find(seen.begin(), seen.end(), first);
      if (found == seen.end()) {
        seen.push_back(first);
        counts.push_back(1);
      } else {
        ++counts[static_cast<std::size_t>(found - seen.begin())];
      }
    }
    return counts;
  };
  // Expected 2000 each, standard deviation 41.
  for (const Doubles& data : {Doubles{0, 1, 2, 4}, Doubles{4, 2, 1, 0}, Doubles{2, 0, 4, 1}}) {
    const auto counts = law(data);
    ASSERT_EQ(counts.size(), 6u);
    for (const int count : counts) EXPECT_NEAR(count, 2000, 6 * 41);
  }
}

TEST(SubsetStatistics, StreamsTheRowsThatOperatorsMakeAndThreadsDoNotMatter) {
  const std::size_t size = 600000;
  Doubles data(size);
  SplitMix random(3);
  for (auto& x : data) x = static_cast<double>(random() % 2000) - 500;
  const Domain open = vector_of(non_nan_atom(AtomType::f64), size);
  const auto clamp = make_clamp(open, change_one_distance(), Bounds{0.0, 1000.0});
  const auto total = [&](std::size_t threads) {
    const std::size_t before = thread_count();
    set_thread_count(threads);
    const auto mean = subsets(BlockFunction::mean, clamp.output_domain(), 10);
    const auto sum = make_block_total(mean.output_domain(), mean.output_metric());
    const Value value =
        make_chain_tt(sum, make_chain_tt(mean, clamp)).invoke(make_column(AtomType::f64, data));
    set_thread_count(before);
    return element_in<int128_t>(value);
  };
  // Blocks have equal size, so the sum of means equals the mean of all rows up to rounding.
  const Lattice lattice = lattice_for(0, 1000);
  int128_t expected = 0;
  for (const double x : data) expected += lattice.index(std::min(std::max(x, 0.0), 1000.0));
  for (const std::size_t threads : {1, 3}) {
    const int128_t off = total(threads) - expected / (static_cast<int128_t>(size) / 10);
    EXPECT_LE(std::abs(static_cast<std::int64_t>(off)), 6);
  }
}

TEST(SubsetStatistics, RefusesBadPublicParameters) {
  const Domain domain = rows_between(0, 1, 10);
  const auto mean = [](const Domain& d, const Metric& in, std::uint64_t k, const Metric& out) {
    make_subset_statistics(d, in, BlockFunction::mean, k, out);
  };
  expect_error(ErrorKind::make_transformation,
               [&] { mean(domain, change_one_distance(), 0, l1()); });
  expect_error(ErrorKind::make_transformation,
               [&] { mean(domain, change_one_distance(), 11, l1()); });
  expect_error(ErrorKind::type, [&] { mean(domain, insert_delete_distance(), 2, l1()); });
  expect_error(ErrorKind::type,
               [&] { mean(domain, change_one_distance(), 2, l2_distance(AtomType::i64)); });
  expect_error(ErrorKind::type,
               [&] { mean(domain, change_one_distance(), 2, l1_distance(AtomType::f64)); });
  expect_error(ErrorKind::make_transformation, [&] {
    mean(vector_of(closed_atom(AtomType::f64, 0.0, 1.0)), symmetric_distance(), 2, l1());
  });
}

TEST(BlockTotal, AddsExactlyAndMovesNoMoreThanItsRows) {
  const Domain domain = vector_of(non_nan_atom(AtomType::i64), 3);
  const auto total = make_block_total(domain, l1());
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Value value = total.invoke(make_column<std::int64_t>(AtomType::i64, {most, most, 2}));
  EXPECT_EQ(element_in<int128_t>(value), int128_t{most} * 2 + 2);
  EXPECT_EQ(number_in<int128_t>(total.map(Scalar(std::int64_t{5}))), 5);
  expect_error(ErrorKind::make_transformation,
               [] { make_block_total(vector_of(non_nan_atom(AtomType::i64)), l1()); });
  expect_error(ErrorKind::type, [&] { make_block_total(domain, l2_distance(AtomType::i64)); });
  expect_error(ErrorKind::failed_cast,
               [] { make_block_total(vector_of(non_nan_atom(AtomType::i32), 3), l1()); });
}

}  // namespace
}  // namespace dp::test::subset_statistics_test

#include "core/transformations/rows/row_limit.h"

#include <gtest/gtest.h>

#include <map>

#include "core/combinators/chain.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/sums/float_sum.h"
#include "support/recorded_bits.h"
#include "support/reductions.h"

namespace dp::test::row_limit_test {
namespace {

Dataset<double> kept_of(const Function& function, const std::vector<double>& rows) {
  return to_dataset<double>(function(make_column(AtomType::f64, rows)));
}

TEST(RowLimit, PassesRowsThatAreNotTooMany) {
  const std::vector<double> rows = {1, 2, 4};
  for (const Function& limit : {keep_first(3), keep_sample(3), keep_first(9), keep_sample(9)}) {
    EXPECT_EQ(kept_of(limit, rows), (Dataset<double>{1.0, 2.0, 4.0}));
  }
}

TEST(RowLimit, KeepsTheFirstRowsWhereTheyLie) {
  EXPECT_EQ(kept_of(keep_first(2), {1, 2, 4}), (Dataset<double>{1.0, 2.0}));
  EXPECT_EQ(kept_of(keep_first(0), {1, 2, 4}), Dataset<double>{});
  const ColumnPtr rows = make_column<double>(AtomType::f64, {1, 2, 4});
  const Value kept = keep_first(2)(rows);
  BatchBuffer buffer;
  EXPECT_EQ(rows_in(kept)->read(0, 2, buffer).cells, rows->read(0, 2, buffer).cells);
}

TEST(RowLimit, SamplesAreSubsequencesOfTheRightSize) {
  std::vector<double> rows(3000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
  for (const std::uint64_t limit : {0, 1, 1500, 2999}) {
    const auto sample = kept_of(keep_sample(limit), rows);
    EXPECT_EQ(sample.size(), limit);
    for (std::size_t i = 1; i < sample.size(); ++i) EXPECT_LT(*sample[i - 1], *sample[i]);
  }
  EXPECT_NE(kept_of(keep_sample(1500), rows), kept_of(keep_sample(1500), rows));
}

// Chi-square over the 10 pairs of 5 rows. If all pairs are equally likely, it exceeds 47.3 with
// probability 3e-7.
double chi_square_of_pairs(const Function& limit) {
  constexpr int kDraws = 50000;
  std::map<std::vector<double>, int> counts;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> pair;
    for (const auto& row : kept_of(limit, {1, 2, 3, 4, 5})) pair.push_back(*row);
    ++counts[pair];
  }
  double statistic = (10 - static_cast<double>(counts.size())) * kDraws / 10;
  for (const auto& [pair, count] : counts) {
    const double off = count - kDraws / 10.0;
    statistic += off * off / (kDraws / 10.0);
  }
  return statistic;
}

TEST(RowLimit, EverySampleIsEquallyLikely) {
  ReplayedBits bits(5);
  const ScopedBitSource scoped(bits);
  EXPECT_LT(chi_square_of_pairs(keep_sample(2)), 47.3);
  EXPECT_GT(chi_square_of_pairs(keep_first(2)), 47.3);
}

TEST(RowLimit, SamplesRowsThatOperatorsMakeOnTheWay) {
  const auto clamp = make_clamp(
      vector_of(non_nan_atom(AtomType::f64)), symmetric_distance(), {Scalar(0.0), Scalar(1.0)});
  const auto sum = make_bounded_float_checked_sum(
      100, {Scalar(0.0), Scalar(1.0)}, {SumOrder::pairwise, AtomType::f64});
  EXPECT_EQ(invoke_on(make_chain_tt(sum, clamp), std::vector<double>(5000, 7.0)), 100.0);
}

}  // namespace
}  // namespace dp::test::row_limit_test

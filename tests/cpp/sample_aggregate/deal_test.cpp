#include "core/sample_aggregate/deal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/engine/parallel.h"
#include "support/recorded_bits.h"

namespace dp {
namespace {

RowsPtr numbered(std::size_t rows) {
  std::vector<std::int64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), 0);
  return make_rows(AtomType::i64, numbers);
}

const RowReader<std::int64_t> kCopy = [](const Block& in, std::int64_t* out) {
  std::copy_n(in.as<std::int64_t>(), in.size, out);
};

std::vector<std::int64_t> deal_numbered(const BlockShape& shape, BlockOrder order, unsigned bits) {
  const auto dealt = deal(*numbered(shape.rows), shape, order, kCopy, bits);
  return {dealt.get(), dealt.get() + shape.rows};
}

using Dealer = std::function<std::vector<std::int64_t>()>;

// Chi-square of `draws` outcomes that should all be equally likely, less its mean, in standard
// deviations: with 23 degrees of freedom 6.6 is exceeded with a probability below 1e-6.
double excess(const Dealer& dealer, std::size_t outcomes, std::size_t draws) {
  std::map<std::vector<std::int64_t>, double> seen;
  for (std::size_t i = 0; i < draws; ++i) ++seen[dealer()];
  EXPECT_LE(seen.size(), outcomes);
  const double expected = static_cast<double>(draws) / static_cast<double>(outcomes);
  double chi_square = static_cast<double>(outcomes - seen.size()) * expected;
  for (const auto& [outcome, count] : seen) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double freedom = static_cast<double>(outcomes) - 1;
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

constexpr double kLimit = 6.6;

TEST(Deal, EveryOrderIsEquallyLikelyWhateverTheNumberOfBuckets) {
  ReplayedBits bits(1);
  const ScopedBitSource scope(bits);
  for (const unsigned bucket_bits : {0u, 1u, 2u, 8u}) {
    const Dealer dealer = [&] { return deal_numbered({4, 2}, BlockOrder::random, bucket_bits); };
    EXPECT_LT(excess(dealer, 24, 24000), kLimit) << bucket_bits << " bits";
  }
}

// Sorts each block, so that only who is in it counts.
std::vector<std::int64_t> as_sets(std::vector<std::int64_t> dealt, const BlockShape& shape) {
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    std::sort(dealt.begin() + static_cast<std::ptrdiff_t>(shape.begin(block)),
              dealt.begin() + static_cast<std::ptrdiff_t>(shape.begin(block + 1)));
  }
  return dealt;
}

TEST(Deal, EveryPartitionIsEquallyLikelyIfOrderDoesNotMatter) {
  ReplayedBits bits(2);
  const ScopedBitSource scope(bits);
  const BlockShape shape{5, 3};  // blocks of 2, 2, 1: 30 partitions
  for (const unsigned bucket_bits : {0u, 1u, 2u, 8u}) {
    const Dealer dealer = [&] {
      return as_sets(deal_numbered(shape, BlockOrder::arbitrary, bucket_bits), shape);
    };
    EXPECT_LT(excess(dealer, 30, 30000), kLimit) << bucket_bits << " bits";
  }
}

TEST(Deal, TheCheckRejectsBucketsThatAreNotShuffled) {
  ReplayedBits bits(3);
  const BlockShape shape{5, 3};
  // One bit for each row decides between front and back, and the order is kept otherwise.
  const Dealer mutant = [&] {
    std::vector<std::int64_t> front, back;
    for (std::int64_t i = 0; i < 5; ++i) (bits.bit() ? front : back).push_back(i);
    front.insert(front.end(), back.begin(), back.end());
    return as_sets(front, shape);
  };
  EXPECT_GT(excess(mutant, 30, 30000), kLimit);
}

TEST(Deal, PutsEachRowInExactlyOnePlace) {
  const std::size_t before = thread_count();
  for (const std::size_t threads : {1, 3}) {
    set_thread_count(threads);
    for (const std::size_t rows : {1, 2, 1023, 1024, 1025, 131071, 131073, 524295}) {
      const BlockShape shape{rows, std::min<std::size_t>(rows, 7)};
      for (const BlockOrder order : {BlockOrder::arbitrary, BlockOrder::random}) {
        auto dealt = deal_numbered(shape, order, bucket_bits_for(rows));
        std::sort(dealt.begin(), dealt.end());
        for (std::size_t i = 0; i < rows; ++i) {
          ASSERT_EQ(dealt[i], static_cast<std::int64_t>(i)) << rows << " rows";
        }
      }
    }
  }
  set_thread_count(before);
}

TEST(Deal, ManyRowsAreSpreadEvenlyOverTheBlocks) {
  ReplayedBits bits(4);
  const ScopedBitSource scope(bits);
  const BlockShape shape{200000, 2};
  const auto dealt = deal_numbered(shape, BlockOrder::arbitrary, bucket_bits_for(shape.rows));
  // The mean of the numbers in the first block: expected 99999.5, standard deviation
  // sqrt(n (n + 1) / 12 / (n / 2) / 2) = 129.
  const double mean = std::accumulate(dealt.begin(), dealt.begin() + 100000, 0.0) / 100000;
  EXPECT_NEAR(mean, 99999.5, 5 * 129.2);
}

TEST(Deal, TakesFewBucketsForFewRows) {
  EXPECT_EQ(bucket_bits_for(1), 0u);
  EXPECT_EQ(bucket_bits_for(16384), 0u);
  EXPECT_EQ(bucket_bits_for(16385), 1u);
  EXPECT_EQ(bucket_bits_for(std::size_t{1} << 40), 8u);
}

}  // namespace
}  // namespace dp

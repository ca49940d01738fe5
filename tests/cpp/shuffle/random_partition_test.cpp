#include "core/shuffle/random_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/data/batch.h"
#include "core/error.h"
#include "core/runtime/parallel.h"
#include "support/recorded_bits.h"

namespace dp::random_partition_test {
namespace {

const ElementRuns<std::int64_t> kNumbers =
    [](std::size_t begin, std::size_t end, const auto& take) {
      for (; begin < end; begin += kBatchRows) {
        std::int64_t run[kBatchRows];
        std::iota(run, run + kBatchRows, static_cast<std::int64_t>(begin));
        take(run, std::min(kBatchRows, end - begin));
      }
    };

std::vector<std::int64_t> deal_numbers(const BlockShape& shape,
                                       BlockOrder order,
                                       std::size_t bins,
                                       std::size_t threads = 1) {
  std::vector<std::int64_t> dealt(shape.rows, -1);
  deal(kNumbers, shape, order, bins, threads, secure_bits, dealt.data());
  return dealt;
}

using Dealer = std::function<std::vector<std::int64_t>()>;

// Chi-square of `draws` equally likely outcomes, minus its mean, in standard deviations. With 23
// degrees of freedom it exceeds 6.6 with probability below 1e-6.
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
  for (const std::size_t bins : {1, 2, 3, 4}) {
    const Dealer dealer = [&] { return deal_numbers({4, 2}, BlockOrder::random, bins); };
    EXPECT_LT(excess(dealer, 24, 24000), kLimit) << bins << " bins";
  }
}

// Sorts each block, so only its members matter.
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
  for (const std::size_t bins : {1, 2, 3, 4, 5}) {
    const Dealer dealer = [&] {
      return as_sets(deal_numbers(shape, BlockOrder::arbitrary, bins), shape);
    };
    EXPECT_LT(excess(dealer, 30, 30000), kLimit) << bins << " bins";
  }
}

TEST(Deal, TheCheckRejectsBucketsThatAreNotShuffled) {
  ReplayedBits bits(3);
  const BlockShape shape{5, 3};
  // Mutant: one bit per row decides between front and back, and keeps the order otherwise.
  const Dealer mutant = [&] {
    std::vector<std::int64_t> front, back;
    for (std::int64_t i = 0; i < 5; ++i) (bits.bit() ? front : back).push_back(i);
    front.insert(front.end(), back.begin(), back.end());
    return as_sets(front, shape);
  };
  EXPECT_GT(excess(mutant, 30, 30000), kLimit);
}

TEST(Deal, TheCheckRejectsRowsWithoutABinThatKeepTheirOrder) {
  ReplayedBits bits(4);
  const BlockShape shape{5, 3};
  // Mutant: a row draws block 0, 1, 2 or none. Rows with none fill the remaining positions in
  // order.
  const Dealer mutant = [&] {
    for (;;) {
      std::vector<std::vector<std::int64_t>> block(4);
      for (std::int64_t i = 0; i < 5; ++i) block[bits.bits(2)].push_back(i);
      bool full = false;
      for (std::size_t b = 0; b < 3; ++b) full |= block[b].size() > shape.size(b);
      if (full) continue;
      std::vector<std::int64_t> dealt;
      auto next = block[3].begin();
      for (std::size_t b = 0; b < 3; ++b) {
        while (block[b].size() < shape.size(b)) block[b].push_back(*next++);
        dealt.insert(dealt.end(), block[b].begin(), block[b].end());
      }
      return as_sets(dealt, shape);
    }
  };
  EXPECT_GT(excess(mutant, 30, 30000), kLimit);
}

TEST(Deal, PutsEachRowInExactlyOnePlace) {
  for (const std::size_t threads : {1, 2, 3, 8}) {
    for (const std::size_t rows : {1, 2, 1023, 1024, 1025, 131071, 131073, 524295}) {
      const BlockShape shape{rows, std::min<std::size_t>(rows, 7)};
      for (const BlockOrder order : {BlockOrder::arbitrary, BlockOrder::random}) {
        auto dealt = deal_numbers(shape, order, bins_for(shape, order), threads);
        std::sort(dealt.begin(), dealt.end());
        for (std::size_t i = 0; i < rows; ++i) {
          ASSERT_EQ(dealt[i], static_cast<std::int64_t>(i)) << rows << " rows";
        }
      }
    }
  }
}

TEST(Deal, ManyRowsAreSpreadEvenlyOverTheBlocksByAnyNumberOfThreads) {
  const BlockShape shape{200000, 2};
  for (const std::size_t threads : {1, 2, 3, 8}) {
    for (const std::size_t bins : {2, 3, 20}) {
      const auto dealt = deal_numbers(shape, BlockOrder::arbitrary, bins, threads);
      // Mean of the numbers in the first block: expected 99999.5, standard deviation sqrt(n (n + 1)
      // / 12 / (n / 2) / 2) = 129.
      const double mean = std::accumulate(dealt.begin(), dealt.begin() + 100000, 0.0) / 100000;
      EXPECT_NEAR(mean, 99999.5, 6 * 129.2);
    }
  }
}

TEST(Deal, BlocksAreBinsWhereThatSavesShuffling) {
  const auto bins = [](std::size_t rows, std::size_t blocks, BlockOrder order) {
    return bins_for({rows, blocks}, order);
  };
  EXPECT_EQ(bins(10000, 10, BlockOrder::arbitrary), 1u);
  EXPECT_EQ(bins(10000000, 1000, BlockOrder::arbitrary), 1000u);
  EXPECT_EQ(bins(10000000, 1000, BlockOrder::random), 256u);
  EXPECT_EQ(bins(10000000, 1000000, BlockOrder::arbitrary), 256u);
  EXPECT_EQ(bins(100000, 1, BlockOrder::random), 12u);
  // A bin within one block keeps the order of its rows.
  const auto dealt = deal_numbers({100000, 10}, BlockOrder::arbitrary, 10);
  EXPECT_TRUE(std::is_sorted(dealt.begin(), dealt.begin() + 5000));
}

TEST(Deal, AFullBinStartsAgain) {
  // For two rows in two bins, the same bin for both is rejected. This takes three words, and the
  // following draws use the rest.
  std::vector<std::uint64_t> words = {0, 0};
  for (const std::uint64_t word : replayed_words(5, 64)) words.push_back(word);
  RecordedBits bits(words);
  const ScopedBitSource scope(bits);
  auto dealt = deal_numbers({2, 2}, BlockOrder::arbitrary, 2);
  EXPECT_GT(bits.used(), 2u);
  std::sort(dealt.begin(), dealt.end());
  EXPECT_EQ(dealt, (std::vector<std::int64_t>{0, 1}));
}

// Chi-square of how often `watched` numbers fall into each of 16 equal parts of the order.
double chi_square_of_places(std::size_t size, std::size_t threads, int rounds) {
  const std::size_t before = thread_count();
  set_thread_count(threads);
  std::vector<double> count(16);
  std::vector<std::uint32_t> order(size);
  const std::size_t step = size / 64;
  for (int round = 0; round < rounds; ++round) {
    random_order(order.data(), size);
    for (std::size_t i = 0; i < size; ++i) {
      if (order[i] % step == 0) ++count[i * 16 / size];
    }
  }
  set_thread_count(before);
  const double expected = std::accumulate(count.begin(), count.end(), 0.0) / 16;
  double statistic = 0;
  for (const double c : count) statistic += (c - expected) * (c - expected) / expected;
  return statistic;
}

TEST(RandomOrder, D_SAM_2_EveryNumberComesToEveryPlaceAlike) {
  // With 15 degrees of freedom, 57 is exceeded with probability below 1e-6.
  EXPECT_LT(chi_square_of_places(32768, 1, 60), 57);
  EXPECT_LT(chi_square_of_places(600000, 3, 10), 57);
}

TEST(RandomOrder, IsAPermutationAlsoWhenDealt) {
  ReplayedBits bits(94);
  for (const std::size_t size : {0, 1, 32767, 32768, 100000, 600001}) {
    std::vector<std::uint32_t> order(size);
    std::vector<std::size_t> places(size);
    random_order(order.data(), size, bits);
    random_order(places.data(), size);
    if (size > 100) {
      EXPECT_FALSE(std::is_sorted(order.begin(), order.begin() + 20));
      EXPECT_FALSE(std::equal(order.begin(), order.end(), places.begin()));
    }
    std::sort(order.begin(), order.end());
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(order[i], i);
      ASSERT_EQ(places[i], i);
    }
  }
}

TEST(RandomOrder, RefusesMoreThanItsTypeHolds) {
  RecordedBits none({});
  std::uint32_t order[1];
  EXPECT_THROW(random_order(order, (std::size_t{1} << 32) + 1, none), Error);
}

}  // namespace
}  // namespace dp::random_partition_test

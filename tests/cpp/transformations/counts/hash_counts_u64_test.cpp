#include "core/transformations/counts/hash_counts_u64.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "core/runtime/parallel.h"
#include "support/tier.h"

namespace dp::test::hash_counts_u64_test {
namespace {

using Counted = std::map<std::uint64_t, std::uint64_t>;

// Word i of data with about `distinct` different words, including 0 and the largest word.
std::uint64_t word_at(std::size_t i, std::size_t distinct) {
  const std::uint64_t number = (i * 2654435761u) % 4294967291u % distinct;
  return number == 1 ? ~std::uint64_t{0} : number * 64;
}

// Tally of `size` such words in ranges of `range_size`, added in pieces of 1000.
Counted tallied(std::size_t size,
                std::size_t distinct,
                std::size_t range_size,
                std::size_t threads) {
  WordTally tally;
  parallel_for((size + range_size - 1) / range_size, threads, [&](std::size_t number) {
    const std::size_t begin = number * range_size;
    const std::size_t end = std::min(size, begin + range_size);
    WordTally::Range range(tally, end - begin);
    for (std::size_t at = begin; at < end; at += 1000) {
      std::vector<std::uint64_t> words;
      for (std::size_t i = at; i < std::min(end, at + 1000); ++i) {
        words.push_back(word_at(i, distinct));
      }
      range.add(words.data(), words.size());
    }
  });
  const WordTally::Counts counts = tally.counts();
  Counted out;
  for (std::size_t i = 0; i < counts.words.size(); ++i) {
    EXPECT_TRUE(out.emplace(counts.words[i], counts.counts[i]).second) << "a word comes twice";
  }
  return out;
}

// Around the limit for few words (2^12) and the size of one sort (2^17).
TEST(WordTally, CountsFewAndManyWordsForAnyNumberOfThreadsAndRanges) {
  for (const std::size_t distinct : {1, 2, 1000, 4094, 4095, 4096, 5000, 100000}) {
    constexpr std::size_t kSize = 300007;
    Counted expected;
    for (std::size_t i = 0; i < kSize; ++i) ++expected[word_at(i, distinct)];
    for (const std::size_t threads : in_tier<std::vector<std::size_t>>({1, 3}, {1, 2, 3, 8})) {
      for (const std::size_t range_size : {7001, 1 << 17, 300007}) {
        EXPECT_EQ(tallied(kSize, distinct, range_size, threads), expected)
            << distinct << " words, " << threads << " threads, ranges of " << range_size;
      }
    }
  }
}

TEST(WordTally, IsEmptyBeforeAnythingIsAdded) {
  EXPECT_TRUE(WordTally().counts().words.empty());
  EXPECT_TRUE(tallied(0, 1, 10, 1).empty());
}

}  // namespace
}  // namespace dp::test::hash_counts_u64_test

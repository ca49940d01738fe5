#include "core/random/alias_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/numeric/integer.h"
#include "support/recorded_bits.h"

namespace dp::alias_table_test {
namespace {

using Weights = AliasTable::Weights;

// Weights of all sizes up to 2^bits, including 0, that sum to 2^(bits + 8).
Weights uneven_weights(unsigned bits, std::uint64_t seed) {
  ReplayedBits stream(seed);
  Weights weights{};
  const uint128_t total = uint128_t{1} << (bits + 8);
  uint128_t rest = total;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    const auto size = static_cast<unsigned>(stream.bits(8)) % (bits + 1);
    weights[i] = i % 16 == 3 ? 0 : (uint128_t{stream.word()} << 56 | 1) >> (120 - size);
    rest -= weights[i];
  }
  weights.back() = rest;
  return weights;
}

// Least r in [from, 2^24] where `holds` is true. `holds` must stay true above r.
template <class Predicate>
std::uint32_t least(std::uint32_t from, Predicate holds) {
  std::uint32_t to = std::uint32_t{1} << 24;
  while (from < to) {
    const std::uint32_t middle = from + (to - from) / 2;
    if (holds(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}

struct Masses {
  std::vector<Integer> words;  // that decide for each outcome
  std::uint64_t open = 0;      // words that do not decide
};

// Masses over all 2^32 words. In each column a range of words stays, at most a few are open, and
// the rest passes.
Masses masses(const AliasTable& table) {
  Masses result{std::vector<Integer>(AliasTable::kSize), 0};
  constexpr std::uint32_t kEnd = std::uint32_t{1} << 24;
  for (std::uint32_t column = 0; column < AliasTable::kSize; ++column) {
    const auto pick = [&](std::uint32_t r) { return table.pick(r << 8 | column); };
    const std::uint32_t stays =
        least(0, [&](std::uint32_t r) { return pick(r).outcome != column || !pick(r).is_certain; });
    const std::uint32_t passes = least(stays, [&](std::uint32_t r) { return pick(r).is_certain; });
    result.words[column] += stays;
    result.open += passes - stays;
    if (passes < kEnd) result.words[pick(kEnd - 1).outcome] += kEnd - passes;
  }
  return result;
}

// Whether no outcome has more words than its weight allows, and none lacks more than the open
// words.
bool is_exact(const Masses& found, const Weights& weights) {
  Integer total = 0;
  for (const uint128_t weight : weights) total += weight;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Integer due = Integer(weights[i]) << 32;
    if (found.words[i] * total > due) return false;
    if ((found.words[i] + found.open) * total < due) return false;
  }
  return true;
}

TEST(AliasTable, D_SAM_1_EnumeratesToTheWeightsUpToTheOpenWords) {
  for (const unsigned bits : {16u, 60u, 111u}) {
    const Weights weights = uneven_weights(bits, bits);
    const Masses found = masses(AliasTable(weights));
    EXPECT_TRUE(is_exact(found, weights)) << bits;
    EXPECT_LE(found.open, 2 * AliasTable::kSize) << bits;
  }
}

TEST(AliasTable, D_SAM_1_TheEnumerationRejectsOtherWeights) {
  const Weights weights = uneven_weights(60, 60);
  Weights other = weights;
  other[0] += std::uint64_t{1} << 60;
  other.back() -= std::uint64_t{1} << 60;
  EXPECT_FALSE(is_exact(masses(AliasTable(weights)), other));
}

// If shares are multiples of 2^-24, 24 bits always decide, so choose() enumerates to the weights.
TEST(AliasTable, D_SAM_1_ChoiceIsExactWhereTwentyFourBitsDecide) {
  const Weights weights = uneven_weights(16, 7);
  const AliasTable table(weights);
  RecordedBits none({});
  std::vector<Integer> words(AliasTable::kSize);
  constexpr std::uint32_t kEnd = std::uint32_t{1} << 24;
  for (std::uint32_t column = 0; column < AliasTable::kSize; ++column) {
    const auto choose = [&](std::uint32_t r) { return table.choose(r << 8 | column, none); };
    const std::uint32_t stays = least(0, [&](std::uint32_t r) { return choose(r) != column; });
    words[column] += stays;
    if (stays < kEnd) words[choose(kEnd - 1)] += kEnd - stays;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(words[i], Integer(weights[i]) << (32 - 24)) << i;
  }
}

TEST(AliasTable, AnOpenWordIsDecidedByTheNextBits) {
  Weights weights{};
  weights[0] = 1;
  weights[1] = 2;  // column 0 keeps 1/3 * 256 / 256 of the sum or a share with 3 in its denominator
  const AliasTable table(weights);
  std::size_t open = 0;
  for (std::uint32_t column = 0; column < AliasTable::kSize; ++column) {
    const std::uint32_t first =
        least(0, [&](std::uint32_t r) { return table.pick(r << 8 | column).outcome != column; });
    for (std::uint32_t r = first < 4 ? 0 : first - 4; r < first + 4; ++r) {
      const std::uint32_t word = (r << 8) | column;
      if (r >> 24 != 0 || table.pick(word).is_certain) continue;
      RecordedBits low({0, 0});
      RecordedBits high({~std::uint64_t{0}, ~std::uint64_t{0}});
      if (table.choose(word, low) == table.choose(word, high)) continue;
      EXPECT_EQ(low.used(), 1u);
      ++open;
    }
  }
  EXPECT_GE(open, 1u);
}

TEST(AliasTable, AnOpenMarginChangesNoChoice) {
  const AliasTable table(uneven_weights(111, 9));
  ReplayedBits bits(10);
  for (int i = 0; i < 20000; ++i) {
    const auto word = static_cast<std::uint32_t>(bits.word());
    const AliasTable::Pick usual = table.pick(word);
    ASSERT_TRUE(usual.is_certain);
    certified_slack = std::uint64_t{1} << 62;
    EXPECT_FALSE(table.pick(word).is_certain);
    EXPECT_EQ(table.choose(word, bits), usual.outcome);
    certified_slack = 0;
  }
}

}  // namespace
}  // namespace dp::alias_table_test

#include "core/random/uniform.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/error.h"
#include "random/enumeration.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::uniform_test {
namespace {

struct Rejected {};

// Whether every result below n has exactly floor(2^N / n) of the 2^N words.
template <class Word>
bool is_uniform(Word n, const std::function<Word(Word n, std::function<Word()>)>& below) {
  const std::uint64_t words = std::uint64_t{1} << (8 * sizeof(Word));
  std::vector<std::uint64_t> count(n, 0);
  for (std::uint64_t word = 0; word < words; ++word) {
    bool drawn = false;
    const auto draw_once = [&] {
      if (drawn) throw Rejected();
      drawn = true;
      return static_cast<Word>(word);
    };
    try {
      const Word result = below(n, draw_once);
      if (result >= n) return false;
      ++count[result];
    } catch (const Rejected&) {
    }
  }
  for (const std::uint64_t c : count) {
    if (c != words / n) return false;
  }
  return true;
}

template <class Word, class Wide>
Word below(Word n, std::function<Word()> draw) {
  return below_by_multiplication<Word, Wide>(n, draw);
}

TEST(UniformBelow, D_SAM_1_IsExactOnAllWordsOf8BitsAndAllBounds) {
  for (unsigned n = 1; n < 256; ++n) {
    EXPECT_TRUE(
        is_uniform<std::uint8_t>(static_cast<std::uint8_t>(n), below<std::uint8_t, std::uint16_t>))
        << n;
  }
}

TEST(UniformBelow, D_SAM_1_IsExactOnAllWordsOf16Bits) {
  for (unsigned n = 1; n <= 17; ++n) {
    EXPECT_TRUE(is_uniform<std::uint16_t>(static_cast<std::uint16_t>(n),
                                          below<std::uint16_t, std::uint32_t>))
        << n;
  }
  for (const unsigned n : {255u, 256u, 257u, 40000u, 65535u}) {
    EXPECT_TRUE(is_uniform<std::uint16_t>(static_cast<std::uint16_t>(n),
                                          below<std::uint16_t, std::uint32_t>))
        << n;
  }
}

std::uint8_t without_rejection(std::uint8_t n, std::function<std::uint8_t()> draw) {
  return static_cast<std::uint8_t>((draw() * n) >> 8);
}

std::uint8_t with_one_word_too_few(std::uint8_t n, std::function<std::uint8_t()> draw) {
  const unsigned surplus = (256u - n) % n;
  unsigned product;
  do {
    product = draw() * static_cast<unsigned>(n);
  } while ((product & 255) <= surplus);  // `<` is right
  return static_cast<std::uint8_t>(product >> 8);
}

TEST(UniformBelow, D_SAM_1_TheCheckRejectsMutants) {
  EXPECT_FALSE(is_uniform<std::uint8_t>(6, without_rejection));
  EXPECT_FALSE(is_uniform<std::uint8_t>(6, with_one_word_too_few));
}

TEST(UniformBelow, SixtyFourBitWordsAreRejectedExactlyBelowTheSurplus) {
  // 2^64 mod 3 = 1, so the only rejected word is 0.
  RecordedBits zero_then_one{0, 1};
  EXPECT_EQ(uniform_below(std::uint64_t{3}, zero_then_one), 0u);
  EXPECT_EQ(zero_then_one.used(), 2u);
  RecordedBits last{~std::uint64_t{0}};
  EXPECT_EQ(uniform_below(std::uint64_t{3}, last), 2u);
  RecordedBits any{12345};
  EXPECT_EQ(uniform_below(std::uint64_t{1}, any), 0u);
  RecordedBits top{~std::uint64_t{0}};
  EXPECT_EQ(uniform_below(~std::uint64_t{0}, top), ~std::uint64_t{0} - 1);
}

std::string check_uniform_integer(int n, const std::function<Integer(BitSource&)>& sampler) {
  return contradiction(enumerate(kEnumeratedBits, sampler), uniform_law(n), 0, n - 1);
}

TEST(UniformBelow, D_SAM_1_EnumeratedMassOfIntegersNeverExceedsTheLaw) {
  for (int n = 1; n <= 17; ++n) {
    EXPECT_EQ(check_uniform_integer(n, [n](BitSource& b) { return uniform_below(Integer(n), b); }),
              "");
  }
}

TEST(UniformBelow, D_SAM_1_TheEnumerationRejectsMutants) {
  const auto accepts_the_bound = [](BitSource& bits) {
    for (;;) {
      const Integer candidate = uniform_bits(3, bits);
      if (candidate <= 5) return candidate;
    }
  };
  const auto modulo = [](BitSource& bits) { return Integer(uniform_bits(3, bits) % 5); };
  EXPECT_NE(check_uniform_integer(5, accepts_the_bound), "");
  EXPECT_NE(check_uniform_integer(5, modulo), "");
}

TEST(UniformBelow, LargeIntegersUseEveryBitOnce) {
  const std::vector<std::uint64_t> words{1, 2, 3, 4};
  RecordedBits bits(words);
  const Integer x = uniform_bits(3 * 64 + 5, bits);
  // Three limbs, least significant first, then five bits below them.
  const Integer limbs = Integer(1) + (Integer(2) << 64) + (Integer(3) << 128);
  EXPECT_EQ(x, (limbs << 5) | 4);
  RecordedBits all_ones(std::vector<std::uint64_t>(4, ~std::uint64_t{0}));
  EXPECT_EQ(uniform_below(Integer(1) << 256, all_ones), (Integer(1) << 256) - 1);
}

TEST(UniformBelow, RefusesABoundOfZero) {
  RecordedBits none({});
  EXPECT_THROW(uniform_below(std::uint64_t{0}, none), Error);
  EXPECT_THROW(uniform_below(Integer(0), none), Error);
  EXPECT_THROW(uniform_below(Integer(-1), none), Error);
}

}  // namespace
}  // namespace dp::uniform_test

#include "core/random/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <vector>

#include "support/recorded_bits.h"

namespace dp::permutation_test {
namespace {

struct Rejected {};

// Whether all tuples of falling indices have equally many of the 2^16 words.
template <unsigned Count, class Indices>
bool all_tuples_equally_likely(std::uint16_t n, Indices indices) {
  std::size_t places = 1;
  for (unsigned i = 0; i < Count; ++i) places *= n;
  std::vector<int> count(places);
  for (unsigned word = 0; word < 65536; ++word) {
    bool drawn = false;
    const auto draw_once = [&] {
      if (drawn) throw Rejected();
      drawn = true;
      return static_cast<std::uint16_t>(word);
    };
    try {
      std::uint16_t index[Count];
      indices(n, index, draw_once);
      std::size_t place = 0;
      for (const std::uint16_t i : index) place = place * n + i;
      ++count.at(place);
    } catch (const Rejected&) {
    }
  }
  unsigned tuples = 1;
  for (unsigned i = 0; i < Count; ++i) tuples *= n - i;
  const auto drawn = static_cast<unsigned>(
      std::count_if(count.begin(), count.end(), [](int words) { return words > 0; }));
  return drawn == tuples && std::all_of(count.begin(), count.end(), [&](int words) {
           return words == 0 || words == static_cast<int>(65536 / tuples);
         });
}

const auto kFalling = [](std::uint16_t n, auto& index, auto draw) {
  std::uint16_t bound = 0;
  falling_indices<std::uint16_t, std::uint32_t>(n, bound, index, draw);
};

// With the product of larger bounds, as in a shuffle, if it fits a word.
const auto kFallingFurther = [](std::uint16_t n, auto& index, auto draw) {
  std::uint16_t bound = 1;
  for (std::size_t i = 0; i < std::size(index); ++i) {
    const std::uint32_t product = std::uint32_t{bound} * (n + 2u);
    bound = product < 65536 ? static_cast<std::uint16_t>(product) : std::uint16_t{65535};
  }
  falling_indices<std::uint16_t, std::uint32_t>(n, bound, index, draw);
};

TEST(FallingIndices, D_SAM_1_AllTuplesAreEquallyLikelyOnAllWords) {
  for (std::uint16_t n = 1; n <= 40; ++n) EXPECT_TRUE(all_tuples_equally_likely<1>(n, kFalling));
  for (std::uint16_t n = 2; n <= 40; ++n) EXPECT_TRUE(all_tuples_equally_likely<2>(n, kFalling));
  for (std::uint16_t n = 3; n <= 30; ++n) EXPECT_TRUE(all_tuples_equally_likely<3>(n, kFalling));
  for (std::uint16_t n = 5; n <= 9; ++n) EXPECT_TRUE(all_tuples_equally_likely<5>(n, kFalling));
}

TEST(FallingIndices, D_SAM_1_ABoundThatIsTooLargeChangesNothing) {
  for (std::uint16_t n = 2; n <= 40; ++n) {
    EXPECT_TRUE(all_tuples_equally_likely<2>(n, kFallingFurther));
  }
  for (std::uint16_t n = 3; n <= 30; ++n) {
    EXPECT_TRUE(all_tuples_equally_likely<3>(n, kFallingFurther));
  }
}

TEST(FallingIndices, D_SAM_1_TheCheckRejectsMutants) {
  const auto without_rejection = [](std::uint16_t n, auto& index, auto draw) {
    unsigned rest = draw();
    for (auto& i : index) {
      i = static_cast<std::uint16_t>((rest * n) >> 16);
      rest = (rest * n) & 65535;
      --n;
    }
  };
  const auto with_low_bound = [](std::uint16_t n, auto& index, auto draw) {
    std::uint16_t bound = 1;
    falling_indices<std::uint16_t, std::uint32_t>(n, bound, index, draw);
  };
  EXPECT_FALSE((all_tuples_equally_likely<3>(7, without_rejection)));
  EXPECT_FALSE((all_tuples_equally_likely<3>(7, with_low_bound)));
}

using Order = std::vector<int>;

// Orders that `algorithm` gives 0..n-1, for one word in the middle of each of n! equal parts of the
// word range.
template <class Algorithm>
std::map<Order, int> orders(int n, Algorithm algorithm) {
  int factorial = 1;
  for (int i = 2; i <= n; ++i) factorial *= i;
  const std::uint64_t part = ~std::uint64_t{0} / static_cast<std::uint64_t>(factorial);
  std::map<Order, int> found;
  for (int i = 0; i < factorial; ++i) {
    Order order(n);
    std::iota(order.begin(), order.end(), 0);
    RecordedBits bits{static_cast<std::uint64_t>(i) * part + part / 2};
    algorithm(order, bits);
    ++found[order];
  }
  return found;
}

TEST(Shuffle, D_SAM_1_FiveElementsTakeEachOrderFromOneWordPart) {
  const auto found = orders(5, [](Order& o, BitSource& b) { shuffle(o.data(), o.size(), b); });
  EXPECT_EQ(found.size(), 120u);
}

// All index sequences with equal weight. Each index is below the bound that the algorithm
// requested.
template <class Algorithm>
std::map<Order, double> exact_orders(int n, Algorithm algorithm) {
  std::map<Order, double> found;
  std::function<void(std::vector<std::uint64_t>, double)> extend =
      [&](std::vector<std::uint64_t> words, double weight) {
        Order order(n);
        std::iota(order.begin(), order.end(), 0);
        RecordedBits bits(words);
        try {
          algorithm(order, bits);
          found[order] += weight;
        } catch (const OutOfBits&) {
          // One word in each of 12 equal parts decides every draw below 2, 3 or 4 exactly.
          const std::uint64_t part = ~std::uint64_t{0} / 12;
          for (std::uint64_t i = 0; i < 12; ++i) {
            std::vector<std::uint64_t> more = words;
            more.push_back(i * part + part / 2);
            extend(more, weight / 12);
          }
        }
      };
  extend({}, 1);
  return found;
}

template <class Algorithm>
bool is_uniform(int n, std::size_t factorial, Algorithm algorithm) {
  const auto found = exact_orders(n, algorithm);
  return found.size() == factorial &&
         std::all_of(found.begin(), found.end(), [&](const auto& entry) {
           return std::abs(entry.second * static_cast<double>(factorial) - 1) < 1e-9;
         });
}

const auto kShuffle = [](Order& o, BitSource& b) { shuffle(o.data(), o.size(), b); };

TEST(Shuffle, D_SAM_1_SmallOrdersAreEquallyLikely) {
  EXPECT_TRUE(is_uniform(1, 1, kShuffle));
  EXPECT_TRUE(is_uniform(2, 2, kShuffle));
  EXPECT_TRUE(is_uniform(3, 6, kShuffle));
  EXPECT_TRUE(is_uniform(4, 24, kShuffle));
}

TEST(Shuffle, D_SAM_1_TheCheckRejectsMutants) {
  const auto never_in_place = [](Order& o, BitSource& b) {  // Sattolo: cycles only
    for (std::size_t left = o.size(); left > 1; --left) {
      std::swap(o[uniform_below(left - 1, b)], o[left - 1]);
    }
  };
  const auto any_index = [](Order& o, BitSource& b) {
    for (int& x : o) std::swap(x, o[uniform_below(o.size(), b)]);
  };
  EXPECT_FALSE(is_uniform(4, 24, never_in_place));
  EXPECT_FALSE(is_uniform(3, 6, any_index));
}

TEST(Shuffle, EverySizeYieldsAPermutation) {
  ReplayedBits bits(91);
  for (const std::size_t size : {0u, 1u, 2u, 4u, 5u, 6u, 4096u, 4097u, 32769u, 1048579u}) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0u);
    shuffle(order.data(), size, bits);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(order[i], i);
  }
}

}  // namespace
}  // namespace dp::permutation_test

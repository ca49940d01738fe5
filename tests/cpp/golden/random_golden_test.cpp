// Same draws from the same bits on every platform.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/random/bernoulli.h"
#include "core/random/canonical_noise.h"
#include "core/random/constant_time_bernoulli.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"
#include "core/random/geometric.h"
#include "core/random/heavy_tail_noise.h"
#include "core/random/permutation.h"
#include "core/random/uniform.h"
#include "support/golden.h"

namespace dp::test::random_golden_test {
namespace {

const Rational kSmall(7, 3);
const Rational kMiddle(100001);
const Rational kLarge(Integer(1) << 40);

// `count` draws of `draw`, and the next word, to show that every platform uses equally many bits.
template <class Draw>
std::string draws(std::size_t count, Draw draw) {
  return golden([&](Golden& found) {
    ScriptedBits bits(11);
    for (std::size_t i = 0; i < count; ++i) found.add(draw(bits));
    found.add(bits.word());
  });
}

// Single draws, and bulk draws with all vector instructions.
template <class Law>
std::string noise(const Rational& scale) {
  return golden_all_ways([&](Golden& found) {
    const Law law(scale);
    ScriptedBits bits(12);
    for (int i = 0; i < 300; ++i) found.add(law.draw(bits));
    std::vector<std::int64_t> many(20000);
    law.fill(many.data(), many.size(), bits);
    found.add(many);
    found.add(bits.word());
  });
}

TEST(GoldenRandom, DiscreteLaplace) {
  EXPECT_EQ(noise<DiscreteLaplace>(kSmall), "2ed34d36ed7a383d");
  EXPECT_EQ(noise<DiscreteLaplace>(kMiddle), "9fc5adf03a1ad924");
  EXPECT_EQ(noise<DiscreteLaplace>(kLarge), "01cd20b9d5f45534");
  EXPECT_EQ(draws(200, [](BitSource& bits) { return discrete_laplace(kSmall, bits); }),
            "4a44a3f9a34c8048");
}

TEST(GoldenRandom, DiscreteGaussian) {
  EXPECT_EQ(noise<DiscreteGaussian>(kSmall), "e80d3a4a234427fb");
  EXPECT_EQ(noise<DiscreteGaussian>(kMiddle), "ed20acc7a0479bb5");
  EXPECT_EQ(noise<DiscreteGaussian>(kLarge), "c2ce9b889dcdcc54");
  EXPECT_EQ(draws(200, [](BitSource& bits) { return discrete_gaussian(kSmall, bits); }),
            "974bc0413dc2878a");
}

TEST(GoldenRandom, Coins) {
  EXPECT_EQ(draws(2000, [](BitSource& bits) { return bernoulli(Rational(3, 7), bits); }),
            "d13fdb882b264a14");
  EXPECT_EQ(draws(2000, [](BitSource& bits) { return bernoulli(0.3, bits); }), "ad90e3f1eec9a18e");
  EXPECT_EQ(draws(2000, [](BitSource& bits) { return bernoulli_exp(Rational(5, 4), bits); }),
            "1c2b95d179dbb393");
  const ConstantTimeBernoulli coin(0.3);
  EXPECT_EQ(draws(2000, [&](BitSource& bits) { return coin.draw(bits); }), "bb71fbe562ead1d1");
}

TEST(GoldenRandom, OtherLaws) {
  EXPECT_EQ(draws(500, [](BitSource& bits) { return geometric(Rational(1, 9), bits); }),
            "00431e29db1417bc");
  EXPECT_EQ(draws(500, [](BitSource& bits) { return heavy_tail_noise(Rational(5, 2), bits); }),
            "89b9c9187a2dd69d");
  EXPECT_EQ(draws(2000, [](BitSource& bits) { return uniform_below(std::uint64_t{100}, bits); }),
            "0ff75689b1bd5aa0");
  EXPECT_EQ(draws(500, [](BitSource& bits) { return uniform_below(Integer(1) << 100, bits); }),
            "cda582da6ae644ce");
  const CanonicalNoise canonical(exact_rational(2.5), exact_rational(1e-6));
  EXPECT_EQ(draws(300, [&](BitSource& bits) { return canonical.add_to(3, 2, bits); }),
            "6ab24d261b83b249");
}

TEST(GoldenRandom, Permutations) {
  EXPECT_EQ(golden([](Golden& found) {
              std::vector<std::uint32_t> order(5000);
              std::iota(order.begin(), order.end(), 0U);
              ScriptedBits bits(13);
              shuffle(order.data(), order.size(), bits);
              found.add(order);
            }),
            "31d6757864ad5f94");
}

}  // namespace
}  // namespace dp::test::random_golden_test

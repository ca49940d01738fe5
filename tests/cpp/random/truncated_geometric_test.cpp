#include "core/random/truncated_geometric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/numeric/rational.h"
#include "support/exact_laws.h"
#include "support/finite_laws.h"
#include "support/recorded_bits.h"

namespace dp::test::truncated_geometric_test {
namespace {

Rational power(const Rational& q, std::uint64_t k) {
  Rational out = 1;
  for (std::uint64_t i = 0; i < k; ++i) out *= q;
  return out;
}

// 2^bits P[digit i is 1], or the probability of any bit above the digits, in exact arithmetic.
Rational exact_probability(double p, unsigned i, unsigned digits) {
  const Rational q = power(1 - exact_rational(p), std::uint64_t{1} << i);
  return i == digits ? q : Rational(q / (1 + q));
}

TEST(TruncatedGeometric, D_SAM_1_ProbabilitiesOfDigitsAreEnclosed) {
  for (double p : {0.5, 0.75, 0.1, 1e-3, 0x1p-40, 5e-324, 1.0}) {
    const TruncatedGeometric law(p, 15);
    ASSERT_EQ(law.digits(), 4u);
    for (unsigned i = 0; i <= 4; ++i) {
      const Rational truth = exact_probability(p, i, 4);
      for (unsigned bits : {4u, 64u, 128u, 300u}) {
        const auto [lower, upper] = law.probability(i, bits);
        const Rational scaled = truth * Rational(Integer(1) << bits);
        EXPECT_LE(Rational(lower), scaled) << p << " " << i << " " << bits;
        EXPECT_GE(Rational(upper), scaled) << p << " " << i << " " << bits;
        EXPECT_LE(upper - lower, 3);
      }
    }
  }
}

// All outcomes of independent coins with exact probabilities, compared with p q^g.
TEST(TruncatedGeometric, D_SAM_1_IndependentDigitsAreTheGeometricLaw) {
  for (double p : {0.5, 0.1, 0.75}) {
    const Rational q = 1 - exact_rational(p);
    constexpr unsigned kDigits = 4;
    Rational all = 0;
    for (unsigned g = 0; g < 1u << kDigits; ++g) {
      Rational mass = 1 - exact_probability(p, kDigits, kDigits);
      for (unsigned i = 0; i < kDigits; ++i) {
        const Rational one = exact_probability(p, i, kDigits);
        mass *= (g >> i & 1) != 0 ? one : Rational(1 - one);
      }
      EXPECT_EQ(mass, Rational(exact_rational(p) * power(q, g))) << g;
      all += mass;
    }
    EXPECT_EQ(Rational(1 - all), power(q, 1u << kDigits));
  }
}

double draws_fit(double p, std::uint64_t bound, double law_p) {
  ReplayedBits bits(71);
  const TruncatedGeometric noise(p, bound);
  std::vector<double> counts(bound + 1);
  for (int i = 0; i < 100000; ++i) counts[static_cast<std::size_t>(noise.draw(bits))] += 1;
  FiniteLaw law(bound + 1);
  const Wide q = 1 - Wide(law_p);
  for (std::uint64_t g = 0; g < bound; ++g) {
    law[g] = (1 - q) * pow(q, static_cast<unsigned>(g));
  }
  law[bound] = pow(q, static_cast<unsigned>(bound));
  return fit(counts, law);
}

TEST(TruncatedGeometric, D_SAM_2_DrawsHaveTheirLaw) {
  constexpr double kAlpha = 1e-6 / 8;
  for (double p : {0.5, 0.1, 0.02}) {
    for (std::uint64_t bound : {1u, 15u, 16u}) {
      EXPECT_GT(draws_fit(p, bound, p), kAlpha) << p << " " << bound;
    }
  }
  EXPECT_LT(draws_fit(0.1, 15, 0.107), kAlpha);
}

// If the leading words of a uniform are as close to the probability as possible, the following
// words decide.
TEST(TruncatedGeometric, D_SAM_1_WordsThatDoNotDecideAreExtended) {
  const double p = 0.3;
  const TruncatedGeometric law(p, 1);  // one digit, and what is above
  const auto [lower, upper] = law.probability(0, 128);
  const Rational truth = exact_probability(p, 0, 1);
  const auto word = [](const Integer& x) {
    return static_cast<std::uint64_t>(Integer(x & Integer(UINT64_MAX)));
  };
  const std::uint64_t most = ~std::uint64_t{0};  // with which the coin for what is above says no
  for (Integer prefix = lower - 2; prefix <= upper + 1; ++prefix) {
    const bool decided = prefix < lower || prefix >= upper;
    for (std::uint64_t third : {std::uint64_t{0}, most}) {
      std::vector<std::uint64_t> words = {word(prefix >> 64), word(prefix)};
      if (!decided) words.push_back(third);
      words.insert(words.end(), {most, most});
      RecordedBits bits(words);
      const Rational u((prefix << 64) | Integer(third), Integer(1) << 192);
      EXPECT_EQ(law.draw(bits) != 0, u < truth) << prefix - lower;
      EXPECT_EQ(bits.used(), words.size()) << prefix - lower;
    }
  }
}

TEST(TruncatedGeometric, D_CTL_4_TakesTwoWordsForEachDigitAndForWhatIsAbove) {
  for (const auto& [bound, digits] : {std::pair<uint128_t, unsigned>{0, 0},
                                      {1, 1},
                                      {255, 8},
                                      {256, 9},
                                      {uint128_t{1} << 64, 65}}) {
    const TruncatedGeometric law(1e-9, bound);
    EXPECT_EQ(law.digits(), digits);
    ReplayedBits source(3);
    std::vector<std::uint64_t> words(200);
    source.words(words.data(), words.size());
    RecordedBits bits(std::move(words));
    EXPECT_LE(law.draw(bits), bound);
    EXPECT_EQ(bits.used(), 2 * (digits + 1u));
  }
}

TEST(TruncatedGeometric, ACertainSuccessIsNoFailure) {
  ReplayedBits bits(9);
  const TruncatedGeometric law(1, 1000);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(law.draw(bits), 0u);
}

TEST(TruncatedGeometric, MagnitudesBeyondTheBoundAreTheBound) {
  ReplayedBits bits(9);
  const TruncatedGeometric law(5e-324, 1000);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(law.draw(bits), 1000u);
}

}  // namespace
}  // namespace dp::test::truncated_geometric_test

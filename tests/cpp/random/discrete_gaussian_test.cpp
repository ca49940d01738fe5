#include "core/random/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/neg_log.h"
#include "random/chi_square.h"
#include "random/enumeration.h"
#include "random/exact_reals.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::discrete_gaussian_test {
namespace {

constexpr double kAlpha = 1e-6 / 40;
constexpr std::uint64_t kEverythingOpen = std::uint64_t{1} << 62;

struct WideMargins {
  explicit WideMargins(std::uint64_t slack) { certified_slack = slack; }
  ~WideMargins() { certified_slack = 0; }
};

Rational rational(double x) { return Rational(x); }

// ---- By parts: the proposal is enumerated in discrete_laplace_test, the acceptance here ----

// (|x| - sigma^2 / t)^2 / (2 sigma^2)
Rational penalty(int x, const Rational& sigma, int t) {
  const Rational gap = Rational(std::abs(x)) - sigma * sigma / t;
  return gap * gap / (2 * sigma * sigma);
}

TEST(DiscreteGaussian, D_SAM_1_AcceptanceEnumeratesToItsProbability) {
  const Rational sigma(3, 2);
  for (int x = 0; x <= 6; ++x) {
    const Rational p = penalty(x, sigma, 2);
    const Law law = bernoulli_law(std::exp(-static_cast<double>(p)));
    const auto coin = [&](BitSource& b) { return Integer(bernoulli_exp(p, b)); };
    EXPECT_EQ(contradiction(enumerate(kEnumeratedBits, coin), law, 0, 1), "") << x;
  }
}

TEST(DiscreteGaussian, D_SAM_1_ProposalTimesAcceptanceIsProportionalToTheLaw) {
  for (const Rational& sigma : {Rational(1, 2), Rational(1), Rational(3, 2), Rational(5)}) {
    const int t = static_cast<int>(Integer(numerator(sigma) / denominator(sigma))) + 1;
    const auto s = static_cast<double>(sigma);
    const Law gaussian = discrete_gaussian_law(s);
    const Law laplace = discrete_laplace_law(t);
    const auto kept = [&](int x) {
      return laplace(x) * std::exp(-static_cast<double>(penalty(x, sigma, t)));
    };
    for (int x = -6; x <= 6; ++x) {
      EXPECT_NEAR(kept(x) / kept(0), gaussian(x) / gaussian(0), 1e-12) << sigma << " " << x;
    }
  }
}

// ---- The fast sampler, on identical bits ----

// One draw of the small-sigma algorithm by its formulas, from the words of `bits`: a geometric
// magnitude at t, a sign, then the acceptance.
std::int64_t draw_by_formula(double sigma, BitSource& bits) {
  const double t = std::floor(sigma) + 1;
  const ExactReal ratio = ExactReal(sigma) / ExactReal(t);
  for (;;) {
    const std::uint64_t word = bits.word();
    const ExactReal log = uniform_from(Integer(word >> 1), 63).log();
    const auto magnitude = static_cast<std::int64_t>((ExactReal(0.0) - ExactReal(t) * log).floor());
    const bool negative = (word & 1) != 0;
    if (negative && magnitude == 0) continue;
    const ExactReal gap = ExactReal(static_cast<double>(magnitude)) / ExactReal(sigma) - ratio;
    const ExactReal chance = (ExactReal(-0.5) * gap * gap).exp();
    const bool kept = uniform_from(Integer(bits.word()), 64) < chance;
    if (kept) return negative ? -magnitude : magnitude;
  }
}

bool matches_formula(const std::vector<std::int64_t>& draws, double sigma, std::uint64_t seed) {
  ReplayedBits bits(seed);
  for (const std::int64_t x : draws) {
    if (draw_by_formula(sigma, bits) != x) return false;
  }
  return true;
}

std::vector<std::int64_t> single_draws(double sigma, std::uint64_t seed) {
  ReplayedBits bits(seed);
  const DiscreteGaussian law(rational(sigma));
  std::vector<std::int64_t> draws(500);
  for (std::int64_t& x : draws) x = law.draw_int64(bits);
  return draws;
}

TEST(DiscreteGaussian, SingleDrawsAreTheFormulaOnTheSameBits) {
  for (const double sigma : {0x1p-300, 0.1, 0.5, 1.0, 1.5, 10.3, 1000.7, 1e5}) {
    EXPECT_TRUE(matches_formula(single_draws(sigma, 61), sigma, 61)) << sigma;
  }
}

TEST(DiscreteGaussian, TheFormulaRejectsMutants) {
  auto one_off = single_draws(10.3, 62);
  one_off[400] += 1;
  EXPECT_FALSE(matches_formula(one_off, 10.3, 62));
  EXPECT_FALSE(matches_formula(single_draws(9.8, 62), 10.3, 62));
}

TEST(DiscreteGaussian, DrawsOfBothWidthsAreTheSame) {
  for (const double sigma : {0.5, 10.3}) {
    ReplayedBits bits(63);
    const DiscreteGaussian law(rational(sigma));
    std::vector<std::int64_t> draws(500);
    for (std::int64_t& x : draws) x = static_cast<std::int64_t>(law.draw(bits));
    EXPECT_EQ(draws, single_draws(sigma, 63));
  }
}

TEST(DiscreteGaussian, TheRareTiersGiveTheSameDraws) {
  for (const double sigma : {0x1p-80, 0.1, 1.0, 10.3, 1e5, 3e9, 0x1.8p50}) {
    const auto fill = [&] {
      ReplayedBits bits(64);
      std::vector<std::int64_t> out(150);  // within one block of proposals
      DiscreteGaussian(rational(sigma)).fill(out.data(), out.size(), bits);
      return out;
    };
    const auto usual = fill();
    for (const std::uint64_t slack : {std::uint64_t{1} << 45, kEverythingOpen}) {
      const WideMargins open(slack);
      EXPECT_EQ(fill(), usual) << sigma;
    }
  }
}

TEST(DiscreteGaussian, SingleDrawsOfTheRareTiersAreTheSame) {
  for (const Rational& sigma : {Rational(1, 3),
                                Rational(7, 2),
                                Rational(Integer(3) << 40),
                                Rational(Integer(5) << 1074),
                                Rational(1, Integer(1) << 1074)}) {
    const DiscreteGaussian law(sigma);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      ReplayedBits bits(seed);
      const Integer usual = law.draw(bits);
      const WideMargins open(kEverythingOpen);
      ReplayedBits again(seed);
      EXPECT_EQ(law.draw(again), usual);
    }
  }
}

// ---- Against the law ----

double fit(double sigma, const std::vector<std::int64_t>& draws) {
  Histogram histogram(bin_width(sigma));
  for (const std::int64_t x : draws) histogram.add(x);
  return histogram.p_value(discrete_gaussian_intervals(sigma));
}

std::vector<std::int64_t> fill(const Rational& sigma, std::uint64_t seed) {
  ReplayedBits bits(seed);
  std::vector<std::int64_t> out(1000000);
  DiscreteGaussian(sigma).fill(out.data(), out.size(), bits);
  return out;
}

TEST(DiscreteGaussian, D_SAM_2_BulkDrawsFitTheLaw) {
  for (const Rational& sigma : {Rational(1, 4),
                                Rational(1, 2),
                                Rational(1),
                                Rational(3),
                                Rational(1000, 7),
                                Rational(1 << 20),
                                Rational(Integer(3) << 45)}) {
    EXPECT_GT(fit(static_cast<double>(sigma), fill(sigma, 71)), kAlpha) << sigma;
  }
}

TEST(DiscreteGaussian, D_SAM_2_SingleDrawsFitTheLaw) {
  for (const Rational& sigma :
       {Rational(1, 2), Rational(1), Rational(1000, 7), Rational(Integer(3) << 45)}) {
    const DiscreteGaussian law(sigma);
    ReplayedBits bits(72);
    std::vector<std::int64_t> draws(200000);
    for (std::int64_t& x : draws) x = static_cast<std::int64_t>(law.draw(bits));
    EXPECT_GT(fit(static_cast<double>(sigma), draws), kAlpha) << sigma;
  }
}

TEST(DiscreteGaussian, D_SAM_2_ThePlainSamplerFitsTheLaw) {
  ReplayedBits bits(73);
  std::vector<std::int64_t> draws(50000);
  for (std::int64_t& x : draws) {
    x = static_cast<std::int64_t>(discrete_gaussian(Rational(7, 2), bits));
  }
  EXPECT_GT(fit(3.5, draws), kAlpha);
}

TEST(DiscreteGaussian, D_SAM_2_DrawsBeyond64BitsFitTheLaw) {
  const DiscreteGaussian law(Rational(Integer(1) << 1100));
  ReplayedBits bits(74);
  std::vector<std::int64_t> draws(100000);
  // Rounded to multiples of 2^1070, the law equals the discrete Gaussian at 2^30 up to far less
  // than a count.
  for (std::int64_t& x : draws) {
    const Integer drawn = law.draw(bits);
    const Integer size = (abs(drawn) + (Integer(1) << 1069)) >> 1070;
    x = static_cast<std::int64_t>(size) * (drawn < 0 ? -1 : 1);
  }
  EXPECT_GT(fit(0x1p30, draws), kAlpha);
}

TEST(DiscreteGaussian, D_SAM_2_TheFitRejectsMutants) {
  EXPECT_LT(fit(3, fill(Rational(285, 100), 75)), kAlpha);
  auto one_sided = fill(Rational(3), 76);
  for (std::size_t i = 0; i < one_sided.size(); i += 20) one_sided[i] = std::abs(one_sided[i]);
  EXPECT_LT(fit(3, one_sided), kAlpha);
  auto short_tail = fill(Rational(3), 77);
  for (std::int64_t& x : short_tail) x = std::min<std::int64_t>(x, 10);
  EXPECT_LT(fit(3, short_tail), kAlpha);
}

// ---- Contract ----

TEST(DiscreteGaussian, D_SAM_3_EverySigmaReturnsSoon) {
  for (int step = 0; step <= 60; ++step) {
    const int exponent = -1074 + step * 3274 / 60;
    const Integer power = Integer(1) << std::abs(exponent);
    const Rational sigma = exponent < 0 ? Rational(3, power) : Rational(3 * power);
    RecordedBits bits(replayed_words(81, 1 << 13));
    const DiscreteGaussian law(sigma);
    EXPECT_NO_THROW({
      for (int i = 0; i < 20; ++i) law.draw(bits);
      discrete_gaussian(sigma, bits);
    }) << exponent;
  }
}

TEST(DiscreteGaussian, D_SAM_3_SigmaZeroIsZeroWithoutABit) {
  RecordedBits none({});
  EXPECT_EQ(discrete_gaussian(Rational(0), none), 0);
  EXPECT_EQ(DiscreteGaussian(Rational(0)).draw(none), 0);
  std::vector<std::int64_t> out(1000, 7);
  DiscreteGaussian(Rational(0)).fill(out.data(), out.size(), none);
  EXPECT_EQ(out, std::vector<std::int64_t>(1000, 0));
}

TEST(DiscreteGaussian, RefusesNegativeSigmaAnd64BitsBeyond2To55) {
  RecordedBits none({});
  std::int64_t out = 0;
  EXPECT_THROW(discrete_gaussian(Rational(-1, 2), none), Error);
  EXPECT_THROW(DiscreteGaussian(Rational(-1, 2)), Error);
  EXPECT_TRUE(DiscreteGaussian(Rational((Integer(1) << 55) - 1)).fits_int64());
  const DiscreteGaussian wide(Rational(Integer(1) << 55));
  EXPECT_FALSE(wide.fits_int64());
  EXPECT_THROW(wide.fill(&out, 1, none), Error);
}

}  // namespace
}  // namespace dp::discrete_gaussian_test

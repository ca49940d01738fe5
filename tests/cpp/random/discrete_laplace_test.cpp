#include "core/random/discrete_laplace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/geometric.h"
#include "core/random/laplace_simd.h"
#include "core/random/lazy_uniform.h"
#include "core/random/neg_log.h"
#include "random/chi_square.h"
#include "random/enumeration.h"
#include "random/exact_reals.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::discrete_laplace_test {
namespace {

constexpr double kAlpha = 1e-6 / 40;  // about as many goodness-of-fit tests in this suite

Rational rational(double x) { return Rational(x); }

// ---- The plain sampler, by enumeration ----

template <class Sampler>
std::string check(const Rational& scale, Sampler sampler) {
  const Law law = discrete_laplace_law(static_cast<double>(scale));
  return contradiction(enumerate(kEnumeratedBits, sampler), law, -12, 12);
}

TEST(DiscreteLaplace, D_SAM_1_EnumeratedMassNeverExceedsTheLaw) {
  for (const Rational& scale :
       {Rational(1, 3), Rational(1, 2), Rational(1), Rational(3, 2), Rational(5)}) {
    EXPECT_EQ(check(scale, [&](BitSource& b) { return discrete_laplace(scale, b); }), "") << scale;
  }
}

TEST(DiscreteLaplace, D_SAM_1_TheEnumerationRejectsMutants) {
  const auto two_zeros = [](BitSource& b) {
    const bool negative = b.bit();
    const Integer magnitude = geometric(1, 1, b);
    return negative ? Integer(-magnitude) : magnitude;
  };
  const auto one_off = [](BitSource& b) { return Integer(discrete_laplace(1, b) + 1); };
  const auto short_tail = [](BitSource& b) {
    const Integer x = discrete_laplace(1, b);
    return x > 1 ? Integer(1) : x;
  };
  const auto other_scale = [](BitSource& b) { return discrete_laplace(Rational(1, 2), b); };
  EXPECT_NE(check(1, two_zeros), "");
  EXPECT_NE(check(1, one_off), "");
  EXPECT_NE(check(1, short_tail), "");
  EXPECT_NE(check(1, other_scale), "");
}

// ---- The fast sampler, on identical bits ----

// Restores the certified margins at the end of a scope.
struct WideMargins {
  explicit WideMargins(std::uint64_t slack) { certified_slack = slack; }
  ~WideMargins() { certified_slack = 0; }
};

constexpr std::uint64_t kEverythingOpen = std::uint64_t{1} << 62;

std::vector<std::int64_t> fill(const Rational& scale, std::size_t size, std::uint64_t seed) {
  ReplayedBits bits(seed);
  std::vector<std::int64_t> out(size);
  DiscreteLaplace(scale).fill(out.data(), size, bits);
  return out;
}

// Whether the block `drawn` from the words of `seed` matches the formula on these words: sign and
// floor(s (-ln U + ln(2 / (1 + exp(-1 / s))))).
bool matches_formula(const std::vector<std::int64_t>& drawn, double scale, std::uint64_t seed) {
  ReplayedBits bits(seed);
  const ExactReal s(scale);
  const ExactReal c = (ExactReal(2.0) / (ExactReal(1.0) + (ExactReal(-1.0) / s).exp())).log();
  for (const std::int64_t x : drawn) {
    const std::uint64_t word = bits.word();
    const Integer prefix = word >> 1;
    const auto most = (s * (c - uniform_from(prefix, 63).log())).floor();
    const auto least = (s * (c - uniform_from(prefix + 1, 63).log())).floor();
    const auto magnitude = static_cast<std::uint64_t>(x < 0 ? -x : x);
    if (magnitude < least || magnitude > most) return false;
    if (x != 0 && (x < 0) != ((word & 1) != 0)) return false;
  }
  return true;
}

constexpr double kSmallScales[] = {0x1p-40, 0.01, 0.1, 0.5, 1, 1.5, 3.7, 100.25, 1e4, 1e5, 262143};

TEST(DiscreteLaplace, ABlockIsTheFormulaOnTheSameBits) {
  for (const double scale : kSmallScales) {
    EXPECT_TRUE(matches_formula(fill(rational(scale), 512, 21), scale, 21)) << scale;
  }
}

TEST(DiscreteLaplace, TheFormulaRejectsMutants) {
  const auto good = fill(rational(100.25), 512, 22);
  auto off_by_one = good;
  off_by_one[300] += 1;
  auto flipped = good;
  for (std::int64_t& x : flipped) x = -x;
  EXPECT_FALSE(matches_formula(off_by_one, 100.25, 22));
  EXPECT_FALSE(matches_formula(flipped, 100.25, 22));
  EXPECT_FALSE(matches_formula(fill(rational(0.95 * 100.25), 512, 22), 100.25, 22));
}

TEST(DiscreteLaplace, TheRareTiersGiveTheSameDraws) {
  for (const double scale : {0x1p-40, 0.1, 1.0, 3.7, 1e5, 3e9, 0x1.8p50}) {
    const auto usual = fill(rational(scale), 512, 23);
    for (const std::uint64_t slack : {std::uint64_t{1} << 45, kEverythingOpen}) {
      const WideMargins open(slack);
      EXPECT_EQ(fill(rational(scale), 512, 23), usual) << scale;
    }
  }
  const Rational third = Rational(1000, 7);
  const auto usual = fill(third, 512, 24);
  const WideMargins open(kEverythingOpen);
  EXPECT_EQ(fill(third, 512, 24), usual);
}

TEST(DiscreteLaplace, SingleDrawsOfTheRareTiersAreTheSame) {
  for (const Rational& scale : {Rational(1, 3),
                                Rational(7, 2),
                                Rational(Integer(3) << 40),
                                Rational(Integer(5) << 1074),
                                Rational(1, Integer(1) << 1074)}) {
    const DiscreteLaplace law(scale);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      ReplayedBits bits(seed);
      const Integer usual = law.draw(bits);
      const WideMargins open(kEverythingOpen);
      ReplayedBits again(seed);
      EXPECT_EQ(law.draw(again), usual);
    }
  }
}

TEST(DiscreteLaplace, DrawsOfBothWidthsAreTheSame) {
  for (const Rational& scale : {Rational(1, 3), Rational(1000, 7)}) {
    const DiscreteLaplace law(scale);
    ReplayedBits bits(25);
    ReplayedBits same(25);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(law.draw(bits), law.draw_int64(same));
  }
}

// ---- Quotient and remainder at large scales ----

// scale = 3 * 2^40: the remainder has 22 bits, and the other 42 bits of its word feed its coin.
constexpr unsigned kRemainderBits = 22;
const Rational kLargeScale = Rational(Integer(3) << 40);

std::int64_t draw_with_remainder_words(std::vector<std::uint64_t> words) {
  words.insert(words.begin(), std::uint64_t{1} << 63);  // U = 1/2, positive
  RecordedBits bits(words);
  const std::int64_t x = DiscreteLaplace(kLargeScale).draw_int64(bits);
  EXPECT_EQ(bits.used(), words.size());
  return x & ((1 << kRemainderBits) - 1);
}

TEST(DiscreteLaplace, ARemainderIsKeptOrReplacedByAnExactCoin) {
  const std::uint64_t remainder = (1u << kRemainderBits) - 1;
  const std::uint64_t at_top = remainder << 42;
  const std::uint64_t coin_all_ones = (std::uint64_t{1} << 42) - 1;
  const std::uint64_t coin_of_18_ones = coin_all_ones << 24 & coin_all_ones;
  // exp(-r / s) = 1 - 1.27e-6: above 1 - 2^-18, below 1 - 2^-42.
  EXPECT_EQ(draw_with_remainder_words({at_top}), std::int64_t(remainder));
  EXPECT_EQ(draw_with_remainder_words({at_top | coin_of_18_ones}), std::int64_t(remainder));
  EXPECT_EQ(draw_with_remainder_words({at_top | coin_all_ones, std::uint64_t{5} << 42}), 5);
  // Remainder 0 is always kept. The sampler may read the remaining bits.
  EXPECT_EQ(draw_with_remainder_words({coin_all_ones - 3}), 0);
}

TEST(DiscreteLaplace, ARemainderThatItsFirstBitsLeaveOpenIsDecidedAsAtAnyPrecision) {
  ReplayedBits random(104);
  int kept = 0;
  for (int i = 0; i < 2000; ++i) {
    // Coins within twice r / s of 1, near the decision threshold.
    const std::uint64_t r = random.bits(kRemainderBits);
    const std::uint64_t gap = random.bits(20) * (8 * r / 3 + 2) >> 20;
    const std::uint64_t word = (r + 1) << (64 - kRemainderBits);
    const std::vector<std::uint64_t> words = {word - 1 - gap, std::uint64_t{5} << 42};
    const auto draw = [&] {
      std::vector<std::uint64_t> all = words;
      all.insert(all.begin(), std::uint64_t{1} << 63);
      RecordedBits bits(all);
      return DiscreteLaplace(kLargeScale).draw_int64(bits);
    };
    const std::int64_t usual = draw();
    const WideMargins open(kEverythingOpen);
    ASSERT_EQ(draw(), usual);
    kept += (usual & ((1 << kRemainderBits) - 1)) != 5;
  }
  EXPECT_GT(kept, 200);
  EXPECT_LT(kept, 1800);
}

// Counts draws that needed arbitrary precision, among bulk draws and single draws.
template <class Sampler>
std::uint64_t decisions(const Rational& scale, std::size_t draws) {
  ReplayedBits bits(105);
  const Sampler sampler(scale);
  std::vector<std::int64_t> out(draws);
  const std::uint64_t before = arbitrary_precision_decisions;
  sampler.fill(out.data(), out.size(), bits);
  for (std::int64_t& x : out) x = sampler.draw_int64(bits);
  return arbitrary_precision_decisions - before;
}

TEST(DiscreteLaplace, ArbitraryPrecisionIsSeldomNeeded) {
  for (const Rational& scale : {Rational(1), Rational(1 << 20), Rational((1 << 20) + 1)}) {
    EXPECT_EQ(decisions<DiscreteLaplace>(scale, 200000), 0u) << scale;
    EXPECT_EQ(decisions<DiscreteGaussian>(scale, 200000), 0u) << scale;
  }
  const Rational large(Integer(1) << 45);
  EXPECT_LE(decisions<DiscreteLaplace>(large, 200000), 400u);
  EXPECT_LE(decisions<DiscreteGaussian>(large, 200000), 400u);
  const WideMargins open(kEverythingOpen);
  EXPECT_GT(decisions<DiscreteLaplace>(large, 200), 400u);
}

TEST(DiscreteLaplace, TheQuotientOfALargeScaleIsTheFormulaOnTheSameBits) {
  const DiscreteLaplace law(Rational(Integer(5) << 1074));  // quotient scale 5 * 2^17
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ReplayedBits words(seed);
    const std::uint64_t word = words.word();
    ReplayedBits bits(seed);
    const Integer x = law.draw(bits);
    EXPECT_EQ(x < 0, (word & 1) != 0);
    const ExactReal quotient =
        ExactReal(Integer(5) << 17) * (ExactReal(0.0) - uniform_from(Integer(word >> 1), 63).log());
    EXPECT_EQ(static_cast<std::uint64_t>(abs(x) >> 1057), quotient.floor());
  }
}

// ---- Against the law ----

double fit(const IntervalLaw& law, double scale, const std::vector<std::int64_t>& draws) {
  Histogram histogram(bin_width(scale));
  for (const std::int64_t x : draws) histogram.add(x);
  return histogram.p_value(law);
}

TEST(DiscreteLaplace, D_SAM_2_BulkDrawsFitTheLaw) {
  for (const Rational& scale : {Rational(1, 10),
                                Rational(1, 2),
                                Rational(1),
                                Rational(3),
                                Rational(1000, 7),
                                Rational(1 << 20),
                                Rational(Integer(3) << 45)}) {
    const auto s = static_cast<double>(scale);
    EXPECT_GT(fit(discrete_laplace_intervals(s), s, fill(scale, 1000000, 31)), kAlpha) << scale;
  }
}

TEST(DiscreteLaplace, D_SAM_2_SingleDrawsFitTheLaw) {
  for (const Rational& scale :
       {Rational(1, 2), Rational(1), Rational(1000, 7), Rational(Integer(3) << 45)}) {
    const auto s = static_cast<double>(scale);
    const DiscreteLaplace law(scale);
    ReplayedBits bits(32);
    std::vector<std::int64_t> draws(300000);
    for (std::int64_t& x : draws) x = static_cast<std::int64_t>(law.draw(bits));
    EXPECT_GT(fit(discrete_laplace_intervals(s), s, draws), kAlpha) << scale;
    for (std::int64_t& x : draws) x = law.draw_int64(bits);
    EXPECT_GT(fit(discrete_laplace_intervals(s), s, draws), kAlpha) << scale;
  }
}

TEST(DiscreteLaplace, D_SAM_2_ThePlainSamplerFitsTheLaw) {
  ReplayedBits bits(33);
  std::vector<std::int64_t> draws(100000);
  for (std::int64_t& x : draws) {
    x = static_cast<std::int64_t>(discrete_laplace(Rational(1000, 7), bits));
  }
  EXPECT_GT(fit(discrete_laplace_intervals(1000.0 / 7), 1000.0 / 7, draws), kAlpha);
}

TEST(DiscreteLaplace, D_SAM_2_DrawsBeyond64BitsFitTheLawInTheirHighAndLowBits) {
  const DiscreteLaplace law(Rational(Integer(3) << 1074));
  ReplayedBits bits(34);
  std::vector<std::int64_t> high;
  Histogram low(1);
  for (int i = 0; i < 100000; ++i) {
    const Integer x = law.draw(bits);
    // Cutting 1074 bits leaves the magnitude geometric at 1/3. A fresh sign and rejection of (-, 0)
    // would make it Laplace, so the test keeps a zero only with a positive sign.
    const auto cut = static_cast<std::int64_t>(abs(x) >> 1074);
    if (cut != 0 || x > 0) high.push_back(x < 0 ? -cut : cut);
    low.add(static_cast<std::int64_t>(abs(x) & 255) - 128);
  }
  EXPECT_GT(fit(discrete_laplace_intervals(3), 3, high), kAlpha);
  const IntervalLaw bytes = [](double lower, double upper) {
    return std::max(0.0, std::min(upper, 127.0) - std::max(lower, -128.0) + 1) / 256;
  };
  EXPECT_GT(low.p_value(bytes), kAlpha);
}

TEST(DiscreteLaplace, D_SAM_2_TheFitRejectsMutants) {
  const IntervalLaw law = discrete_laplace_intervals(3);
  EXPECT_LT(fit(law, 3, fill(Rational(285, 100), 1000000, 35)), kAlpha);  // scale * 0.95
  auto two_zeros = fill(Rational(3), 1000000, 36);
  for (std::size_t i = 0; i < two_zeros.size(); i += 50) two_zeros[i] = 0;
  EXPECT_LT(fit(law, 3, two_zeros), kAlpha);
  auto one_sided = fill(Rational(3), 1000000, 37);
  for (std::size_t i = 0; i < one_sided.size(); i += 20) one_sided[i] = std::abs(one_sided[i]);
  EXPECT_LT(fit(law, 3, one_sided), kAlpha);
  auto last_one_silent = fill(Rational(3), 1000000, 38);
  for (std::size_t i = 9; i < last_one_silent.size(); i += 10) last_one_silent[i] = 0;
  EXPECT_LT(fit(law, 3, last_one_silent), kAlpha);
}

// ---- Contract ----

TEST(DiscreteLaplace, D_SAM_3_EveryScaleReturnsSoon) {
  for (int step = 0; step <= 60; ++step) {
    const int exponent = -1074 + step * 3274 / 60;  // up to 2^2200
    const Integer power = Integer(1) << std::abs(exponent);
    const Rational scale = exponent < 0 ? Rational(3, power) : Rational(3 * power);
    RecordedBits bits(replayed_words(41, 1 << 13));
    const DiscreteLaplace law(scale);
    EXPECT_NO_THROW({
      for (int i = 0; i < 20; ++i) law.draw(bits);
      for (int i = 0; i < 3; ++i) discrete_laplace(scale, bits);
    }) << exponent;
  }
}

TEST(DiscreteLaplace, D_SAM_3_ScaleZeroIsZeroWithoutABit) {
  RecordedBits none({});
  EXPECT_EQ(discrete_laplace(Rational(0), none), 0);
  EXPECT_EQ(DiscreteLaplace(Rational(0)).draw(none), 0);
  std::vector<std::int64_t> out(1000, 7);
  DiscreteLaplace(Rational(0)).fill(out.data(), out.size(), none);
  EXPECT_EQ(out, std::vector<std::int64_t>(1000, 0));
}

TEST(DiscreteLaplace, RefusesNegativeScales) {
  RecordedBits none({});
  EXPECT_THROW(discrete_laplace(Rational(-1, 2), none), Error);
  EXPECT_THROW(DiscreteLaplace(Rational(-1, 2)), Error);
}

TEST(DiscreteLaplace, SixtyFourBitDrawsAreRefusedBeyond2To55) {
  RecordedBits none({});
  std::int64_t out = 0;
  EXPECT_TRUE(DiscreteLaplace(Rational(Integer(1) << 55)).fits_int64());
  const DiscreteLaplace wide(Rational((Integer(1) << 55) + 1));
  EXPECT_FALSE(wide.fits_int64());
  EXPECT_THROW(wide.fill(&out, 1, none), Error);
  EXPECT_THROW(wide.draw_int64(none), Error);
}

TEST(DiscreteLaplace, AMagnitudeThatLeaves64BitsIsAnErrorNotAWrap) {
  // Six zero words: U is below 2^-383, so the draw is above 383 ln 2 * 2^55 > 2^63.
  const DiscreteLaplace law(Rational(Integer(1) << 55));
  RecordedBits tiny({0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  EXPECT_THROW(law.draw_int64(tiny), Error);
}

}  // namespace
}  // namespace dp::discrete_laplace_test

// Certified intervals checked against MPFR: exp_enclosure, neg_log, leading_bits, lazy_uniform.
#include <gtest/gtest.h>

#include <vector>

#include "core/random/exp_enclosure.h"
#include "core/random/lazy_uniform.h"
#include "core/random/leading_bits.h"
#include "core/random/neg_log.h"
#include "random/exact_reals.h"
#include "support/recorded_bits.h"

namespace dp::certified_test {
namespace {

bool encloses(const ExpEnclosure& found, const ExactReal& truth, unsigned bits) {
  const ExactReal scaled = truth.times_power_of_two(bits);
  return ExactReal(found.lower) <= scaled && scaled <= ExactReal(found.upper);
}

TEST(ExpEnclosure, HoldsTheTruthWithinThreeUnits) {
  ReplayedBits bits(11);
  for (int i = 0; i < 3000; ++i) {
    const Integer b = 1 + (Integer(bits.word()) >> bits.bits(6));
    const Integer a = (b * bits.bits(20)) >> bits.bits(5);
    const unsigned precision = 1 + static_cast<unsigned>(bits.bits(8));
    const ExpEnclosure found = exp_minus(a, b, precision);
    const ExactReal truth = (ExactReal(0.0) - ExactReal(a) / ExactReal(b)).exp();
    EXPECT_TRUE(encloses(found, truth, precision)) << a << "/" << b << " at " << precision;
    EXPECT_LE(found.upper - found.lower, 3);
    EXPECT_GE(found.lower, 0);
  }
}

TEST(ExpEnclosure, HoldsTheTruthAtTheEdges) {
  const Integer huge = Integer(1) << 1100;
  EXPECT_EQ(exp_minus(0, 1, 64).upper, Integer(1) << 64);
  EXPECT_GE(exp_minus(0, 1, 64).lower, (Integer(1) << 64) - 3);
  EXPECT_EQ(exp_minus(huge, 1, 300).upper, 1);
  EXPECT_EQ(exp_minus(huge, 1, 300).lower, 0);
  EXPECT_TRUE(encloses(exp_minus(huge - 1, huge, 300), (ExactReal(0.0) - 1.0).exp(), 300));
  EXPECT_TRUE(encloses(exp_minus(63, 1, 64), ExactReal(-63.0).exp(), 64));
  EXPECT_TRUE(encloses(exp_minus(64, 1, 64), ExactReal(-64.0).exp(), 64));
}

TEST(ExpEnclosure, TheCheckRejectsAnEnclosureTooHigh) {
  ExpEnclosure shifted = exp_minus(1, 2, 64);
  shifted.lower += 3;
  shifted.upper += 3;
  EXPECT_FALSE(encloses(shifted, ExactReal(-0.5).exp(), 64));
}

bool encloses(const FixedInterval& found, std::uint64_t w, unsigned unread) {
  const ExactReal most = ExactReal(0.0) - uniform_from(w, 64).log();
  const ExactReal least = ExactReal(0.0) - uniform_from(Integer(w) + (1u << unread), 64).log();
  return uniform_from(found.lower, 57) <= (least < 0.0 ? ExactReal(0.0) : least) &&
         most <= uniform_from(found.upper, 57);
}

TEST(NegLog, HoldsTheTruthForRandomWords) {
  ReplayedBits bits(12);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t w = (bits.word() >> bits.bits(6)) | 1;
    const auto unread = static_cast<unsigned>(bits.bits(2));
    EXPECT_TRUE(encloses(neg_log(w, unread), w, unread)) << w;
  }
}

TEST(NegLog, HoldsTheTruthAtTableEdgesAndPowersOfTwo) {
  for (std::uint64_t i = 0; i < 1024; ++i) {
    const std::uint64_t edge = (std::uint64_t{1} << 63) + (i << 53);
    for (const std::uint64_t w : {edge, edge + 1, edge - 1, edge + (std::uint64_t{1} << 53) - 1}) {
      EXPECT_TRUE(encloses(neg_log(w, 0), w, 0)) << w;
    }
  }
  for (unsigned e = 0; e < 64; ++e) {
    const std::uint64_t w = std::uint64_t{1} << e;
    EXPECT_TRUE(encloses(neg_log(w, 0), w, 0)) << w;
    EXPECT_TRUE(encloses(neg_log(w + (w - 1), 1), w + (w - 1), 1)) << w;
  }
}

TEST(NegLog, IsFourUnitsWideWhereUIsLarge) {
  ReplayedBits bits(13);
  for (int i = 0; i < 1000; ++i) {
    const FixedInterval found = neg_log(bits.word() | std::uint64_t{1} << 63, 0);
    EXPECT_LE(found.upper - found.lower, 4u);
  }
}

TEST(NegLog, TheCheckRejectsAnIntervalOffByItsWidth) {
  const std::uint64_t w = 0x9000000000000001u;
  FixedInterval shifted = neg_log(w, 0);
  shifted.lower += 4;
  shifted.upper += 4;
  EXPECT_FALSE(encloses(shifted, w, 0));
}

bool describes(const LeadingBits& found, const Integer& a, const Integer& b) {
  const std::int64_t shift = 64 - found.exponent;
  const Integer left = shift > 0 ? Integer(a << shift) : a;
  const Integer right = shift < 0 ? Integer(b << -shift) : b;
  return found.mantissa >> 63 == 1 && found.mantissa * right <= left &&
         left < (Integer(found.mantissa) + 1) * right &&
         found.exact == (found.mantissa * right == left);
}

TEST(LeadingBits, AreTheFirst64OfTheQuotient) {
  ReplayedBits bits(14);
  for (int i = 0; i < 5000; ++i) {
    const Integer a = (Integer(1 + bits.bits(16)) << bits.bits(11)) + bits.bits(8);
    const Integer b = (Integer(1 + bits.bits(16)) << bits.bits(11)) + bits.bits(8);
    EXPECT_TRUE(describes(leading_bits(a, b), a, b)) << a << "/" << b;
    const Integer c = 1 + (Integer(bits.word()) >> bits.bits(6));
    const Integer d = 1 + (Integer(bits.word()) >> bits.bits(6));
    EXPECT_TRUE(describes(leading_bits(c, d), c, d)) << c << "/" << d;
  }
}

TEST(LeadingBits, SayWhetherTheyAreAll) {
  EXPECT_TRUE(leading_bits(3, 8).exact);
  EXPECT_EQ(leading_bits(3, 8).mantissa, std::uint64_t{3} << 62);
  EXPECT_EQ(leading_bits(3, 8).exponent, -1);
  EXPECT_FALSE(leading_bits(1, 3).exact);
  EXPECT_TRUE(leading_bits(Integer(1) << 2200, 1).exact);
  EXPECT_FALSE(leading_bits((Integer(1) << 2200) + 1, 1).exact);
  LeadingBits wrong = leading_bits(1, 3);
  ++wrong.mantissa;
  EXPECT_FALSE(describes(wrong, 1, 3));
}

TEST(LazyUniform, ComparisonsExtendOnlyAUniformThatIsTooCloseToCall) {
  const Integer threshold = exp_minus(1, 1, 64).lower + 1;  // within a unit of 2^64 / e
  const auto close = static_cast<std::uint64_t>(threshold);
  RecordedBits far_bits({});
  LazyUniform far_below(close - 10, 64, far_bits);
  LazyUniform far_above(close + 10, 64, far_bits);
  EXPECT_TRUE(is_below_exp(far_below, 1, 1));
  EXPECT_FALSE(is_below_exp(far_above, 1, 1));

  // If the first 64 bits equal the threshold's, the next word decides.
  const ExactReal truth = ExactReal(-1.0).exp();
  const auto exact = truth.times_power_of_two(64).floor();
  for (const std::uint64_t next : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    RecordedBits more{next};
    LazyUniform u(exact, 64, more);
    EXPECT_EQ(is_below_exp(u, 1, 1), next == 0);
    EXPECT_EQ(more.used(), 1u);
    const ExactReal read = uniform_from((Integer(exact) << 64) + next, 128);
    EXPECT_EQ(read < truth, next == 0);
  }
}

TEST(LazyUniform, TheFoldedLawIsComparedExactly) {
  // 2 p / (1 + p) at p = exp(-1/2), k = 1.
  const ExactReal p = ExactReal(-0.5).exp();
  const ExactReal truth = p * 2.0 / (p + 1.0);
  const auto exact = truth.times_power_of_two(64).floor();
  for (const std::uint64_t next : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    RecordedBits more{next};
    LazyUniform u(exact, 64, more);
    EXPECT_EQ(is_below_folded_exp(u, 1, 2, 1), next == 0);
  }
}

}  // namespace
}  // namespace dp::certified_test

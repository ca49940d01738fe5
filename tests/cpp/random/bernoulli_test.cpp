#include "core/random/bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random/uniform.h"
#include "random/enumeration.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::bernoulli_test {
namespace {

template <class Sampler>
std::string check(double p, Sampler sampler) {
  return contradiction(
      enumerate(kEnumeratedBits, [&](BitSource& b) { return Integer(sampler(b)); }),
      bernoulli_law(p),
      0,
      1);
}

TEST(Bernoulli, D_SAM_1_EnumeratedMassOfRationalsNeverExceedsTheLaw) {
  for (int q = 1; q <= 12; ++q) {
    for (int p = 0; p <= q; ++p) {
      const double truth = static_cast<double>(p) / q;
      EXPECT_EQ(check(truth, [&](BitSource& b) { return bernoulli(Rational(p, q), b); }), "")
          << p << "/" << q;
    }
  }
}

TEST(Bernoulli, D_SAM_1_EnumeratedMassOfDoublesNeverExceedsTheLaw) {
  for (const double p : {0.0, 0.1, 0.25, 1.0 / 3, 0.5, 0.75, 0.9, 1 - 0x1p-53, 1.0, 0x1p-1074}) {
    EXPECT_EQ(check(p, [&](BitSource& b) { return bernoulli(p, b); }), "") << p;
  }
}

TEST(Bernoulli, D_SAM_1_TheEnumerationRejectsMutants) {
  EXPECT_NE(check(5.0 / 12, [](BitSource& b) { return uniform_below(Integer(12), b) <= 5; }), "");
  EXPECT_NE(check(0.5, [](BitSource& b) { return bernoulli(0.5 + 0x1p-12, b); }), "");
}

// Bits whose first set bit is at `position`, counted from 1.
std::vector<std::uint64_t> first_set_at(int position) {
  std::vector<std::uint64_t> words(17, 0);
  if (position > 0) words[(position - 1) / 64] = std::uint64_t{1} << ((position - 1) % 64);
  return words;
}

bool bit_read(double p, int position) {
  RecordedBits bits(first_set_at(position));
  return bernoulli(p, bits);
}

TEST(Bernoulli, ReadsTheBitOfADoubleAtTheFirstSetPosition) {
  EXPECT_TRUE(bit_read(0.625, 1));
  EXPECT_FALSE(bit_read(0.625, 2));
  EXPECT_TRUE(bit_read(0.625, 3));
  EXPECT_FALSE(bit_read(0.625, 4));
  EXPECT_FALSE(bit_read(1 - 0x1p-53, 54));
  EXPECT_TRUE(bit_read(1 - 0x1p-53, 53));
}

// H.5: a subnormal is true with its exact probability, not half of it.
TEST(Bernoulli, SubnormalsAreNotHalved) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_TRUE(bit_read(least, 1074));
  EXPECT_FALSE(bit_read(least, 1073));
  EXPECT_FALSE(bit_read(least, 1075));
  EXPECT_TRUE(bit_read(0x1.8p-1050, 1050));
  EXPECT_TRUE(bit_read(0x1.8p-1050, 1051));
  EXPECT_FALSE(bit_read(0x1.8p-1050, 1049));
}

TEST(Bernoulli, NoSetBitInTheWholeStreamIsFalse) { EXPECT_FALSE(bit_read(1 - 0x1p-53, 0)); }

TEST(BernoulliExp, D_SAM_1_EnumeratedMassNeverExceedsTheLaw) {
  for (const Rational& x :
       {Rational(0), Rational(1, 2), Rational(1), Rational(3, 2), Rational(7, 3)}) {
    EXPECT_EQ(
        check(std::exp(-static_cast<double>(x)), [&](BitSource& b) { return bernoulli_exp(x, b); }),
        "")
        << x;
  }
}

TEST(BernoulliExp, D_SAM_1_TheEnumerationRejectsMutants) {
  const auto even = [](BitSource& b) { return !bernoulli_exp(Rational(1, 2), b); };
  const auto short_series = [](BitSource& b) {
    int k = 1;
    while (k < 4 && uniform_below(Integer(k), b) == 0) ++k;
    return k % 2 == 1;
  };
  const auto without_rest = [](BitSource& b) { return bernoulli_exp(Rational(1), b); };
  EXPECT_NE(check(std::exp(-0.5), even), "");
  EXPECT_NE(check(std::exp(-1.0), short_series), "");
  EXPECT_NE(check(std::exp(-1.5), without_rest), "");
}

TEST(BernoulliExp, D_SAM_3_HugeArgumentsEnd) {
  ReplayedBits bits(1);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(bernoulli_exp(Rational(Integer(1) << 1000), bits));
}

TEST(Bernoulli, RefusesWhatIsNoProbability) {
  RecordedBits none({});
  EXPECT_THROW(bernoulli(Rational(-1, 2), none), Error);
  EXPECT_THROW(bernoulli(Rational(3, 2), none), Error);
  EXPECT_THROW(bernoulli(-0.1, none), Error);
  EXPECT_THROW(bernoulli(1.1, none), Error);
  EXPECT_THROW(bernoulli(std::nan(""), none), Error);
  EXPECT_THROW(bernoulli_exp(Rational(-1, 2), none), Error);
  EXPECT_THROW(bernoulli_exp(Integer(1), Integer(0), none), Error);
}

}  // namespace
}  // namespace dp::bernoulli_test

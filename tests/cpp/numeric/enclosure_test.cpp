#include "core/numeric/enclosure.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/numeric/rational.h"
#include "numeric/oracle.h"
#include "support/tier.h"

namespace dp::enclosure_test {
namespace {

using oracle::Mpfr;
using oracle::Words;

using MpfrUnary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Enclose = std::function<Enclosure(const Rational&, unsigned)>;

// Sets `out` to an exact end of an enclosure.
void set(Mpfr& out, const Real& x) {
  int exponent;
  const Real significand = frexp(x, &exponent);
  const auto units = static_cast<Integer>(ldexp(significand, 2048));
  oracle::set(out, Rational(units), MPFR_RNDN);
  mpfr_mul_2si(out.get(), out.get(), exponent - 2048, MPFR_RNDN);
}

// Whether [lower, upper] encloses the truth and is as narrow as promised. The truth is given to far
// more bits, rounded in both directions.
bool certified(const Enclosure& enclosure, Mpfr& below, Mpfr& above, unsigned bits) {
  Mpfr lower(2048), upper(2048), width(2048);
  set(lower, enclosure.lower);
  set(upper, enclosure.upper);
  mpfr_sub(width.get(), upper.get(), lower.get(), MPFR_RNDU);
  mpfr_div(width.get(), width.get(), above.get(), MPFR_RNDN);
  mpfr_abs(width.get(), width.get(), MPFR_RNDN);
  const bool narrow = mpfr_zero_p(above.get()) ||
                      mpfr_cmp_si_2exp(width.get(), 1, 34 - static_cast<int>(bits)) <= 0;
  return mpfr_lessequal_p(lower.get(), below.get()) &&
         mpfr_greaterequal_p(upper.get(), above.get()) && narrow;
}

int failures(
    const Enclose& enclose_function, MpfrUnary truth, bool positive, unsigned bits, int count) {
  Words words(bits);
  Mpfr x(1 << 13), below(2400), above(2400);
  int failed = 0;
  for (int i = 0; i < count; ++i) {
    // Magnitudes from 2^-1100 to 2^15. Logarithms are also tested near 1.
    const int scale = i % 2 == 0 ? words.between(-30, 15) : words.between(-1100, 0);
    Rational q = (words.next() | 1) * power_of_two(scale - 64);
    if (words.below(2) == 0) q = -q;
    if (positive) q = i % 3 == 0 ? Rational(1 + q / (1 << 16)) : Rational(abs(q));
    oracle::set(x, q, MPFR_RNDN);  // exact: a dyadic number of fewer bits
    truth(below.get(), x.get(), MPFR_RNDD);
    truth(above.get(), x.get(), MPFR_RNDU);
    failed += !certified(enclose_function(q, bits), below, above, bits);
  }
  return failed;
}

Enclosure log_of(const Rational& x, unsigned bits) { return log(x, bits); }
Enclosure exp_of(const Rational& x, unsigned bits) { return exp(x, bits); }
Enclosure expm1_of(const Rational& x, unsigned bits) { return expm1(x, bits); }

TEST(Enclosure, D_FLT_3_EveryTierContainsTheTruthAndIsNarrow) {
  const struct {
    unsigned bits;
    int count;
  } tiers[] = {{256, test::in_tier(1300, 4000)},
               {512, test::in_tier(700, 2000)},
               {2048, test::in_tier(50, 150)}};
  for (const auto& [bits, count] : tiers) {
    EXPECT_EQ(0, failures(log_of, mpfr_log, true, bits, count)) << bits;
    EXPECT_EQ(0, failures(exp_of, mpfr_exp, false, bits, count)) << bits;
    EXPECT_EQ(0, failures(expm1_of, mpfr_expm1, false, bits, count)) << bits;
  }
}

TEST(EnclosureMutants, D_FLT_3_AShiftedOrAWideEnclosureIsRejected) {
  const Enclose shifted = [](const Rational& x, unsigned bits) {
    const Enclosure e = log(x, bits);
    const Real width = e.upper - e.lower;
    return Enclosure{e.lower + width, e.upper + width};
  };
  const Enclose wide = [](const Rational& x, unsigned bits) {
    const Enclosure e = log(x, bits);
    const Real width = 4 * (e.upper - e.lower);
    return Enclosure{e.lower - width, e.upper + width};
  };
  EXPECT_GT(failures(shifted, mpfr_log, true, 256, 50), 0);
  EXPECT_GT(failures(wide, mpfr_log, true, 256, 50), 0);
}

TEST(Enclosure, ALowerTierContainsTheNext) {
  for (const Rational& x : {Rational(1, 3), Rational(7), Rational(355, 113)}) {
    for (const auto f : {log_of, exp_of}) {
      const Enclosure coarse = f(x, 192), middle = f(x, 300), fine = f(x, 2048);
      EXPECT_TRUE(coarse.lower < middle.lower && middle.lower < fine.lower);
      EXPECT_TRUE(fine.upper < middle.upper && middle.upper < coarse.upper);
    }
  }
}

TEST(Enclosure, ExactValuesAndEnds) {
  const Enclosure zero = log(Rational(1), 256);
  EXPECT_TRUE(zero.lower == 0 && zero.upper == 0);
  const Enclosure one = exp(Rational(0), 256);
  EXPECT_TRUE(one.lower == 1 && one.upper == 1);
  const Enclosure tiny = exp(Rational(-(Integer(1) << 1100)), 2048);
  EXPECT_TRUE(tiny.lower == 0 && tiny.upper > 0 && tiny.upper < ldexp(Real(1), -90000));
  const Enclosure nearly_minus_one = expm1(Rational(-(Integer(1) << 1100)), 256);
  EXPECT_TRUE(nearly_minus_one.lower == -1 && nearly_minus_one.upper > -1 &&
              nearly_minus_one.upper < 0);
  EXPECT_THROW(exp(Rational(1 << 17), 256), Error);
  EXPECT_THROW(log(Rational(0), 256), Error);
  EXPECT_THROW(log(Rational(-1), 256), Error);
  EXPECT_THROW(log(Rational(2), 4096), Error);
}

// c(s) = log(2 / (1 + exp(-1/s))), the constant of the discrete Laplace sampler.
TEST(Enclosure, ArithmeticComposes) {
  for (const Rational& s : {Rational(1, 5), Rational(1), Rational(1000, 7), Rational(1 << 20)}) {
    const Enclosure c = log(enclose(2) / (enclose(1) + exp(Rational(-1 / s), 2048)), 2048);
    Mpfr x(3000), truth(3000);
    oracle::set(x, Rational(-1 / s), MPFR_RNDN);
    mpfr_exp(x.get(), x.get(), MPFR_RNDN);
    mpfr_add_ui(x.get(), x.get(), 1, MPFR_RNDN);
    mpfr_ui_div(x.get(), 2, x.get(), MPFR_RNDN);
    mpfr_log(truth.get(), x.get(), MPFR_RNDN);
    Mpfr lower(2048), upper(2048);
    set(lower, c.lower);
    set(upper, c.upper);
    EXPECT_TRUE(mpfr_less_p(lower.get(), truth.get())) << s;
    EXPECT_TRUE(mpfr_greater_p(upper.get(), truth.get())) << s;
    EXPECT_TRUE(c.upper - c.lower < ldexp(Real(1), -1990)) << s;
  }
}

TEST(Enclosure, IntervalsContainEveryCombinationOfTheirPoints) {
  Words words(53);
  const auto interval = [&] {
    const Rational a(words.between(-50, 50), 7), b(words.between(0, 50), 11);
    return Enclosure{enclose(a).lower, enclose(a + b).upper};
  };
  for (int i = 0; i < 500; ++i) {
    const Enclosure a = interval(), b = interval();
    const bool divides = b.lower > 0 || b.upper < 0;
    const Enclosure sum = a + b, difference = a - b, product = a * b;
    const auto inside = [](const Enclosure& e, const Real& x) {
      return e.lower <= x && x <= e.upper;
    };
    for (const Real& x : {a.lower, a.upper, Real((a.lower + a.upper) / 2)}) {
      for (const Real& y : {b.lower, b.upper, Real((b.lower + b.upper) / 2)}) {
        ASSERT_TRUE(inside(sum, x + y) && inside(difference, x - y) && inside(product, x * y));
        ASSERT_TRUE(!divides || inside(a / b, x / y));
      }
    }
    if (!divides) {
      ASSERT_THROW(a / b, Error);
    }
  }
}

TEST(Enclosure, MonotoneFunctionsOfAnEnclosureContainThoseOfItsEnds) {
  const Enclosure x{Real(1), Real(2)};
  EXPECT_TRUE(exp(x, 256).lower <= exp(Rational(1), 2048).lower);
  EXPECT_TRUE(exp(x, 256).upper >= exp(Rational(2), 2048).upper);
  EXPECT_TRUE(log(x, 256).lower <= 0 && log(x, 256).upper >= log(Rational(2), 2048).upper);
  // They are also as narrow as possible.
  EXPECT_TRUE(exp(x, 256).lower > Real(2.7182818) && exp(x, 256).upper < Real(7.3890561));
  EXPECT_TRUE(log(x, 256).upper < Real(0.6931472));
}

}  // namespace
}  // namespace dp::enclosure_test

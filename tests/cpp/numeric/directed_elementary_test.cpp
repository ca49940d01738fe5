#include <gtest/gtest.h>

#include <functional>

#include "core/numeric/directed.h"
#include "numeric/oracle.h"

namespace dp::directed_elementary_test {
namespace {

using oracle::Mpfr;
using oracle::Words;

using Unary = std::function<double(double)>;
using MpfrUnary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// Number of differences between `candidate` and MPFR's directed result. If this or the nearest
// result is not finite, it must throw. Rounding to 160 bits and then to 53 in the same direction
// equals rounding once.
int mismatches(const Unary& candidate, MpfrUnary truth, mpfr_rnd_t direction, int arguments) {
  Words words(99);
  Mpfr x(64), exact;
  int count = 0;
  const auto try_argument = [&](double value) {
    mpfr_set_d(x.get(), value, MPFR_RNDN);
    truth(exact.get(), x.get(), MPFR_RNDN);
    const double nearest = exact.to<double>(MPFR_RNDN);
    truth(exact.get(), x.get(), direction);
    std::optional<double> expected = exact.to<double>(direction);
    if (!std::isfinite(nearest) || !std::isfinite(*expected)) expected.reset();
    count +=
        oracle::result_or_error(ErrorKind::overflow, [&] { return candidate(value); }) != expected;
  };
  for (const double value : oracle::edges<double>()) try_argument(value);
  for (const double value : {709.782712893384,
                             709.7827128933841,
                             -708.4,
                             -744.4400719213812,
                             -745.1332191019411,
                             -745.1332191019412,
                             -746.1,
                             -1e6,
                             -40.0,
                             -36.7,
                             1e-300,
                             -1e-300,
                             1e-17,
                             -1e-17,
                             -0.5,
                             0.5,
                             1e300}) {
    try_argument(value);
  }
  for (int i = 0; i < arguments; ++i) {
    const double any = oracle::any_finite<double>(words);
    const int binade = words.between(-60, 10);
    const double moderate = std::ldexp(static_cast<double>(words.next() >> 11), binade - 53);
    try_argument(i % 3 == 0 ? any : i % 3 == 1 ? moderate : -moderate);
  }
  return count;
}

// Arguments per direction. More would only slow down the sanitized run.
constexpr int kArguments = 20000;

TEST(Elementary, D_FLT_3_NaturalLogarithmsAreCorrectlyRounded) {
  EXPECT_EQ(0, mismatches(ln_up, mpfr_log, MPFR_RNDU, kArguments));
  EXPECT_EQ(0, mismatches(ln_down, mpfr_log, MPFR_RNDD, kArguments));
}

TEST(Elementary, D_FLT_3_LogarithmsOfOnePlusXAreCorrectlyRounded) {
  EXPECT_EQ(0, mismatches(ln1p_up, mpfr_log1p, MPFR_RNDU, kArguments));
  EXPECT_EQ(0, mismatches(ln1p_down, mpfr_log1p, MPFR_RNDD, kArguments));
}

TEST(Elementary, D_FLT_3_ExponentialsAreCorrectlyRounded) {
  EXPECT_EQ(0, mismatches(exp_up, mpfr_exp, MPFR_RNDU, kArguments));
  EXPECT_EQ(0, mismatches(exp_down, mpfr_exp, MPFR_RNDD, kArguments));
}

TEST(Elementary, D_FLT_3_ExponentialsMinusOneAreCorrectlyRounded) {
  EXPECT_EQ(0, mismatches(expm1_up, mpfr_expm1, MPFR_RNDU, kArguments));
  EXPECT_EQ(0, mismatches(expm1_down, mpfr_expm1, MPFR_RNDD, kArguments));
}

TEST(Elementary, D_FLT_3_BinaryLogarithmsAreCorrectlyRounded) {
  EXPECT_EQ(0, mismatches(log2_up<double>, mpfr_log2, MPFR_RNDU, kArguments));
}

TEST(ElementaryMutants, D_FLT_3_TheSystemLibraryIsRejected) {
  const Unary libm = [](double x) {
    if (!std::isfinite(std::log(x))) throw Error(ErrorKind::overflow, "");
    return std::log(x);
  };
  const Unary padded = [&](double x) { return std::nextafter(libm(x), HUGE_VAL); };
  EXPECT_GT(mismatches(libm, mpfr_log, MPFR_RNDU, 1000), 0);
  EXPECT_GT(mismatches(padded, mpfr_log, MPFR_RNDU, 1000), 0);
}

TEST(Elementary, UnderflowIsOneSubnormalUpAndZeroDown) {
  EXPECT_EQ(5e-324, exp_up(-1e308));
  EXPECT_EQ(5e-324, exp_up(-745.2));
  EXPECT_EQ(0, exp_down(-745.2));
  EXPECT_EQ(0, exp_down(-HUGE_VAL));
}

TEST(Elementary, ArgumentsWithoutAFiniteResultOverflow) {
  const auto overflows = [](double (*function)(double), double x) {
    return !oracle::result_or_error(ErrorKind::overflow, [&] { return function(x); }).has_value();
  };
  for (const auto function :
       {ln_up, ln_down, ln1p_up, ln1p_down, exp_up, exp_down, expm1_up, expm1_down}) {
    EXPECT_TRUE(overflows(function, std::nan("")));
    EXPECT_TRUE(overflows(function, HUGE_VAL));
  }
  EXPECT_TRUE(overflows(ln_up, 0));
  EXPECT_TRUE(overflows(ln_down, -1));
  EXPECT_TRUE(overflows(ln1p_up, -1));
  EXPECT_TRUE(overflows(log2_up<double>, 0));
  EXPECT_TRUE(overflows(log2_up<double>, -2));
  EXPECT_TRUE(overflows(exp_up, 1e300));
}

// Independent logarithm for integers: squares in 128-bit fixed point, one bit of the logarithm
// each. Truncates to the format's digits and adds one unit.
template <class F>
F log2_up_by_squaring(F n) {
  int exponent;
  const F significand = std::frexp(n, &exponent);
  const int k = exponent - 1;
  if (significand == F{0.5}) return static_cast<F>(k);
  int digits_of_k = 0;
  while (k >> digits_of_k != 0) ++digits_of_k;
  const int fraction_digits = std::numeric_limits<F>::digits - digits_of_k;
  auto x = static_cast<uint128_t>(std::ldexp(static_cast<double>(significand), 64)) << 64;
  std::uint64_t bits = 0;
  for (int i = 0; i < fraction_digits; ++i) {
    const Integer square = Integer(x) * Integer(x) >> 127;
    const bool carry = (square >> 128) != 0;
    bits = 2 * bits + carry;
    x = static_cast<uint128_t>(carry ? Integer(square >> 1) : square);
  }
  return static_cast<F>(k) + std::ldexp(static_cast<F>(bits + 1), -fraction_digits);
}

template <class F>
void check_whole_numbers() {
  Words words(5);
  for (int n = 1; n < 3000; ++n) {
    ASSERT_EQ(log2_up_by_squaring(static_cast<F>(n)), log2_up(static_cast<F>(n))) << n;
  }
  for (int i = 0; i < 5000; ++i) {
    const auto n = static_cast<F>(1 + (words.next() >> (64 - std::numeric_limits<F>::digits)) %
                                          (std::uint64_t{1} << words.between(1, 53)));
    ASSERT_EQ(log2_up_by_squaring(n), log2_up(n)) << n;
  }
}

TEST(Elementary, BinaryLogarithmsOfWholeNumbersAgreeWithRepeatedSquaring) {
  check_whole_numbers<float>();
  check_whole_numbers<double>();
  EXPECT_EQ(20, log2_up(1048576.0));
  EXPECT_EQ(0, log2_up(1.0F));
}

}  // namespace
}  // namespace dp::directed_elementary_test

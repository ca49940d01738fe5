#include "core/numeric/directed.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/numeric/limits.h"
#include "numeric/oracle.h"

namespace dp::directed_test {
namespace {

using oracle::Mpfr;
using oracle::Words;

template <class F>
using Binary = std::function<F(F, F)>;
using MpfrBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

constexpr int kPairs = 100000;

// Number of differences between `candidate` and `truth` rounded in `direction`. `candidate` must
// return this if it and the nearest result are finite, and throw otherwise.
template <class F>
int mismatches(const Binary<F>& candidate,
               const Binary<F>& nearest,
               MpfrBinary truth,
               mpfr_rnd_t direction,
               int pairs = kPairs) {
  Words words(2024);
  Mpfr a(64), b(64), exact;
  int count = 0;
  const auto try_pair = [&](F x, F y) {
    mpfr_set_d(a.get(), static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(b.get(), static_cast<double>(y), MPFR_RNDN);
    truth(exact.get(), a.get(), b.get(), direction);
    std::optional<F> expected = exact.to<F>(direction);
    if (!std::isfinite(nearest(x, y)) || !std::isfinite(*expected)) expected.reset();
    count +=
        oracle::result_or_error(ErrorKind::overflow, [&] { return candidate(x, y); }) != expected;
  };
  for (const F x : oracle::edges<F>()) {
    for (const F y : oracle::edges<F>()) try_pair(x, y);
  }
  for (int i = 0; i < pairs; ++i) {
    const F x = oracle::any_finite<F>(words);
    // Every fourth pair nearly cancels or nearly divides exactly.
    const F y =
        i % 4 == 0 ? std::nextafter(x, oracle::any_finite<F>(words)) : oracle::any_finite<F>(words);
    try_pair(x, y);
  }
  return count;
}

template <class F>
class Directed : public testing::Test {};
using Formats = testing::Types<float, double>;
TYPED_TEST_SUITE(Directed, Formats);

TYPED_TEST(Directed, D_FLT_3_SumsAreCorrectlyRounded) {
  using F = TypeParam;
  const Binary<F> nearest = std::plus<F>();
  EXPECT_EQ(0, mismatches<F>(add_up<F>, nearest, mpfr_add, MPFR_RNDU));
  EXPECT_EQ(0, mismatches<F>(add_down<F>, nearest, mpfr_add, MPFR_RNDD));
}

TYPED_TEST(Directed, D_FLT_3_DifferencesAreCorrectlyRounded) {
  using F = TypeParam;
  const Binary<F> nearest = std::minus<F>();
  EXPECT_EQ(0, mismatches<F>(sub_up<F>, nearest, mpfr_sub, MPFR_RNDU));
  EXPECT_EQ(0, mismatches<F>(sub_down<F>, nearest, mpfr_sub, MPFR_RNDD));
}

TYPED_TEST(Directed, D_FLT_3_ProductsAreCorrectlyRounded) {
  using F = TypeParam;
  const Binary<F> nearest = std::multiplies<F>();
  EXPECT_EQ(0, mismatches<F>(mul_up<F>, nearest, mpfr_mul, MPFR_RNDU));
  EXPECT_EQ(0, mismatches<F>(mul_down<F>, nearest, mpfr_mul, MPFR_RNDD));
}

TYPED_TEST(Directed, D_FLT_3_QuotientsAreCorrectlyRounded) {
  using F = TypeParam;
  const Binary<F> nearest = [](F a, F b) {
    return b == 0 ? std::numeric_limits<F>::infinity() : a / b;
  };
  EXPECT_EQ(0, mismatches<F>(div_up<F>, nearest, mpfr_div, MPFR_RNDU));
  EXPECT_EQ(0, mismatches<F>(div_down<F>, nearest, mpfr_div, MPFR_RNDD));
}

// The check above rejects plausible wrong implementations.
TEST(DirectedMutants, D_FLT_3_RoundingToNearestIsRejected) {
  const Binary<double> add = std::plus<double>();
  const Binary<double> div = [](double a, double b) { return b == 0 ? HUGE_VAL : a / b; };
  const Binary<double> nearest_sum = [](double a, double b) {
    if (!std::isfinite(a + b)) throw Error(ErrorKind::overflow, "");
    return a + b;
  };
  const Binary<double> nearest_quotient = [&](double a, double b) {
    if (!std::isfinite(div(a, b))) throw Error(ErrorKind::overflow, "");
    return div(a, b);
  };
  EXPECT_GT(mismatches<double>(nearest_sum, add, mpfr_add, MPFR_RNDU, 1000), 0);
  EXPECT_GT(mismatches<double>(nearest_quotient, div, mpfr_div, MPFR_RNDD, 1000), 0);
}

TEST(DirectedMutants, D_FLT_3_AlwaysSteppingIsRejectedAsLoose) {
  const Binary<double> step = [](double a, double b) {
    return std::nextafter(mul_up(a, b), HUGE_VAL);
  };
  EXPECT_GT(mismatches<double>(step, std::multiplies<double>(), mpfr_mul, MPFR_RNDU, 1000), 0);
}

TEST(DirectedMutants, D_FLT_3_AResidualThatUnderflowsIsRejected) {
  const Binary<double> unscaled = [](double a, double b) {
    const double product = a * b;
    if (!std::isfinite(product)) throw Error(ErrorKind::overflow, "");
    const double result =
        std::fma(a, b, -product) > 0 ? std::nextafter(product, HUGE_VAL) : product;
    if (!std::isfinite(result)) throw Error(ErrorKind::overflow, "");
    return result;
  };
  EXPECT_GT(mismatches<double>(unscaled, std::multiplies<double>(), mpfr_mul, MPFR_RNDU), 0);
}

TEST(DirectedMutants, D_FLT_3_InfiniteResultsAreNotLetThrough) {
  const Binary<double> silent = [](double a, double b) {
    return oracle::result_or_error(ErrorKind::overflow, [&] { return add_up(a, b); })
        .value_or(HUGE_VAL);
  };
  EXPECT_GT(mismatches<double>(silent, std::plus<double>(), mpfr_add, MPFR_RNDU, 1000), 0);
}

TEST(Directed, SquareRootsAreCorrectlyRounded) {
  Words words(7);
  Mpfr x(64), root;
  const auto check = [&](double value) {
    mpfr_set_d(x.get(), value, MPFR_RNDN);
    mpfr_sqrt(root.get(), x.get(), MPFR_RNDU);
    ASSERT_EQ(root.to<double>(MPFR_RNDU), sqrt_up(value)) << value;
    mpfr_sqrt(root.get(), x.get(), MPFR_RNDD);
    ASSERT_EQ(root.to<double>(MPFR_RNDD), sqrt_down(value)) << value;
  };
  for (const double value : oracle::edges<double>()) {
    if (value >= 0) check(value);
  }
  for (int i = 0; i < kPairs; ++i) check(std::fabs(oracle::any_finite<double>(words)));
  for (int i = 0; i < 1000; ++i) check(static_cast<double>(i) * i);
  for (const double bad : {-1.0, -5e-324, HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(sqrt_up(bad), Error);
    EXPECT_THROW(sqrt_down(bad), Error);
  }
}

TEST(Directed, DividingByAnInfinityIsExactlyZeroAndOtherInfinitiesOverflow) {
  EXPECT_EQ(0, div_up(1.0, HUGE_VAL));
  EXPECT_EQ(0, div_down(1.0, HUGE_VAL));
  EXPECT_THROW(add_up(HUGE_VAL, 1.0), Error);
  EXPECT_THROW(sub_up(HUGE_VAL, HUGE_VAL), Error);
  EXPECT_THROW(mul_down(0.0, HUGE_VAL), Error);
  EXPECT_THROW(div_up(HUGE_VAL, 1.0), Error);
}

// Reference by 128-bit arithmetic, which is exact for types up to int64_t and uint32_t.
template <class T>
void check_integers(T a, T b) {
  const int128_t x = a, y = b;
  const auto expect = [&](auto function, std::optional<int128_t> exact) {
    if (exact && (*exact < kMin<T> || *exact > static_cast<int128_t>(kMax<T>))) exact.reset();
    const auto actual =
        oracle::result_or_error(ErrorKind::overflow, [&] { return function(a, b); });
    ASSERT_EQ(exact.has_value(), actual.has_value());
    ASSERT_TRUE(!exact || *exact == static_cast<int128_t>(*actual));
  };
  const auto quotient = [&](bool up) -> std::optional<int128_t> {
    if (y == 0) return std::nullopt;
    int128_t q = x / y;
    while (up ? (y > 0 ? q * y < x : q * y > x) : false) ++q;
    while (up ? false : (y > 0 ? q * y > x : q * y < x)) --q;
    return q;
  };
  expect(add_up<T>, x + y);
  expect(add_down<T>, x + y);
  expect(sub_up<T>, x - y);
  expect(sub_down<T>, x - y);
  expect(mul_up<T>, x * y);
  expect(mul_down<T>, x * y);
  expect(div_up<T>, quotient(true));
  expect(div_down<T>, quotient(false));

  const auto held = [](int128_t exact) {
    return exact < kMin<T>                          ? kMin<T>
           : exact > static_cast<int128_t>(kMax<T>) ? kMax<T>
                                                    : static_cast<T>(exact);
  };
  ASSERT_EQ(held(x + y), saturating_add(a, b));
  ASSERT_EQ(held(x * y), saturating_mul(a, b));
  expect([](T v, T) { return abs_checked(v); }, x < 0 ? -x : x);
}

TEST(DirectedIntegers, EveryPairOfEightBitsAgreesWithWiderArithmetic) {
  for (int a = -128; a <= 255; ++a) {
    for (int b = -128; b <= 255; ++b) {
      if (a <= 127 && b <= 127)
        check_integers(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b));
      if (a >= 0 && b >= 0)
        check_integers(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
    }
  }
}

template <class T>
void check_random_integers() {
  Words words(11);
  const T edges[] = {
      kMin<T>, static_cast<T>(kMin<T> + 1), T(0), T(1), T(2), T(-1), kMax<T> / 2, kMax<T>};
  const auto draw = [&] {
    return words.below(3) == 0 ? edges[words.below(8)]
                               : static_cast<T>(words.next() >> words.below(64));
  };
  for (int i = 0; i < kPairs / 5; ++i) check_integers<T>(draw(), draw());
}

TEST(DirectedIntegers, WiderIntegersAgreeWithWiderArithmetic) {
  check_random_integers<std::int16_t>();
  check_random_integers<std::uint16_t>();
  check_random_integers<std::int32_t>();
  check_random_integers<std::uint32_t>();
  check_random_integers<std::int64_t>();
}

TEST(DirectedIntegers, UnsignedAndWideTypesOverflowAtTheirOwnLimits) {
  const std::uint64_t top = kMax<std::uint64_t>;
  EXPECT_EQ(top, add_up<std::uint64_t>(top - 1, 1));
  EXPECT_THROW(add_up<std::uint64_t>(top, 1), Error);
  EXPECT_THROW(sub_up<std::uint64_t>(0, 1), Error);
  EXPECT_THROW(mul_up<std::uint64_t>(top, 2), Error);
  EXPECT_EQ(top / 2 + 1, div_up<std::uint64_t>(top, 2));
  EXPECT_EQ(top, saturating_mul<std::uint64_t>(top, top));
  EXPECT_TRUE(kMax<int128_t> == add_up<int128_t>(kMax<int128_t> - 1, 1));
  EXPECT_THROW(add_up<int128_t>(kMax<int128_t>, 1), Error);
  EXPECT_THROW(div_up<int128_t>(kMin<int128_t>, -1), Error);
}

TEST(Directed, MessagesNameTheOperationAndNoOperand) {
  const auto message = [](auto function) -> std::string {
    try {
      function();
    } catch (const Error& error) {
      EXPECT_EQ(ErrorKind::overflow, error.kind());
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ("a + b overflows. Consider tightening your parameters.",
            message([] { add_up<std::int32_t>(kMax<std::int32_t>, 1); }));
  EXPECT_EQ("a * b overflows. Consider tightening your parameters.",
            message([] { mul_down<std::uint8_t>(16, 16); }));
  EXPECT_EQ("attempt to divide by zero", message([] { div_up<std::int32_t>(1, 0); }));
  EXPECT_EQ("(a).inf_add(b) is not finite. Consider tightening your parameters.",
            message([] { add_up(1e308, 1e308); }));
  EXPECT_EQ("(a).neg_inf_div(b) is not finite. Consider tightening your parameters.",
            message([] { div_down(1.0F, 0.0F); }));
  EXPECT_EQ("(x).inf_sqrt() is not finite. Consider tightening your parameters.",
            message([] { sqrt_up(-1); }));
}

TEST(Directed, SaturatingFloatsStayFiniteAndKeepNaN) {
  EXPECT_EQ(kMax<double>, saturating_add(kMax<double>, kMax<double>));
  EXPECT_EQ(kMin<float>, saturating_mul(kMax<float>, -2.0F));
  EXPECT_EQ(kMax<double>, saturating_add(HUGE_VAL, 1.0));
  EXPECT_EQ(0.1 + 0.2, saturating_add(0.1, 0.2));
  EXPECT_TRUE(std::isnan(saturating_add(HUGE_VAL, -HUGE_VAL)));
}

TEST(Directed, ComparisonsRefuseNaN) {
  const double nan = std::nan("");
  const auto refused = [](auto function) {
    return !oracle::result_or_error(ErrorKind::failed_function, function).has_value();
  };
  EXPECT_TRUE(refused([&] { return min_checked(nan, 1.0); }));
  EXPECT_TRUE(refused([&] { return max_checked(1.0, nan); }));
  EXPECT_TRUE(refused([&] { return clamp_checked(nan, 0.0, 1.0); }));
  EXPECT_TRUE(refused([&] { return clamp_checked(0.0, nan, 1.0); }));
  EXPECT_TRUE(refused([&] { return clamp_checked(0.0, 0.0, nan); }));
  EXPECT_TRUE(refused([&] { return clamp_checked(0, 2, 1); }));
}

TEST(Directed, ClampingKeepsTheSignOfZeroAndHoldsInfinities) {
  EXPECT_TRUE(std::signbit(clamp_checked(-0.0, 0.0, 1.0)));
  EXPECT_EQ(1, clamp_checked(HUGE_VAL, 0.0, 1.0));
  EXPECT_EQ(-1, clamp_checked(-10, -1, 1));
  EXPECT_EQ(2, min_checked(3, 2));
  EXPECT_EQ(3, max_checked(3, 2));
}

}  // namespace
}  // namespace dp::directed_test

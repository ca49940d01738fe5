#include "core/numeric/sided.h"

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>

#include "core/numeric/rational.h"
#include "numeric/operands.h"

namespace dp::sided_test {
namespace {

template <class Operation, class A, class B, class = void>
constexpr bool kCompiles = false;
template <class Operation, class A, class B>
constexpr bool kCompiles<Operation, A, B, std::void_t<std::invoke_result_t<Operation, A, B>>> =
    true;

using U = Upper<double>;
using L = Lower<double>;

// Operations that lose the side do not compile. Neither does mixing in a plain number.
static_assert(!kCompiles<std::minus<>, U, U>);
static_assert(!kCompiles<std::minus<>, L, L>);
static_assert(!kCompiles<std::plus<>, U, L>);
static_assert(!kCompiles<std::multiplies<>, U, L>);
static_assert(!kCompiles<std::divides<>, U, U>);
static_assert(!kCompiles<std::divides<>, L, L>);
static_assert(!kCompiles<std::less<>, U, L>);
static_assert(!kCompiles<std::plus<>, U, double>);
static_assert(!kCompiles<std::plus<>, U, Upper<float>>);
static_assert(!std::is_convertible_v<double, U>);

// The same idiom shows which operations compile, and the side of their result.
template <class Operation, class A, class B, class Result>
constexpr bool kGives = std::is_same_v<std::invoke_result_t<Operation, A, B>, Result>;
static_assert(kGives<std::plus<>, U, U, U> && kGives<std::plus<>, L, L, L>);
static_assert(kGives<std::minus<>, U, L, U> && kGives<std::minus<>, L, U, L>);
static_assert(kGives<std::multiplies<>, U, U, U> && kGives<std::multiplies<>, L, L, L>);
static_assert(kGives<std::divides<>, U, L, U> && kGives<std::divides<>, L, U, L>);

TEST(Sided, D_FLT_3_EveryOperationKeepsItsSideOfTheExactResult) {
  oracle::Words words(3);
  const auto draw = [&] {
    return std::ldexp(static_cast<double>(words.next() | 1), words.between(-90, 30));
  };
  for (int i = 0; i < 20000; ++i) {
    const double a = draw(), b = draw();
    const Rational x = exact_rational(a), y = exact_rational(b);
    ASSERT_GE(exact_rational((U(a) + U(b)).value()), x + y);
    ASSERT_GE(exact_rational((U(a) - L(b)).value()), x - y);
    ASSERT_GE(exact_rational((U(a) * U(b)).value()), x * y);
    ASSERT_GE(exact_rational((U(a) / L(b)).value()), x / y);
    ASSERT_LE(exact_rational((L(a) + L(b)).value()), x + y);
    ASSERT_LE(exact_rational((L(a) - U(b)).value()), x - y);
    ASSERT_LE(exact_rational((L(a) * L(b)).value()), x * y);
    ASSERT_LE(exact_rational((L(a) / U(b)).value()), x / y);
  }
}

TEST(Sided, SignsThatWouldTurnABoundAroundAreRefused) {
  const auto refused = [](auto function) {
    try {
      function();
    } catch (const Error& error) {
      return error.kind() == ErrorKind::failed_map;
    }
    return false;
  };
  EXPECT_TRUE(refused([] { U(-1) * U(1); }));
  EXPECT_TRUE(refused([] { L(1) * L(-1); }));
  EXPECT_TRUE(refused([] { U(-1) / L(1); }));
  EXPECT_TRUE(refused([] { U(1) / L(0); }));
  EXPECT_TRUE(refused([] { U(1) / L(-1); }));
  EXPECT_TRUE(refused([] { L(-1) / U(1); }));
  EXPECT_TRUE(refused([] { U(std::nan("")); }));
  EXPECT_EQ(0, (U(0) * U(5)).value());
}

TEST(Sided, IntegersAndComparisons) {
  EXPECT_EQ(4, (Upper(7) / Lower(2)).value());
  EXPECT_EQ(3, (Lower(7) / Upper(2)).value());
  EXPECT_THROW(Upper(2147483647) + Upper(1), Error);
  EXPECT_TRUE(U(1) < U(2) && U(2) >= U(2) && U(1) != U(2) && L(1) == L(1) && L(2) > L(1));
  EXPECT_TRUE(L(1) <= L(1));
}

}  // namespace
}  // namespace dp::sided_test

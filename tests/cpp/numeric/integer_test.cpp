// Boost provides big integers and rationals. This checks what the core relies on against MPFR, with
// operands that expose limb and sign errors. Repeat it whenever Boost changes.
#include "core/numeric/integer.h"

#include <gtest/gtest.h>

#include <vector>

#include "numeric/oracle.h"
#include "support/tier.h"

namespace dp::integer_test {
namespace {

using oracle::Mpfr;
using oracle::Words;

constexpr mpfr_prec_t kExact = 8400;  // a product of two operands

std::vector<Integer> edge_operands() {
  std::vector<Integer> edges = {0, 1, 2, 3};
  for (const unsigned bits : {31, 32, 63, 64, 96, 127, 128, 192, 256, 512, 1024, 2048, 4095}) {
    for (const int nudge : {-1, 0, 1}) edges.push_back((Integer(1) << bits) + nudge);
  }
  const std::size_t positive = edges.size();
  for (std::size_t i = 0; i < positive; ++i) edges.push_back(-edges[i]);
  return edges;
}

Integer any_operand(Words& words) {
  static const std::vector<Integer> kEdges = edge_operands();
  if (words.below(4) == 0) return kEdges[words.below(kEdges.size())];
  const auto bits = static_cast<unsigned>(1 + words.below(words.below(4) == 0 ? 4096 : 300));
  Integer i = 0;
  for (unsigned at = 0; at < bits; at += 64) i = (i << 64) + words.next();
  i >>= (bits + 63) / 64 * 64 - bits;
  return words.below(2) == 0 ? i : Integer(-i);
}

void set(Mpfr& out, const Integer& i) {
  std::string digits = Integer(abs(i)).str(0, std::ios_base::hex);
  mpfr_set_str(out.get(), digits.c_str(), 16, MPFR_RNDN);
  if (i < 0) mpfr_neg(out.get(), out.get(), MPFR_RNDN);
}

bool same(Mpfr& truth, const Integer& i) {
  Mpfr actual(kExact);
  set(actual, i);
  return mpfr_equal_p(truth.get(), actual.get()) != 0;
}

TEST(Integer, D_SAM_4_ArithmeticAgreesWithMpfr) {
  Words words(41);
  Mpfr x(kExact), y(kExact), truth(kExact);
  for (int i = 0; i < 20000; ++i) {
    const Integer a = any_operand(words);
    const Integer b = i % 8 == 0 ? a : any_operand(words);
    set(x, a);
    set(y, b);
    mpfr_add(truth.get(), x.get(), y.get(), MPFR_RNDN);
    ASSERT_TRUE(same(truth, a + b));
    mpfr_sub(truth.get(), x.get(), y.get(), MPFR_RNDN);
    ASSERT_TRUE(same(truth, a - b));
    mpfr_mul(truth.get(), x.get(), y.get(), MPFR_RNDN);
    ASSERT_TRUE(same(truth, a * b));
    ASSERT_EQ(mpfr_cmp(x.get(), y.get()) < 0, a < b);
    ASSERT_EQ(mpfr_equal_p(x.get(), y.get()) != 0, a == b);

    const auto shift = static_cast<unsigned>(words.below(200));
    mpfr_mul_2ui(truth.get(), x.get(), shift, MPFR_RNDN);
    ASSERT_TRUE(same(truth, a << shift));
    const Integer magnitude = abs(a);
    set(x, magnitude);
    mpfr_div_2ui(truth.get(), x.get(), shift, MPFR_RNDN);
    mpfr_floor(truth.get(), truth.get());
    ASSERT_TRUE(same(truth, magnitude >> shift));
  }
}

TEST(Integer, D_SAM_4_DivisionAgreesWithMpfr) {
  Words words(43);
  Mpfr x(kExact), y(kExact), truth(kExact);
  for (int i = 0; i < 20000; ++i) {
    const Integer divisor = any_operand(words);
    if (divisor == 0) continue;
    // Every fourth dividend is near a multiple of the divisor.
    Integer dividend = any_operand(words);
    if (i % 4 == 0) dividend = dividend % (Integer(1) << 4000) * divisor + words.between(-1, 1);
    set(x, dividend);
    set(y, divisor);
    mpfr_fmod(truth.get(), x.get(), y.get(), MPFR_RNDN);  // exact; has the dividend's sign
    ASSERT_TRUE(same(truth, dividend % divisor));
    Integer quotient, remainder;
    divide_qr(dividend, divisor, quotient, remainder);
    ASSERT_TRUE(same(truth, remainder));
    ASSERT_EQ(dividend, quotient * divisor + remainder);
  }
}

TEST(Integer, D_SAM_4_RationalsAreInLowestTermsAndAgreeWithMpfr) {
  Words words(47);
  Mpfr a(1 << 14), b(1 << 14);
  for (int i = 0; i < test::in_tier(1300, 4000); ++i) {
    const Integer common = abs(any_operand(words)) + 1;
    const Rational x(any_operand(words) * common, (abs(any_operand(words)) + 1) * common);
    const Rational y(any_operand(words), abs(any_operand(words)) + 1);
    ASSERT_EQ(1, gcd(numerator(x), denominator(x)));
    ASSERT_GT(denominator(x), 0);
    // (x + y) d = x d + y d for the product of denominators d, in exact integers.
    const Integer d = denominator(x) * denominator(y);
    const Integer scaled = numerator(x) * denominator(y) + numerator(y) * denominator(x);
    const Rational total = x + y;
    ASSERT_EQ(numerator(total) * d, scaled * denominator(total));
    const Rational times = x * y;
    ASSERT_EQ(numerator(times) * d, numerator(x) * numerator(y) * denominator(times));
    ASSERT_EQ(1, gcd(numerator(total), denominator(total)));
    // Order, checked against quotients of 16384 bits.
    oracle::set(a, x, MPFR_RNDN);
    oracle::set(b, y, MPFR_RNDN);
    ASSERT_EQ(mpfr_less_p(a.get(), b.get()) != 0, x < y);
    ASSERT_TRUE(y == 0 || Rational(x / y) * y == x);
  }
}

}  // namespace
}  // namespace dp::integer_test

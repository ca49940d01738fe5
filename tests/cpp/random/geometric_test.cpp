#include "core/random/geometric.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random/uniform.h"
#include "random/enumeration.h"
#include "random/laws.h"
#include "support/recorded_bits.h"

namespace dp::geometric_test {
namespace {

template <class Sampler>
std::string check(const Rational& rate, Sampler sampler) {
  return contradiction(
      enumerate(kEnumeratedBits, sampler), geometric_law(static_cast<double>(rate)), 0, 12);
}

TEST(Geometric, D_SAM_1_EnumeratedMassNeverExceedsTheLaw) {
  for (const Rational& rate :
       {Rational(1, 5), Rational(1, 2), Rational(2, 3), Rational(1), Rational(3, 2), Rational(3)}) {
    EXPECT_EQ(check(rate, [&](BitSource& b) { return geometric(rate, b); }), "") << rate;
  }
}

TEST(Geometric, D_SAM_1_ALazyFractionHasTheSameLaw) {
  EXPECT_EQ(check(Rational(2, 3), [](BitSource& b) { return geometric(4, 6, b); }), "");
}

TEST(Geometric, D_SAM_1_TheEnumerationRejectsMutants) {
  const auto one_too_far = [](BitSource& b) { return Integer(geometric(Rational(1), b) + 1); };
  const auto short_tail = [](BitSource& b) {
    const Integer g = geometric(Rational(1), b);
    return g == 2 ? Integer(1) : g;
  };
  const auto no_coin_for_u = [](BitSource& b) {
    return Integer(uniform_below(Integer(5), b) + 5 * geometric(Rational(1), b));
  };
  EXPECT_NE(check(1, one_too_far), "");
  EXPECT_NE(check(1, short_tail), "");
  EXPECT_NE(check(Rational(1, 5), no_coin_for_u), "");
}

TEST(Geometric, RateZeroIsZeroAndNegativeRatesAreRefused) {
  RecordedBits none({});
  EXPECT_EQ(geometric(Rational(0), none), 0);
  EXPECT_THROW(geometric(Rational(-1, 3), none), Error);
}

}  // namespace
}  // namespace dp::geometric_test

#include "core/numeric/normal_tail.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/tier.h"

namespace dp::test::normal_tail_test {
namespace {

// Relative excess of `claimed` over the truth. `compute(at, other)` turns x into the truth in `at`,
// to 300 bits.
template <class Compute>
double excess(double claimed, double x, const Compute& compute) {
  mpfr_t at, other;
  mpfr_init2(at, 300);
  mpfr_init2(other, 300);
  mpfr_set_d(at, x, MPFR_RNDN);
  compute(at, other);
  mpfr_d_div(at, claimed, at, MPFR_RNDD);
  mpfr_sub_ui(at, at, 1, MPFR_RNDD);
  const double found = mpfr_get_d(at, MPFR_RNDD);
  mpfr_clear(at);
  mpfr_clear(other);
  return found;
}

// erfc(x / sqrt 2) / 2.
double excess_of_tail(double claimed, double x) {
  return excess(claimed, x, [](mpfr_t at, mpfr_t root) {
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(at, at, root, MPFR_RNDN);
    mpfr_erfc(at, at, MPFR_RNDN);
    mpfr_div_ui(at, at, 2, MPFR_RNDN);
  });
}

// exp(-x^2 / 2) / sqrt(2 pi).
double excess_of_density(double claimed, double x) {
  return excess(claimed, x, [](mpfr_t at, mpfr_t root) {
    mpfr_const_pi(root, MPFR_RNDN);
    mpfr_mul_ui(root, root, 2, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_sqr(at, at, MPFR_RNDN);
    mpfr_div_si(at, at, -2, MPFR_RNDN);
    mpfr_exp(at, at, MPFR_RNDN);
    mpfr_div(at, at, root, MPFR_RNDN);
  });
}

TEST(NormalTail, D_FLT_3_IsAboveTheTruthByLessThanItSays) {
  for (double x = 0; x < 37; x += in_tier(0.0411, 0.0137)) {
    const double by = excess_of_tail(normal_tail_up(x), x);
    EXPECT_GE(by, 0) << x;
    EXPECT_LE(by, 1e-12) << x;
  }
  for (double x : {0.0, 5e-324, 1e-300, std::nextafter(2.0, 0), 2.0, 37.5}) {
    EXPECT_GE(excess_of_tail(normal_tail_up(x), x), 0) << x;
  }
}

TEST(NormalTail, NeverComesDownToZero) {
  for (double x : {40.0, 1e3, 1e200, 1.7e308}) {
    EXPECT_EQ(normal_tail_up(x), 5e-324);
    EXPECT_EQ(normal_density_up(x), 5e-324);
  }
}

TEST(NormalTail, D_FLT_3_DensityIsAboveTheTruth) {
  for (double x = 0; x < 30; x += 0.1) {
    const double by = excess_of_density(normal_density_up(x), x);
    EXPECT_GE(by, 0) << x;
    EXPECT_LE(by, 1e-12) << x;
  }
}

TEST(NormalTail, RefusesWhatIsNoPlaceForATail) {
  for (double x : {-1.0, HUGE_VAL, std::nan("")}) {
    expect_error(ErrorKind::overflow, [x] { normal_tail_up(x); });
    expect_error(ErrorKind::overflow, [x] { normal_density_up(x); });
  }
}

}  // namespace
}  // namespace dp::test::normal_tail_test

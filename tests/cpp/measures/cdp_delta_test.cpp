#include "core/measures/cdp_delta.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/oracle_rows.h"
#include "support/scripted_bits.h"
#include "support/watchdog.h"

namespace dp::test::cdp_delta_test {
namespace {

double delta_of(double rho, double epsilon) { return cdp_delta(Rho(rho), Epsilon(epsilon)); }

TEST(CdpDelta, AgreesWithTheOracle) {
  const auto rows = oracle_rows("cdp_delta");
  ASSERT_EQ(rows.size(), 9u);
  for (const OracleRow& row : rows) {
    const double expected = oracle_number(row.d_out);
    EXPECT_NEAR(delta_of(oracle_number(*row.arg("rho")), oracle_number(*row.arg("eps"))),
                expected,
                1e-9 * expected + (expected > 1e-15 ? 3e-16 : 0))
        << "line " << row.line;
  }
  EXPECT_EQ(delta_of(0.5, 0), 0.5588356393474351);
}

TEST(CdpDelta, IsTrivialAtTheEnds) {
  EXPECT_EQ(delta_of(0, 0), 0);
  EXPECT_EQ(delta_of(0, 1), 0);
  EXPECT_EQ(delta_of(1, kInf), 0);
  EXPECT_EQ(delta_of(kInf, kInf), 0);
  EXPECT_EQ(delta_of(kInf, 1e308), 1);
}

TEST(CdpDelta, D_SAM_3_ExtremeParametersGiveAProbability) {
  const double extremes[] = {5e-324, 1e-308, 1e-100, 1e-9, 0.3, 1, 50, 1e5, 1e20, 1e154, 1.7e308};
  for (double rho : extremes) {
    for (double epsilon : extremes) {
      const Watchdog watchdog;
      const double delta = delta_of(rho, epsilon);
      EXPECT_GT(delta, 0) << rho << ' ' << epsilon;
      EXPECT_LE(delta, 1) << rho << ' ' << epsilon;
    }
  }
  EXPECT_EQ(delta_of(1e5, 0.5), 1);
}

// The infimum at 256 bits, on a grid around the optimum. No delta may be below it.
Wide infimum(const Wide& rho, const Wide& epsilon) {
  const auto exponent = [&](const Wide& t) {  // alpha = 1 + exp(t)
    const Wide alpha = 1 + exp(t);
    return Wide((alpha - 1) * (alpha * rho - epsilon) + alpha * log(1 - 1 / alpha) - t);
  };
  Wide low = -40, high = 60;
  for (int i = 0; i < 120; ++i) {  // unimodal in t
    const Wide left = low + (high - low) / 3, right = high - (high - low) / 3;
    const bool rises = exponent(left) < exponent(right);
    (rises ? high : low) = rises ? right : left;
  }
  return std::min(Wide(exp(exponent(low))), Wide(1));
}

TEST(CdpDelta, D_FLT_3_IsNeverBelowTheInfimumAndCloseToIt) {
  SplitMix random(31);
  for (int i = 0; i < 100; ++i) {
    const double rho =
        std::ldexp(static_cast<double>(1 + random() % 1000), -3 - static_cast<int>(random() % 18));
    const double epsilon = std::ldexp(static_cast<double>(random() % 1000), -7);
    const Wide truth = infimum(rho, epsilon);
    const double delta = delta_of(rho, epsilon);
    if (truth < Wide(1e-300)) continue;  // subnormal answers have no relative precision
    EXPECT_GE(Wide(delta), truth * (1 - slack())) << rho << ' ' << epsilon;
    if (rho < 100) {  // beyond, the optimal alpha is below the search's 1.01
      EXPECT_LE(Wide(delta), truth * 1.01) << rho << ' ' << epsilon;
    }
  }
}

TEST(CdpDelta, D_EPS_5_IsMonotone) {
  for (double rho : {0.001, 0.1, 0.5, 3.0}) {
    double last = 1;
    for (double epsilon = 0; epsilon < 20; epsilon += 0.25) {
      const double delta = delta_of(rho, epsilon);
      EXPECT_LE(delta, last);
      EXPECT_LE(delta, delta_of(2 * rho, epsilon));
      last = delta;
    }
  }
}

// P[Z in S] - exp(epsilon) P[Z + 1 in S] for a discrete Gaussian with this rho.
bool covers_the_gaussian(const std::function<double(double, double)>& claim) {
  for (double sigma : {0.5, 1.0, 4.0}) {
    const Law law = gaussian_law(sigma);
    for (double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0, 3.0}) {
      if (Wide(claim(1 / (2 * sigma * sigma), epsilon)) < hockey_stick_of(law, 1, epsilon)) {
        return false;
      }
    }
  }
  return true;
}

TEST(CdpDelta, D_EPS_5_CoversTheExactCurveOfTheGaussian) {
  EXPECT_TRUE(covers_the_gaussian(delta_of));
  EXPECT_FALSE(covers_the_gaussian(
      [](double rho, double epsilon) { return delta_of(rho / 2, epsilon); }));  // must fail
}

double closed_form(double rho, double delta) {
  return closed_form_cdp_epsilon(Rho(rho), Delta(delta));
}

double closed_form_to_nearest(double rho, double delta) {
  return rho + 2 * std::sqrt(rho * std::log(1 / delta));
}

// Number of claims below rho + 2 sqrt(rho ln(1 / delta)).
int claims_below(double (*claim)(double, double)) {
  int below = 0;
  for (double rho = 1e-9; rho < 1e4; rho *= 1.37) {
    for (double delta = 0.9; delta > 1e-30; delta /= 7.3) {
      const Wide truth = rho + 2 * sqrt(Wide(-rho * log(Wide(delta))));
      const Wide excess = claim(rho, delta) / truth - 1;
      EXPECT_LT(excess, 2e-15);
      below += excess < 0;
    }
  }
  return below;
}

TEST(ClosedFormCdpEpsilon, IsNeverBelowItsFormulaAsRoundingToNearestWouldBe) {
  EXPECT_EQ(claims_below(closed_form), 0);
  EXPECT_GT(claims_below(closed_form_to_nearest), 300);
}

TEST(ClosedFormCdpEpsilon, HasAValueAtTheEnds) {
  EXPECT_EQ(closed_form(0, 0), 0);
  EXPECT_EQ(closed_form(1, 0), kInf);
  EXPECT_EQ(closed_form(kInf, 0.5), kInf);
  EXPECT_EQ(closed_form(2, 1), 2);
}

}  // namespace
}  // namespace dp::test::cdp_delta_test

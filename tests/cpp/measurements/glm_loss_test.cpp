#include "core/measurements/glm_loss.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "support/expect_error.h"

namespace dp::test::glm_loss_test {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_50;

Exact exact_mills(Exact t) {
  if (t < -3) t = -3;
  const Exact root_half = sqrt(Exact(0.5));
  const Exact density = exp(-t * t / 2) / sqrt(8 * atan(Exact(1)));
  return density / (boost::math::erfc(Exact(-t * root_half)) / 2);
}

Exact exact_slope(GlmFamily family, const Exact& t, const Exact& y) {
  switch (family) {
    case GlmFamily::logit:
      return 1 / (1 + exp(-t)) - y;
    case GlmFamily::probit:
      return (1 - y) * exact_mills(-t) - y * exact_mills(t);
    case GlmFamily::poisson:
      return (t < 0 ? exp(t) : Exact(1)) - y;
    case GlmFamily::ols:
      return t - y > 2 ? Exact(2) : t - y < -2 ? Exact(-2) : t - y;
  }
  return 0;
}

const GlmFamily kFamilies[] = {
    GlmFamily::logit, GlmFamily::probit, GlmFamily::poisson, GlmFamily::ols};

// Whether the slopes are as close to the exact ones as the loss claims, including for rounded
// predictors.
bool keeps_its_error(GlmFamily family, const GlmLoss& loss) {
  for (double t = -70; t <= 70; t += t > -9 && t < 9 ? 0.0971 : 3.1) {
    for (const double y : {0.0, 0.3, 1.0}) {
      const Exact unrounded = Exact(t) * (1 + Exact(0x1p-53));
      const Exact miss = exact_slope(family, unrounded, y) - Exact(loss.slope(t, y));
      if (abs(miss) > loss.slope_error) return false;
    }
  }
  return true;
}

TEST(GlmLoss, SlopesAreWithinTheirError) {
  for (const GlmFamily family : kFamilies) {
    EXPECT_TRUE(keeps_its_error(family, glm_loss(family))) << static_cast<int>(family);
  }
}

// phi(t) / Phi(t) with all terms of the series, in the order of the core.
double mills_of_all_terms(double t) {
  const double s = std::fabs(t);
  double sum = 1;
  for (int k = 140; k > 0; --k) sum = 1 + sum * (s * s) / (2 * k + 1);
  const double density = 0.3989422804014327 * exp_of_nonpositive(-0.5 * s * s);
  const double half = density * s * sum;
  return density / (t >= 0 ? 0.5 + half : 0.5 - half);
}

TEST(GlmLoss, TermsThatAreLeftOutOfAProbitChangeNoBit) {
  const GlmLoss& probit = glm_loss(GlmFamily::probit);
  for (double t = -3; t <= 8; t += 0x1.3p-10) {
    ASSERT_EQ(-probit.slope(t, 1), mills_of_all_terms(t)) << t;
  }
}

TEST(GlmLoss, SlopesThatAreOffAreFound) {
  GlmLoss off = glm_loss(GlmFamily::logit);
  off.slope = [](double t, double y) {
    return glm_loss(GlmFamily::logit).slope(t, y) + (std::fabs(t - 1) < 0.1 ? 0x1p-40 : 0.0);
  };
  EXPECT_FALSE(keeps_its_error(GlmFamily::logit, off));
}

// Largest slope and steepest rise of the exact slopes, over a grid.
TEST(GlmLoss, D_SEN_1_BoundsHoldForTheExactLosses) {
  constexpr double kStep = 0.0625;
  for (const GlmFamily family : kFamilies) {
    const GlmLoss& loss = glm_loss(family);
    Exact largest = 0;
    Exact steepest = 0;
    const double least = family == GlmFamily::ols ? -1 : 0;
    for (const double y : {least, 0.5, 1.0}) {
      Exact before = exact_slope(family, -9, y);
      for (double t = -9; t <= 9; t += kStep) {
        const Exact after = exact_slope(family, t, y);
        EXPECT_GE(after, before);
        largest = std::max(largest, Exact(abs(after)));
        steepest = std::max(steepest, Exact((after - before) / kStep));
        before = after;
      }
    }
    EXPECT_LE(largest, loss.slope_bound);
    EXPECT_LE(steepest, loss.curvature_bound);
    EXPECT_GE(largest, 0.999 * loss.slope_bound);  // and neither bound is loose
    EXPECT_GE(steepest, 0.85 * loss.curvature_bound);
  }
}

TEST(GlmLoss, CurvaturesAreThoseOfTheSlopes) {
  for (const GlmFamily family : kFamilies) {
    const GlmLoss& loss = glm_loss(family);
    for (double t = -5.03; t < 5; t += 0.1) {
      const double rise = (loss.slope(t + 1e-4, 0.4) - loss.slope(t - 1e-4, 0.4)) / 2e-4;
      EXPECT_NEAR(loss.curvature(t, 0.4), rise, 1e-4) << t;
    }
  }
}

// Mean curvature over responses 0 and 1 of a family, or curvature at the mean response.
TEST(GlmLoss, D_SEN_1_InformationIsTheMeanCurvatureWithinItsBound) {
  for (const GlmFamily family : kFamilies) {
    const GlmLoss& loss = glm_loss(family);
    double largest = 0;
    for (double t = -9; t <= 9; t += 0.0625) {
      for (const double y : {0.0, 0.3, 1.0}) {
        double wanted = loss.curvature(t, y);
        if (family == GlmFamily::probit) {
          const double share = 0.5 * std::erfc(-t * std::sqrt(0.5));
          wanted = share * loss.curvature(t, 1) + (1 - share) * loss.curvature(t, 0);
        }
        EXPECT_NEAR(loss.information(t, y), wanted, 1e-9) << t;
        EXPECT_LE(loss.information(t, y), loss.information_bound * (1 + 0x1p-40)) << t;
        largest = std::max(largest, loss.information(t, y));
      }
    }
    EXPECT_GE(largest, 0.93 * loss.information_bound);  // poisson excludes t = 0
  }
  EXPECT_LT(glm_loss(GlmFamily::probit).information_bound, 0.64);
}

TEST(GlmLoss, ExponentialsAreWithinTheirError) {
  for (double x = -80; x <= 0; x += 0.00731) {
    const Exact miss = exp(Exact(x)) - Exact(exp_of_nonpositive(x));
    EXPECT_LE(abs(miss), 0x1p-50) << x;
  }
  EXPECT_EQ(exp_of_nonpositive(0), 1);
}

TEST(GlmLoss, HasNames) {
  EXPECT_EQ(parse_glm_family("poisson"), GlmFamily::poisson);
  expect_error(ErrorKind::make_measurement, [] { parse_glm_family("cox"); });
}

}  // namespace
}  // namespace dp::test::glm_loss_test

#include "core/measures/renyi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/measures/cdp_delta.h"
#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"

namespace dp::test::renyi_test {
namespace {

double pure(double epsilon, double alpha) {
  return pure_renyi(Epsilon(epsilon), RenyiOrder(alpha));
}
double concentrated(double rho, double alpha) {
  return concentrated_renyi(Rho(rho), RenyiOrder(alpha));
}

const double kEpsilons[] = {1e-12, 1e-5, 0.01, 0.3, 1, 2.5, 8, 40, 300};
const double kOrders[] = {1 + 0x1p-30, 1.0001, 1.5, 2, 3.7, 16, 200, 1e4, 1e9};

// Formula with hyperbolic sines. It loses accuracy, but 256 bits are enough.
Wide hyperbolic(const Wide& epsilon, const Wide& alpha) {
  return log((sinh(alpha * epsilon) - sinh((alpha - 1) * epsilon)) / sinh(epsilon)) / (alpha - 1);
}

// Accuracy of a reference at 256 bits.
const Wide kBelow = -1e-30;

// Largest relative excess of a claim over the truth. Negative if a claim is below it.
struct Excess {
  Wide most = -1;
  Wide least = 1;
};
Excess excess_of(const std::function<double(double epsilon, double alpha)>& claim) {
  Excess found;
  for (double epsilon : kEpsilons) {
    for (double alpha : kOrders) {
      const Wide truth = hyperbolic(epsilon, alpha);
      const Wide excess = (claim(epsilon, alpha) - truth) / truth;
      found.most = std::max(found.most, excess);
      found.least = std::min(found.least, excess);
    }
  }
  return found;
}

TEST(PureRenyi, IsTheFormulaRoundedUp) {
  const Excess found = excess_of(pure);
  EXPECT_GE(found.least, kBelow);
  EXPECT_LE(found.most, Wide(4e-15));
}

TEST(PureRenyi, TheCheckRejectsLooserAndTighterClaims) {
  // Mutants: Bun and Steinke's rho = epsilon^2 / 2, and the bound for bounded range.
  EXPECT_GT(excess_of([](double e, double a) { return a * e * e / 2; }).most, 1);
  EXPECT_LT(excess_of([](double e, double a) { return std::min(e, a * e * e / 8); }).least, -0.5);
  EXPECT_LT(excess_of([](double e, double a) { return pure(e, a) * (1 - 1e-14); }).least, kBelow);
}

TEST(PureRenyi, IsThatOfRandomizedResponseAndCoversLaplaceNoise) {
  for (double epsilon : {0.1, 1.0, 4.0}) {
    const Wide truth = 1 / (1 + exp(Wide(-epsilon)));
    const FiniteLaw p{truth, 1 - truth};
    const FiniteLaw q{1 - truth, truth};
    for (double alpha : {1.01, 2.0, 30.0}) {
      const Wide divergence = renyi_divergence_of(p, q, alpha);
      EXPECT_GE(pure(epsilon, alpha), divergence - slack());
      EXPECT_LE(pure(epsilon, alpha), divergence * Wide(1 + 4e-15));
      const long reach = static_cast<long>((alpha + 120) / epsilon) + 10;
      EXPECT_GE(pure(epsilon, alpha),
                renyi_divergence_of(laplace_law(1 / Wide(epsilon), reach), 1, alpha) - slack());
    }
  }
}

TEST(PureRenyi, GrowsWithTheOrderUpToEpsilon) {
  for (double epsilon : kEpsilons) {
    double before = 0;
    for (double alpha : kOrders) {
      const double found = pure(epsilon, alpha);
      EXPECT_GE(found, before);
      EXPECT_LE(found, epsilon);
      before = found;
    }
    EXPECT_EQ(pure(epsilon, kInf), epsilon);
    EXPECT_EQ(pure(epsilon, 1e300), epsilon);
  }
}

TEST(PureRenyi, HasAnEndForAllParameters) {
  EXPECT_EQ(pure(0, 2), 0);
  EXPECT_EQ(pure(kInf, 2), kInf);
  for (double epsilon : {5e-324, 1e-308, 1e-160, 699.9, 701.0, 1e308}) {
    for (double alpha : {std::nextafter(1.0, 2), 1.5, 1e10, 0x1p53, 1.7e308}) {
      const double found = pure(epsilon, alpha);
      EXPECT_GT(found, 0) << epsilon << ' ' << alpha;
      EXPECT_LE(found, epsilon) << epsilon << ' ' << alpha;
    }
  }
}

TEST(ConcentratedRenyi, IsAMultipleOfRhoRoundedUp) {
  EXPECT_EQ(concentrated(0.125, 8), 1);
  EXPECT_EQ(concentrated(0, kInf), 0);
  EXPECT_EQ(concentrated(1, kInf), kInf);
  EXPECT_EQ(concentrated(1e300, 1e300), kInf);
  for (double alpha : kOrders) {
    EXPECT_GE(Wide(concentrated(0.1, alpha)), Wide(0.1) * alpha);
    EXPECT_LE(Wide(concentrated(0.1, alpha)), Wide(0.1) * alpha * Wide(1 + 3e-16));
  }
}

TEST(RenyiOrder, MustBeAboveOne) {
  for (double alpha : {1.0, 0.5, -2.0, std::nan("")}) {
    expect_error(ErrorKind::invalid_distance, [&] { RenyiOrder{alpha}; });
  }
}

// Infimum over orders of Canonne, Kamath and Steinke's delta at 256 bits. It is unimodal in t,
// where alpha = 1 + e^t.
Wide least_delta(const std::function<Wide(const Wide& alpha)>& curve, const Wide& epsilon) {
  const auto exponent = [&](const Wide& t) -> Wide {
    const Wide alpha = 1 + exp(t);
    return (alpha - 1) * (curve(alpha) - epsilon) + alpha * log(1 - 1 / alpha) - t;
  };
  Wide low = -20, high = 40;
  for (int i = 0; i < 150; ++i) {
    const Wide left = low + (high - low) / 3;
    const Wide right = high - (high - low) / 3;
    (exponent(left) < exponent(right) ? high : low) =
        exponent(left) < exponent(right) ? right : left;
  }
  return std::min(Wide(1), Wide(exp(exponent(low))));
}

using DeltaOf = std::function<double(const std::function<double(double)>&, double epsilon)>;

// Largest and smallest relative excess of deltas over the infimum.
Excess delta_excess(const DeltaOf& claim) {
  Excess found;
  const auto compare = [&](const auto& curve, const auto& exact, double epsilon) {
    const Wide truth = least_delta(exact, epsilon);
    const Wide excess = (claim(curve, epsilon) - truth) / truth;
    found.most = std::max(found.most, excess);
    found.least = std::min(found.least, excess);
  };
  for (double epsilon : {0.0, 0.1, 0.7, 2.0, 6.0}) {
    for (double rho : {1e-4, 0.02, 0.5, 3.0}) {
      if (epsilon * epsilon > 2000 * rho) continue;  // outside the range of doubles
      compare([=](double alpha) { return concentrated(rho, alpha); },
              [=](const Wide& alpha) { return Wide(alpha * rho); },
              epsilon);
    }
    // Ten releases. Consecutive ones are slightly less than epsilon apart.
    const double each = (epsilon + 0.1) / 9;
    compare([=](double alpha) { return 10 * pure(each, alpha); },
            [=](const Wide& alpha) { return Wide(10 * hyperbolic(each, alpha)); },
            epsilon);
  }
  return found;
}

TEST(RenyiDelta, IsTheInfimumOverOrdersRoundedUp) {
  const Excess found = delta_excess(
      [](const auto& curve, double epsilon) { return renyi_delta(curve, Epsilon(epsilon)); });
  EXPECT_GE(found.least, kBelow);
  EXPECT_LE(found.most, Wide(1e-11));
}

TEST(RenyiDelta, TheCheckRejectsAMutant) {
  const Excess tighter = delta_excess([](const auto& curve, double epsilon) {
    return renyi_delta([&](double alpha) { return curve(alpha) * (1 - 1e-9); }, Epsilon(epsilon));
  });
  EXPECT_LT(tighter.least, Wide(-1e-11));
}

TEST(RenyiDelta, OfRhoIsThatOfZeroConcentration) {
  for (double rho : {1e-6, 0.01, 0.5, 20.0}) {
    for (double epsilon : {0.0, 0.05, 1.0, 30.0}) {
      const double direct = cdp_delta(Rho(rho), Epsilon(epsilon));
      const double found =
          renyi_delta([=](double alpha) { return concentrated(rho, alpha); }, Epsilon(epsilon));
      if (direct < 1e-300) continue;
      // The direct bound from rho does not use orders below 1.01.
      EXPECT_LE(found, direct * (1 + 1e-11)) << rho << ' ' << epsilon;
      EXPECT_GE(found, direct * (1 - 1e-8)) << rho << ' ' << epsilon;
    }
  }
}

TEST(RenyiDelta, TakesCurvesThatAreInfiniteFromSomeOrderOn) {
  const auto curve = [](double alpha) { return alpha < 1.25 ? alpha * 0.1 : kInf; };
  const double found = renyi_delta(curve, Epsilon(1));
  EXPECT_NEAR(found, order_delta(RenyiOrder(1.25), 0.125, Epsilon(1)), 1e-6);
  EXPECT_EQ(renyi_delta([](double) { return kInf; }, Epsilon(1)), 1);
}

TEST(RenyiDelta, IsTrivialAtTheEnds) {
  const auto none = [](double) { return 0.0; };
  EXPECT_EQ(renyi_delta(none, Epsilon(0)), 0);
  const auto line = [](double alpha) { return alpha; };
  EXPECT_EQ(renyi_delta(line, Epsilon(kInf)), 0);
  EXPECT_NEAR(renyi_delta(line, Epsilon(0)), cdp_delta(Rho(1), Epsilon(0)), 1e-12);
  EXPECT_LE(renyi_delta([](double) { return 0.5; }, Epsilon(0.6)), 1e-300);
  EXPECT_EQ(order_delta(RenyiOrder(2), kInf, Epsilon(5)), 1);
}

}  // namespace
}  // namespace dp::test::renyi_test

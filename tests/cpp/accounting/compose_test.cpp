#include "core/accounting/compose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/measures/loss.h"
#include "core/numeric/integer.h"
#include "support/scripted_bits.h"

namespace dp::test::compose_test {
namespace {

std::vector<Distance> scalars_of(const std::vector<double>& losses) {
  std::vector<Distance> out;
  for (double loss : losses) out.push_back(Scalar(loss));
  return out;
}

double composed(const std::vector<double>& losses, const Measure& measure = max_divergence()) {
  return number_in<double>(compose(measure, scalars_of(losses)));
}

ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::interrupted;
}

TEST(Compose, AddsUpwardsFromLeftToRight) {
  EXPECT_EQ(composed({0.1, 0.1, 0.1}), 0.30000000000000004);
  EXPECT_EQ(composed({0.1, 0.2, 0.3, 0.4}), 1.0000000000000002);
  EXPECT_EQ(composed({0.3333333333333333, 0.3333333333333333, 0.3333333333333333}), 1.0);
  EXPECT_EQ(composed({}), 0);
  EXPECT_EQ(composed({0.005, 0.005}, zero_concentrated_divergence()), 0.01);
}

// The defence: a composed loss is at least the exact sum. Returns the number of violations.
int below_the_exact_sum(const std::function<double(const std::vector<double>&)>& compose_losses) {
  SplitMix random(41);
  int violations = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<double> losses(1 + random() % 8);
    Rational exact = 0;
    for (double& loss : losses) {
      loss = std::ldexp(static_cast<double>(random() >> 11), -53 - static_cast<int>(random() % 40));
      exact += Rational(loss);
    }
    violations += Rational(compose_losses(losses)) < exact ? 1 : 0;
  }
  return violations;
}

TEST(Compose, D_CMP_1_IsAtLeastTheExactSum) {
  EXPECT_EQ(below_the_exact_sum([](const auto& losses) { return composed(losses); }), 0);
  EXPECT_GT(below_the_exact_sum([](const auto& losses) {
              double nearest = 0;
              for (double loss : losses) nearest += loss;
              return nearest;
            }),
            500);
}

TEST(Compose, RefusesSumsWithoutANumberAndNegativeLosses) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(kind_of([&] { composed({1, infinity}); }), ErrorKind::overflow);
  EXPECT_EQ(kind_of([&] { composed({1e308, 1e308}); }), ErrorKind::overflow);
  EXPECT_EQ(kind_of([&] { composed({1, std::nan("")}); }), ErrorKind::overflow);
  EXPECT_EQ(kind_of([&] { composed({1, -0.5}); }), ErrorKind::failed_map);
  EXPECT_EQ(kind_of([&] { compose(max_divergence(), {Scalar(1)}); }), ErrorKind::failed_cast);
}

TEST(Compose, AddsPairsPartByPart) {
  for (const Measure& inner : {max_divergence(), zero_concentrated_divergence()}) {
    const Distance pair = Distance::Tuple{Scalar(5.6708588354687715), Scalar(1e-7)};
    const ApproximateLoss total = approximate_in(compose(approximate(inner), {pair, pair}));
    EXPECT_EQ(number_in<double>(total.inner), 11.341717670937543);
    EXPECT_EQ(total.delta, 2e-7);
  }
}

TEST(Compose, AddsRenyiCurvesAtEachOrder) {
  const auto curve = [](double slope) {
    return Distance(Distance::Curve([slope](double alpha) { return slope * alpha; }));
  };
  const Distance total = compose(renyi_divergence(), {curve(0.5), curve(0.25)});
  ASSERT_NE(total.as<Distance::Curve>(), nullptr);
  EXPECT_EQ((*total.as<Distance::Curve>())(2), 1.5);
  EXPECT_EQ((*total.as<Distance::Curve>())(8), 6);
}

TEST(Compose, KnowsWhichMeasuresHaveARule) {
  Measure user = max_divergence();
  user.kind = MeasureKind::user;
  for (const Measure& measure : {smoothed_max_divergence(),
                                 approximate(smoothed_max_divergence()),
                                 user,
                                 approximate(user)}) {
    EXPECT_EQ(kind_of([&] { check_composable(measure); }), ErrorKind::type) << debug(measure);
  }
}

}  // namespace
}  // namespace dp::test::compose_test

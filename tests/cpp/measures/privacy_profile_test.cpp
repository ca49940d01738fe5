#include "core/measures/privacy_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/error.h"
#include "support/doubles.h"

namespace dp::test::privacy_profile_test {
namespace {

TEST(PrivacyProfile, InvertsAStep) {
  const PrivacyProfile step([](double epsilon) { return epsilon < 0.5 ? 1 : 1e-8; });
  EXPECT_EQ(step.delta(0.499), 1);
  EXPECT_EQ(step.delta(0.5), 1e-8);
  EXPECT_EQ(step.epsilon(1e-8), 0.5);
  EXPECT_EQ(step.epsilon(0.9), 0.5);
  EXPECT_EQ(step.epsilon(1), 0);
  EXPECT_EQ(step.epsilon(0), kInf);
}

TEST(PrivacyProfile, InvertsAnExponential) {
  const PrivacyProfile profile([](double epsilon) { return std::exp(-epsilon); });
  EXPECT_EQ(profile.epsilon(1e-7), 16.11809565095832);
  EXPECT_EQ(profile.epsilon(1), 0);
}

TEST(PrivacyProfile, FindsTheLeastEpsilonAtAnyMagnitude) {
  for (double at : {5e-324, 1e-300, 1e-9, 0.1, 1.9, 2.0, 3.0, 1e9, 1e100, 1e150}) {
    const PrivacyProfile step([at](double epsilon) { return epsilon < at ? 1 : 0; });
    EXPECT_EQ(step.epsilon(0), at);
    EXPECT_EQ(step.epsilon(0.5), at);
    const PrivacyProfile floored([at](double epsilon) { return epsilon < at ? 1 : 1e-8; });
    EXPECT_EQ(floored.epsilon(1e-8), at);
    EXPECT_EQ(floored.epsilon(0.99), at);
  }
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.1), 0);
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.2), 0);
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.05), kInf);
}

// Number of evaluations to find the least double, as a bisection of all doubles would.
int looks_for_the_least(const std::function<double(double)>& curve, double delta) {
  int looks = 0;
  const PrivacyProfile profile([&](double epsilon) {
    ++looks;
    return curve(epsilon);
  });
  const double found = profile.epsilon(delta);
  EXPECT_LE(curve(found), delta) << delta;
  EXPECT_GT(curve(std::nextafter(found, 0)), delta) << delta;
  return looks;
}

TEST(PrivacyProfile, FindsTheLeastEpsilonOfSmoothCurvesInFewLooks) {
  for (double delta : {0.4, 1e-3, 1e-9, 1e-30}) {
    const auto looks = [&](const auto& curve) { return looks_for_the_least(curve, delta); };
    EXPECT_LE(looks([](double epsilon) { return std::exp(-epsilon); }), 20);
    EXPECT_LE(looks([](double epsilon) { return std::exp(-epsilon * epsilon); }), 30);
    EXPECT_LE(looks([](double epsilon) { return std::erfc(epsilon + 0.1) / 2; }), 30);
    EXPECT_LE(looks([](double epsilon) { return 1 / (1 + epsilon * epsilon); }), 40);
    // On curves that are not smooth, at most twice the evaluations of a bisection.
    EXPECT_LE(looks([](double epsilon) { return std::max(1 - epsilon / 7, 0.0); }), 120);
    EXPECT_LE(looks([](double epsilon) {
                return epsilon < 3 ? std::exp(-epsilon / 100) : std::exp(-epsilon);
              }),
              120);
    EXPECT_LE(looks([](double epsilon) { return epsilon < 0.7 ? 1 : 1e-40; }), 120);
    // Rounding turns a curve into steps.
    EXPECT_LE(
        looks([](double epsilon) { return std::exp(-std::floor(epsilon * 0x1p40) * 0x1p-40); }),
        40);
  }
  int looks = 0;
  const PrivacyProfile nothing([&](double) {
    ++looks;
    return 0;
  });
  EXPECT_EQ(nothing.epsilon(1e-9), 0);
  EXPECT_EQ(looks, 1);
}

TEST(PrivacyProfile, RefusesWhatIsNoPrivacyParameter) {
  const PrivacyProfile profile([](double epsilon) { return epsilon > 1 ? std::nan("") : 1; });
  const auto kind = [](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::interrupted;
  };
  for (double delta : {-1.0, 1.2, kInf, std::nan("")}) {
    EXPECT_EQ(kind([&] { profile.epsilon(delta); }), ErrorKind::failed_map) << delta;
  }
  for (double epsilon : {-1.0, std::nan("")}) {
    EXPECT_EQ(kind([&] { profile.delta(epsilon); }), ErrorKind::failed_map) << epsilon;
  }
  EXPECT_EQ(kind([&] { profile.epsilon(0.5); }), ErrorKind::failed_map);  // a curve without number
  EXPECT_EQ(kind([&] { profile.delta(2); }), ErrorKind::failed_map);
  const PrivacyProfile pole([](double epsilon) { return 1 / epsilon; });
  EXPECT_EQ(pole.delta(-0.0), HUGE_VAL);
  EXPECT_EQ(pole.epsilon(-0.0), pole.epsilon(0));
  const PrivacyProfile negative([](double) { return -1e-9; });
  EXPECT_EQ(kind([&] { negative.delta(2); }), ErrorKind::failed_map);
  EXPECT_EQ(kind([&] { negative.epsilon(0.5); }), ErrorKind::failed_map);
}

}  // namespace
}  // namespace dp::test::privacy_profile_test

#include "core/measures/privacy_profile.h"

#include <gtest/gtest.h>

#include <cmath>

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
  }
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.1), 0);
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.2), 0);
  EXPECT_EQ(PrivacyProfile([](double) { return 0.1; }).epsilon(0.05), kInf);
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
  for (double delta : {-0.0, -1.0, 1.2, kInf, std::nan("")}) {
    EXPECT_EQ(kind([&] { profile.epsilon(delta); }), ErrorKind::failed_map) << delta;
  }
  for (double epsilon : {-0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(kind([&] { profile.delta(epsilon); }), ErrorKind::failed_map) << epsilon;
  }
  EXPECT_EQ(kind([&] { profile.epsilon(0.5); }), ErrorKind::failed_map);  // a curve without number
  EXPECT_EQ(kind([&] { profile.delta(2); }), ErrorKind::failed_map);
  const PrivacyProfile negative([](double) { return -1e-9; });
  EXPECT_EQ(kind([&] { negative.delta(2); }), ErrorKind::failed_map);
  EXPECT_EQ(kind([&] { negative.epsilon(0.5); }), ErrorKind::failed_map);
}

}  // namespace
}  // namespace dp::test::privacy_profile_test

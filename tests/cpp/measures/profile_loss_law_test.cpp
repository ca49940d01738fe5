#include "core/measures/profile_loss_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dp::test::profile_loss_law_test {
namespace {

// Delta of randomized response with loss `most`. It is 0 from there on.
PrivacyProfile response(double most) {
  return PrivacyProfile([most](double epsilon) {
    const double gap = -std::expm1(std::min(epsilon - most, 0.0));
    return gap * std::exp(most) / (1 + std::exp(most)) * (1 + 0x1p-40);
  });
}

TEST(ProfileLossLaw, LosesNoMoreThanWhereItsProfileReachesNothing) {
  for (double most : {1e-6, 0.1, 0.7, 1.0, 3.3, 29.0}) {
    const PrivacyProfile profile = response(most);
    const double lost = profile_loss_pair(profile).forward->most();
    EXPECT_EQ(profile.delta(lost), 0) << most;
    EXPECT_GT(profile.delta(std::nextafter(lost, 0)), 0) << most;
    EXPECT_EQ(lost, most);
  }
}

TEST(ProfileLossLaw, EndsAtTheStepOfAProfile) {
  for (double most : {0.25, 1.1, 40.0}) {
    for (double beyond : {0.0, 1e-8}) {
      const PrivacyProfile step([=](double epsilon) { return epsilon < most ? 0.5 : beyond; });
      EXPECT_EQ(profile_loss_pair(step).forward->most(), most) << beyond;
    }
  }
}

TEST(ProfileLossLaw, EndsWhereNextToNothingIsLeftOfATail) {
  const PrivacyProfile tail([](double epsilon) { return std::exp(-epsilon); });
  EXPECT_NEAR(profile_loss_pair(tail).forward->most(), 40 * std::log(10.0), 1e-12);
}

}  // namespace
}  // namespace dp::test::profile_loss_law_test

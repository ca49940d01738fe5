#include "core/numeric/decay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/exact_laws.h"

namespace dp::test::decay_test {
namespace {

TEST(Decay, EveryExponentialKeepsTheStatedErrorAndTheBoundIsNotIdle) {
  double most = 0;
  for (double rate : {0.0, 1e-300, 1e-9, 0.00137, 0.3, 1.75}) {
    const Decay decay(rate, 390);
    for (std::size_t k = 0; k < 390; ++k) {
      const Wide exponent = Wide(rate) * k;
      if (exponent > 699) break;
      const Wide exact = exp(Wide(-exponent));
      const auto error = static_cast<double>(Wide(abs(decay.at(k) / exact - 1)));
      const double claimed = (20 + 2 * static_cast<double>(exponent)) * 0x1p-53;
      EXPECT_LE(error, claimed) << rate << ' ' << k;
      most = std::max(most, error / claimed);
    }
  }
  EXPECT_GT(most, 0.02) << "a bound fifty times smaller would be refuted";
}

TEST(Decay, WhatWouldUnderflowIsHeldAbove) {
  const Decay decay(5, 1000);
  EXPECT_GE(decay.at(141), std::exp(-700));
  EXPECT_EQ(decay.at(141), decay.at(999));
  EXPECT_LT(decay.at(999), 1e-300);
  EXPECT_EQ(Decay(std::numeric_limits<double>::max() / 1024, 1000).at(999), decay.at(999));
}

}  // namespace
}  // namespace dp::test::decay_test

#include "core/accounting/spectral_power.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "support/exact_laws.h"

namespace dp::test::spectral_power_test {
namespace {

TiltedTerm random_term(unsigned seed, std::int64_t first, std::size_t size, std::uint64_t times) {
  std::mt19937_64 random(seed);
  TiltedTerm term{std::vector<double>(size), first, times};
  double total = 0;
  for (double& mass : term.masses) {
    mass = std::exponential_distribution<double>(1)(random);
    total += mass;
  }
  for (double& mass : term.masses) mass /= total;
  return term;
}

// Reference sum of all draws by direct convolution, to more than 200 bits.
std::map<std::int64_t, Wide> exact_sum(const std::vector<TiltedTerm>& terms) {
  std::map<std::int64_t, Wide> sum{{0, Wide(1)}};
  for (const TiltedTerm& term : terms) {
    for (std::uint64_t k = 0; k < term.times; ++k) {
      std::map<std::int64_t, Wide> next;
      for (const auto& [point, mass] : sum) {
        for (std::size_t i = 0; i < term.masses.size(); ++i) {
          next[point + term.first + static_cast<std::int64_t>(i)] += mass * term.masses[i];
        }
      }
      sum = std::move(next);
    }
  }
  return sum;
}

// Largest error of a mass in [first, end), relative to the claim.
double used(const std::vector<TiltedTerm>& terms, std::int64_t first, std::int64_t end) {
  const std::map<std::int64_t, Wide> exact = exact_sum(terms);
  Wide outside = 0;
  for (const auto& [point, mass] : exact) {
    if (point < first || point >= end) outside += mass;
  }
  const ComposedMasses composed =
      SpectralPower().compose(terms, first, end, static_cast<double>(outside) * (1 + 1e-15));
  Wide worst = 0;
  for (std::size_t i = 0; i < composed.masses.size(); ++i) {
    const auto found = exact.find(first + static_cast<std::int64_t>(i));
    const Wide mass = found == exact.end() ? Wide(0) : found->second;
    worst = std::max(worst, Wide(abs(mass - composed.masses[i])));
    EXPECT_GE(composed.masses[i], 0);
  }
  EXPECT_LT(composed.error, static_cast<double>(outside) * 2 + 1e-11) << "the claim is useful";
  return static_cast<double>(worst) / composed.error;
}

TEST(SpectralPower, MassesKeepTheErrorThatComesWithThem) {
  double most = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    const std::vector<TiltedTerm> terms = {random_term(seed, -7, 11, 5),
                                           random_term(seed + 100, 3, 4, 1),
                                           random_term(seed + 200, -30, 60, 2)};
    most = std::max(most, used(terms, -100, 130));
  }
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 1e-4) << "an error ten thousand times smaller would be refuted";
}

TEST(SpectralPower, WhatIsOutsideOfTheWindowIsPartOfTheError) {
  const std::vector<TiltedTerm> terms = {random_term(1, -7, 16, 20)};
  for (std::int64_t width : {8, 16, 64}) EXPECT_LE(used(terms, 0, width), 1) << width;
  // Without this term, the claimed error would be far too small.
  const ComposedMasses composed = SpectralPower().compose(terms, 0, 16, 0);
  const std::map<std::int64_t, Wide> exact = exact_sum(terms);
  EXPECT_GT(std::fabs(composed.masses[0] - static_cast<double>(exact.at(0))), composed.error * 1e6);
}

TEST(SpectralPower, ManyDrawsOfAFairCoinAreBinomial) {
  const TiltedTerm coin{{0.5, 0.5}, 0, 4096};
  const ComposedMasses composed = SpectralPower().compose({coin}, 0, 4097, 0);
  Wide mass = pow(Wide(2), -4096);
  for (int i = 0; i <= 4096; ++i) {
    EXPECT_LE(std::fabs(static_cast<double>(Wide(mass - composed.masses[i]))), composed.error);
    mass *= Wide(4096 - i) / (i + 1);
  }
  EXPECT_LT(composed.error, 1e-9) << "the largest mass is 0.0125";
}

TEST(SpectralPower, WhereTheLawsLieMovesTheSumAndNothingElse) {
  SpectralPower spectral;
  const std::vector<TiltedTerm> here = {random_term(1, 0, 11, 50), random_term(2, 0, 30, 7)};
  std::vector<TiltedTerm> there = here;
  there[0].first = 1234567;
  there[1].first = -7654321;
  const std::int64_t moved = 50 * there[0].first + 7 * there[1].first;
  const ComposedMasses near = spectral.compose(here, 0, 800, 0);
  const ComposedMasses far = spectral.compose(there, moved, moved + 800, 0);
  EXPECT_EQ(near.masses, far.masses);
  EXPECT_EQ(near.error, far.error);
  EXPECT_GT(*std::max_element(near.masses.begin(), near.masses.end()), 1e-3);
}

// Mass one window further wraps around with opposite sign, and two windows further with the same
// sign. The window is the next power of two.
TEST(SpectralPower, LawsWiderThanTheWindowAreFolded) {
  const std::vector<TiltedTerm> terms = {random_term(3, -20, 50, 2)};
  for (std::int64_t width : {9, 16, 33}) {
    EXPECT_LE(used(terms, 0, width), 1) << width;
    const std::int64_t size = width > 16 ? 64 : 16;
    std::vector<Wide> folded(static_cast<std::size_t>(size));
    for (const auto& [point, mass] : exact_sum(terms)) {
      const std::int64_t turn = (point + 100 * size) / size - 100;
      Wide& place = folded[static_cast<std::size_t>(point - turn * size)];
      place += turn % 2 == 0 ? mass : Wide(-mass);
    }
    const ComposedMasses composed = SpectralPower().compose(terms, 0, width, 1);
    for (std::size_t i = 0; i < composed.masses.size(); ++i) {
      EXPECT_NEAR(composed.masses[i], std::max(0.0, static_cast<double>(folded[i])), 1e-12);
    }
  }
}

}  // namespace
}  // namespace dp::test::spectral_power_test

// The set of doubles that a release can reach must not depend on the data.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "measurements/noise_support.h"
#include "support/scripted_bits.h"

namespace dp::test::noise_reachable_test {
namespace {

// x = +-units * 2^(binade - 52).
struct Parts {
  int binade;
  std::uint64_t units;
  explicit Parts(double x) {
    units = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &binade), 53));
    --binade;
  }
  int trailing_zeros() const { return units == 0 ? 64 : __builtin_ctzll(units); }
};

// Whether each x is a finite multiple of 2^k and not -0, judged by significand and exponent.
bool all_on_grid(const std::vector<double>& xs, int k) {
  for (double x : xs) {
    if (!std::isfinite(x) || (x == 0 && std::signbit(x))) return false;
    const Parts parts(x);
    if (x != 0 && parts.trailing_zeros() + parts.binade - 52 < k) return false;
  }
  return true;
}

// Whether trailing zero bits within each shared binade follow the same law in both samples. Tests
// the sum of two-sample chi-square statistics over the binades at level `alpha`.
std::optional<bool> same_granularity(const std::vector<double>& a,
                                     const std::vector<double>& b,
                                     double alpha) {
  std::map<int, std::map<int, std::pair<double, double>>> counts;
  const auto cell = [&](double x) -> std::pair<double, double>& {
    const Parts parts(x);
    return counts[parts.binade][std::min(parts.trailing_zeros(), 4)];
  };
  for (double x : a) ++cell(x).first;
  for (double x : b) ++cell(x).second;
  double statistic = 0;
  double freedom = 0;
  for (const auto& [binade, cells] : counts) {
    double in_a = 0, in_b = 0;
    for (const auto& [zeros, count] : cells) {
      in_a += count.first;
      in_b += count.second;
    }
    if (in_a < 400 || in_b < 400) continue;  // every cell of a uniform significand expects 25
    for (const auto& [zeros, count] : cells) {
      const double both = count.first + count.second;
      for (auto [seen, share] : {std::pair{count.first, in_a}, std::pair{count.second, in_b}}) {
        const double expected = both * share / (in_a + in_b);
        statistic += (seen - expected) * (seen - expected) / expected;
      }
    }
    freedom += static_cast<double>(cells.size()) - 1;
  }
  if (freedom == 0) return std::nullopt;  // no binade holds enough of both
  return statistic < quantile(complement(boost::math::chi_squared(freedom), alpha));
}

const double kInputs[] = {0, 1, -1, 1.0 / 3, 0x1p40 + 0.5, 1e300, -1e300, 5e-324, 3e-310};
const double kScales[] = {1e-6, 1, 1e6};
constexpr std::size_t kDraws = 20000;
constexpr double kAlpha = 1e-6 / 100;  // at most 100 comparisons

std::vector<double> noised(double x, double scale, std::optional<int> k) {
  const Measurement noise =
      make_laplace(vectors(AtomType::f64, kDraws), l1_distance(AtomType::f64), scale, k);
  return release(noise, std::vector<double>(kDraws, x));
}

TEST(NoiseReachable, D_FLT_1_ReleasesAreFiniteMultiplesOfThePublicStep) {
  for (double scale : kScales) {
    for (double x : kInputs) {
      EXPECT_TRUE(all_on_grid(noised(x, scale, std::nullopt), -1074)) << x << ' ' << scale;
      EXPECT_TRUE(all_on_grid(noised(x, scale, -30), -30)) << x << ' ' << scale;
    }
  }
}

TEST(NoiseReachable, D_FLT_1_TrailingBitsDoNotTellInputsApart) {
  int compared = 0;
  for (double scale : kScales) {
    const std::vector<double> reference = noised(0, scale, std::nullopt);
    for (double x : kInputs) {
      const auto same = same_granularity(reference, noised(x, scale, std::nullopt), kAlpha);
      if (!same) continue;
      ++compared;
      EXPECT_TRUE(*same) << x << ' ' << scale;
    }
  }
  EXPECT_EQ(compared, 15) << "all but inputs that are far from 0 in units of the noise";
}

// Textbook mechanism, which both checks must reject.
std::vector<double> naive(double x, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<double> out;
  while (out.size() < kDraws) {
    const double u = (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52 - 0.5;
    out.push_back(x - std::copysign(1, u) * std::log(1 - 2 * std::fabs(u)));
  }
  return out;
}

TEST(NoiseReachable, D_FLT_1_TheChecksRejectTheTextbookMechanism) {
  EXPECT_FALSE(all_on_grid(naive(0, 1), -53));
  EXPECT_TRUE(all_on_grid(naive(1, 2), -53));
  EXPECT_EQ(same_granularity(naive(0, 3), naive(1, 4), kAlpha), std::optional<bool>(false));
}

}  // namespace
}  // namespace dp::test::noise_reachable_test

// What an adversary who knows the mechanism can prove from samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "measurements/noise_support.h"

namespace dp::test::noise_audit_test {
namespace {

using Sample = std::vector<double>;

// One event of the audit: outputs in [low, high].
struct Event {
  double low, high;
  double count(const Sample& sample, std::size_t begin, std::size_t end) const {
    double hits = 0;
    for (std::size_t i = begin; i < end; ++i) hits += low <= sample[i] && sample[i] <= high;
    return hits;
  }
};

// Clopper and Pearson (1934) at alpha / 2: lower bound on epsilon with confidence 1 - alpha. There
// are k1 hits where the event is likely and k0 where it is unlikely, out of n each.
double epsilon_low(double k1, double k0, double n, double alpha) {
  using boost::math::beta_distribution;
  const double low = k1 == 0 ? 0 : quantile(beta_distribution<>(k1, n - k1 + 1), alpha / 2);
  const double high = k0 == n ? 1 : quantile(beta_distribution<>(k0 + 1, n - k0), 1 - alpha / 2);
  return std::log(low / high);
}

// Chooses event and direction on the first halves of the samples and judges them on the second.
double audited_epsilon(const Sample& a, const Sample& b, double alpha) {
  const std::size_t half = a.size() / 2;
  Sample points(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(half));
  points.insert(points.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(half));
  std::sort(points.begin(), points.end());
  std::vector<Event> events;
  for (int i = 1; i < 40; ++i) {  // thresholds and single outputs at the quantiles
    const double at = points[points.size() * static_cast<std::size_t>(i) / 40];
    events.push_back({-HUGE_VAL, at});
    events.push_back({at, HUGE_VAL});
    events.push_back({at, at});
  }
  const auto bound = [&](const Event& event, bool swapped, std::size_t begin, std::size_t end) {
    const Sample& likely = swapped ? b : a;
    const Sample& unlikely = swapped ? a : b;
    return epsilon_low(event.count(likely, begin, end),
                       event.count(unlikely, begin, end),
                       static_cast<double>(end - begin),
                       alpha);
  };
  double best = -HUGE_VAL;
  double judged = -HUGE_VAL;
  for (const Event& event : events) {
    for (bool swapped : {false, true}) {
      const double first = bound(event, swapped, 0, half);
      if (first <= best) continue;
      best = first;
      judged = bound(event, swapped, half, a.size());
    }
  }
  return judged;
}

// One audit per family of inputs below. The suite fails by chance once in a million runs.
constexpr double kAlpha = 1e-6 / 4;
constexpr std::size_t kDraws = 400000;

template <class T>
Sample draws(const Measurement& noise, T x) {
  const std::vector<T> out = release(noise, std::vector<T>(kDraws, x));
  return Sample(out.begin(), out.end());
}

Measurement laplace_with(AtomType type, double scale) {
  return make_laplace(vectors(type), l1_distance(AtomType::f64), scale);
}

TEST(NoiseAudit, D_EPS_1_NoEventShowsMoreThanTheClaimOfLaplace) {
  const Measurement noise = laplace_with(AtomType::i32, 1);
  ASSERT_EQ(loss(noise, 1.0), 1);
  EXPECT_LE(audited_epsilon(draws(noise, 0), draws(noise, 1), kAlpha), 1);
  EXPECT_LE(audited_epsilon(draws(noise, 0), draws(noise, 3), kAlpha), loss(noise, 3.0));
  const Measurement near_limit = laplace_with(AtomType::u8, 10);
  EXPECT_LE(audited_epsilon(
                draws(near_limit, std::uint8_t{0}), draws(near_limit, std::uint8_t{1}), kAlpha),
            loss(near_limit, 1.0));
  const Measurement grid =
      make_laplace(vectors(AtomType::f64, kDraws), l1_distance(AtomType::f64), 1, -2);
  // All rows of the sample form one release of many rows. The claim for one row is the claim for
  // size 1.
  const Measurement one_row =
      make_laplace(vectors(AtomType::f64, 1), l1_distance(AtomType::f64), 1, -2);
  EXPECT_LE(audited_epsilon(draws(grid, 0.12), draws(grid, 1.13), kAlpha), loss(one_row, 1.01));
}

TEST(NoiseAudit, D_EPS_1_TheAuditRejectsSevenPercentLessNoise) {
  const Measurement mutant = laplace_with(AtomType::i32, 0.93);
  EXPECT_GT(audited_epsilon(draws(mutant, 0), draws(mutant, 1), kAlpha), 1);
}

}  // namespace
}  // namespace dp::test::noise_audit_test

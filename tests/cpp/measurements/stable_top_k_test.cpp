#include "core/measurements/stable_top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/measures/loss.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"

namespace dp::test::stable_top_k_test {
namespace {

using Counts = std::vector<std::int64_t>;
using Places = std::vector<std::uint64_t>;

const Metric kLinf = linf_distance(AtomType::i64, false);

Measurement stable(std::uint64_t k, double scale, std::int64_t threshold, std::uint64_t size = 3) {
  return make_stable_top_k(vectors(AtomType::i64, size), kLinf, k, scale, threshold);
}

Places released(const Measurement& measurement, const Counts& counts) {
  const Value out = measurement.invoke(make_column(AtomType::i64, counts));
  BatchBuffer buffer;
  const std::size_t n = rows_in(out)->size();
  const auto* cells = rows_in(out)->read(0, n, buffer).as<std::uint64_t>();
  return {cells, cells + n};
}

ApproximateLoss loss_at(const Measurement& measurement, std::int64_t d_in) {
  return approximate_in(measurement.map(Scalar(d_in)));
}

TEST(StableTopK, TellsTheSetIfTheGapIsWide) {
  const Measurement two = stable(2, 0.01, 5, 4);
  EXPECT_EQ(released(two, {3, 100, 7, 50}), (Places{1, 3}));
  EXPECT_EQ(released(two, {100, 100, 50, 50}), (Places{0, 1}));
  EXPECT_EQ(released(two, {100, 50, 50, 50}), Places{});
  // The distance is ceil(gap / 2) - 1.
  EXPECT_EQ(released(two, {20, 20, 9, 0}), (Places{0, 1}));
  EXPECT_EQ(released(two, {20, 20, 10, 0}), Places{});
  // Gaps that overflow the type.
  EXPECT_EQ(released(stable(1, 1, 5), {INT64_MAX, INT64_MIN, 0}), Places{0});
}

// A release is the set, with this probability, or empty.
struct ReleaseLaw {
  Places places;
  Wide shown;
};

// Law from the definition.
ReleaseLaw law_of(const Counts& counts, std::uint64_t k, const std::vector<Wide>& shown) {
  std::vector<std::uint64_t> order{0, 1, 2};
  std::stable_sort(
      order.begin(), order.end(), [&](auto i, auto j) { return counts[i] > counts[j]; });
  const auto gap = counts[order[k - 1]] - counts[order[k]];
  const auto distance = std::max<std::int64_t>(0, (gap + 1) / 2 - 1);
  Places places(order.begin(), order.begin() + static_cast<long>(k));
  std::sort(places.begin(), places.end());
  return {places, shown.at(static_cast<std::size_t>(distance))};
}

// For distances 0, 1, ..., the probability that noise lifts them to the threshold.
std::vector<Wide> chances(const Wide& scale, long threshold) {
  const Law noise = laplace_law(scale, 400);
  std::vector<Wide> shown;
  for (long distance = 0; distance < 4; ++distance) {
    Wide sum = 0;
    for (long z = threshold - distance; z <= noise.reach; ++z) sum += noise.mass(z);
    shown.push_back(sum);
  }
  return shown;
}

// Largest P[S] - factor Q[S].
Wide excess(const ReleaseLaw& p, const ReleaseLaw& q, const Wide& factor) {
  const Wide nothing = (1 - p.shown) - factor * (1 - q.shown);
  const Wide set = p.places == q.places ? Wide(p.shown - factor * q.shown) : p.shown;
  return std::max(Wide(0), nothing) + std::max(Wide(0), set);
}

// Worst case over all counts from 0 to 5 and all counts that differ by at most `d`.
Wide worst_excess(std::uint64_t k, const Wide& scale, long threshold, int d, const Wide& epsilon) {
  std::vector<Counts> all;
  for (int i = 0; i < 216; ++i) all.push_back({i % 6, i / 6 % 6, i / 36});
  const std::vector<Wide> shown = chances(scale, threshold);
  std::vector<ReleaseLaw> laws;
  for (const Counts& counts : all) laws.push_back(law_of(counts, k, shown));
  const Wide factor = exp(epsilon);
  Wide worst = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      bool near = true;
      for (std::size_t c = 0; c < 3; ++c) near = near && std::abs(all[i][c] - all[j][c]) <= d;
      if (near) worst = std::max(worst, excess(laws[i], laws[j], factor));
    }
  }
  return worst;
}

TEST(StableTopK, ExactLawsOfNeighboursAreWithinTheLossAndHardlyBelow) {
  for (const std::uint64_t k : {1u, 2u}) {
    for (const int d : {1, 2}) {
      const ApproximateLoss loss = loss_at(stable(k, 1.5, 3), d);
      const Wide epsilon = number_in<double>(loss.inner);
      EXPECT_LE(worst_excess(k, 1.5, 3, d, epsilon), Wide(loss.delta));
      EXPECT_GT(worst_excess(k, 1.5, 3, d, epsilon), Wide(loss.delta) * (1 - 1e-9));
      // Mutant: a threshold that is one too low.
      EXPECT_GT(worst_excess(k, 1.5, 2, d, epsilon), Wide(loss.delta));
    }
  }
}

TEST(StableTopK, ReleasesHaveTheLaw) {
  const Counts counts{7, 2, 1};
  const Measurement measurement = stable(1, 1.5, 3);
  constexpr int kDraws = 20000;
  int shown = 0;
  for (int i = 0; i < kDraws; ++i) shown += !released(measurement, counts).empty();
  const double p = law_of(counts, 1, chances(1.5, 3)).shown.convert_to<double>();
  EXPECT_NEAR(shown, kDraws * p, 6 * std::sqrt(kDraws * p * (1 - p)));
}

TEST(StableTopK, MapsStartAtZeroAndNeedTheThreshold) {
  const Measurement measurement = stable(1, 2, 3);
  EXPECT_EQ(number_in<double>(loss_at(measurement, 0).inner), 0);
  EXPECT_EQ(loss_at(measurement, 0).delta, 0);
  EXPECT_EQ(number_in<double>(loss_at(measurement, 1).inner), 0.5);
  EXPECT_LT(loss_at(measurement, 1).delta, loss_at(measurement, 3).delta);
  expect_error(ErrorKind::failed_map, [&] { loss_at(measurement, 4); });
  expect_error(ErrorKind::failed_map, [&] { loss_at(measurement, -1); });
}

TEST(StableTopK, RefusesWhatItCanNotPromise) {
  expect_error(ErrorKind::make_measurement, [] { stable(3, 1, 3); });
  expect_error(ErrorKind::make_measurement, [] { stable(0, 1, 3); });
  expect_error(ErrorKind::make_measurement, [] { stable(1, 0, 3); });
  expect_error(ErrorKind::failed_function, [] {
    released(make_stable_top_k(vectors(AtomType::i64), kLinf, 2, 1, 3), {1, 2});
  });
  expect_error(ErrorKind::type, [] {
    make_stable_top_k(vectors(AtomType::i32, 3), linf_distance(AtomType::i32, false), 1, 1, 3);
  });
  expect_error(ErrorKind::failed_function, [] { released(stable(1, 1, 3), {1, 2}); });
}

}  // namespace
}  // namespace dp::test::stable_top_k_test

#include "core/postprocessing/next_clusters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/frames.h"

namespace dp::test::next_clusters_test {
namespace {

void expect_near(const Doubles& found, const Doubles& expected, double tolerance = 1e-5) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(ClustersAround, OneCentreHasAllOfTheBounds) {
  const Clusters all = clusters_around({0.3, 0.9}, 2);
  EXPECT_EQ(all.centres, Doubles({0.3, 0.9}));
  EXPECT_EQ(all.lower, Doubles({0, 0}));
  EXPECT_EQ(all.upper, Doubles({1, 1}));
}

TEST(ClustersAround, CentresOnAGridHaveTheirCells) {
  const Clusters all = clusters_around({0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.75}, 2);
  expect_near(all.lower, {0, 0, 0, 0.5, 0.5, 0, 0.5, 0.5});
  expect_near(all.upper, {0.5, 0.5, 0.5, 1, 1, 0.5, 1, 1});
  const Clusters line = clusters_around({0.9, 0.1, 0.4}, 1);
  expect_near(line.lower, {0.65, 0, 0.25});
  expect_near(line.upper, {1, 0.25, 0.65});
}

TEST(ClustersAround, CentresAtOnePlaceDoNotNarrowEachOther) {
  const Clusters all = clusters_around({0.5, 0.5, 0.5, 0.5, 1, 0.5}, 2);
  expect_near(all.lower, {0, 0, 0, 0, 0.75, 0});
  expect_near(all.upper, {0.75, 1, 0.75, 1, 1, 1});
}

// All grid points are in the box of their nearest centre, and boxes stay within the bounds.
void expect_boxes_hold_their_points(const Doubles& centres, std::size_t columns) {
  const Clusters all = clusters_around(centres, columns);
  const ClusterGrid grid = cluster_grid(all, columns);
  std::mt19937 bits(5);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::int32_t> row;
    for (std::size_t c = 0; c < columns; ++c)
      row.push_back(static_cast<std::int32_t>(bits() % ((1u << kClusterBits) + 1)));
    const std::size_t first = nearest_centre(row.data(), grid) * columns;
    for (std::size_t c = 0; c < columns; ++c) {
      EXPECT_GE(row[c], grid.lower[first + c]);
      EXPECT_LE(row[c], grid.upper[first + c]);
    }
  }
}

TEST(ClustersAround, BoxesHoldAllThatIsNearestToTheirCentres) {
  std::mt19937 bits(6);
  for (const std::size_t columns : {1, 2, 3, 5}) {
    for (int trial = 0; trial < 20; ++trial) {
      Doubles centres;
      for (std::size_t i = 0; i < 7 * columns; ++i)
        centres.push_back(std::ldexp(static_cast<double>(bits() >> 8), -kClusterBits));
      expect_boxes_hold_their_points(centres, columns);
    }
  }
}

// Cells of `count` rows, half at t and half at 1 - t.
Doubles cells_of_halves(double count, double t) {
  const double square = t * t + (1 - t) * (1 - t);
  return {count * square / 2, count * (1 - square), count * square / 2};
}

Doubles joined(const std::vector<Doubles>& all) {
  Doubles one;
  for (const Doubles& each : all) one.insert(one.end(), each.begin(), each.end());
  return one;
}

TEST(NextCentres, AreMeansOfRowsInTheirBoxes) {
  const Clusters at{{0.1, 0.1, 0.9, 0.9}, {0, 0, 0.5, 0.5}, {0.5, 0.5, 1, 1}};
  // 100 rows at t = 1/4 and 3/4, and 50 at 1 and 1/2.
  const Doubles cells = {56.25, 37.5, 6.25, 6.25, 37.5, 56.25, 0, 0, 50, 12.5, 25, 12.5};
  expect_near(next_centres(at, cells, 2, 1e-9), {0.125, 0.375, 1, 0.75}, 1e-12);
}

TEST(NextCentres, NoiseTakesNoCentreOutOfItsBox) {
  const Clusters at{{0.4}, {0.25}, {0.5}};
  expect_near(next_centres(at, {-90, 0, 200}, 1, 1), {0.5}, 1e-12);
  expect_near(next_centres(at, {200, 0, -90}, 1, 1), {0.25}, 1e-12);
}

TEST(NextCentres, AnEmptyClusterHalvesTheOneWithTheLargestSumOfSquares) {
  // The first has a wide second column, of standard deviation 1/4 of the range; the last is empty.
  const Clusters at{{0.5, 0.5, 0.5, 0.5, 0.9, 0.9}, Doubles(6, 0), Doubles(6, 1)};
  const Doubles cells = joined({cells_of_halves(1000, 0.45),
                                cells_of_halves(1000, 0.25),
                                cells_of_halves(1500, 0.4),
                                cells_of_halves(1500, 0.4),
                                {0, 0, 0},
                                {0, 0, 0}});
  const double apart = std::sqrt(2 / std::acos(-1.0)) / 4;
  expect_near(next_centres(at, cells, 2, 1), {0.5, 0.5 - apart, 0.5, 0.5, 0.5, 0.5 + apart}, 1e-12);
}

TEST(NextCentres, SeveralEmptyClustersDoNotHalveTheSameOneTwiceIfAnotherHasMoreToGain) {
  const Clusters at{{0.25, 0.75, 0.1, 0.9}, {0, 0.5, 0, 0}, {0.5, 1, 1, 1}};
  const Doubles cells =
      joined({cells_of_halves(1000, 0.25), cells_of_halves(900, 0.25), {0, 0, 0}, {5, -5, 5}});
  const double apart = std::sqrt(2 / std::acos(-1.0)) / 8;
  expect_near(next_centres(at, cells, 1, 1),
              {0.25 - apart, 0.75 - apart, 0.25 + apart, 0.75 + apart},
              1e-12);
}

TEST(NextCentres, OfClustersThatShareAHeapOneLeavesItForAWideCluster) {
  const Doubles lower = {0, 0.04, 0.4};
  const Clusters at{{0.1, 0.12, 0.7}, lower, {0.2, 0.2, 1}};
  const auto cells = [](double wide) {
    return joined(
        {cells_of_halves(1000, 0.45), cells_of_halves(900, 0.45), cells_of_halves(2000, wide)});
  };
  const double apart = std::sqrt(2 / std::acos(-1.0)) * 0.3;
  expect_near(next_centres(at, cells(0), 1, 1), {0.1, 0.7 + apart, 0.7 - apart}, 1e-12);
  // For a narrow cluster, a split would remove too little.
  expect_near(next_centres(at, cells(0.475), 1, 0.01), {0.1, 0.12, 0.7}, 1e-12);
  // Nor does a cluster leave a shared heap for one that is as far away as its neighbour.
  const Clusters far{{0.1, 0.5, 0.7}, {0, 0.42, 0.4}, {0.2, 0.58, 1}};
  expect_near(next_centres(far, cells(0.25), 1, 1), {0.1, 0.5, 0.7}, 1e-12);
}

TEST(NextCentres, WhereNoiseMayHaveMadeAllSpreadEmptyClustersStay) {
  const Clusters at{{0.5, 0.25}, {0, 0}, {1, 1}};
  // All rows are in the middle, so their sum of squares is as small as the noise.
  expect_near(next_centres(at, {250, 500, 251, 3, 0, 1}, 1, 2), {0.5005, 0.25}, 1e-4);
  expect_near(next_centres(at, {0, 0, 0, 0, 0, 0}, 1, 1e-12), {0.5, 0.25});
}

}  // namespace
}  // namespace dp::test::next_clusters_test

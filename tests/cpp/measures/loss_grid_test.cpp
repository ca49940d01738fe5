#include "core/measures/loss_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "support/doubles.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"

namespace dp::test::loss_grid_test {
namespace {

struct Point {
  double mass;
  double loss;
};

Wide delta_of(const LossGrid& grid, const Wide& epsilon) {
  Wide delta = grid.infinite();
  for (std::size_t i = 0; i < grid.masses().size(); ++i) {
    const Wide loss = Wide(grid.step()) * (grid.first() + static_cast<std::int64_t>(i));
    if (loss > epsilon) delta += grid.masses()[i] * (1 - exp(epsilon - loss));
  }
  return delta;
}

Wide delta_of(const std::vector<Point>& points, const Wide& epsilon) {
  Wide delta = 0;
  for (const Point& point : points) {
    if (point.loss == kInf) delta += point.mass;
    if (point.loss < kInf && point.loss > epsilon) {
      delta += point.mass * (1 - exp(epsilon - Wide(point.loss)));
    }
  }
  return delta;
}

std::vector<Point> random_points(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Point> points;
  for (int i = 0; i < 40; ++i) {
    points.push_back({std::uniform_real_distribution<double>(0, 0.025)(random),
                      std::normal_distribution<double>(0.5, 2)(random)});
  }
  points.push_back({1e-9, kInf});
  points.push_back({1e-3, 0.25});    // a grid point
  points.push_back({1e-3, -1e-30});  // just below one
  points.push_back({1e-3, 1e300});   // beyond any grid
  return points;
}

using Add = std::function<void(LossGrid&, Point)>;

// Whether a grid filled by `add` has at least the delta of the points, at every positive or
// negative epsilon.
bool is_above(const Add& add) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    for (double step : {1.0, 0.25, 0x1p-7}) {
      const std::vector<Point> points = random_points(seed);
      LossGrid grid(step, 4);  // some points exceed this reach
      for (const Point& point : points) add(grid, point);
      grid.trim();
      for (double epsilon = -6; epsilon < 12; epsilon += 0.471) {
        if (delta_of(grid, epsilon) < delta_of(points, epsilon)) return false;
      }
    }
  }
  return true;
}

TEST(LossGrid, IsNowhereBelowThePointsThatWereAdded) {
  EXPECT_TRUE(is_above([](LossGrid& grid, Point point) { grid.add(point.mass, point.loss); }));
}

TEST(LossGrid, MistakesAreFound) {
  EXPECT_FALSE(is_above([](LossGrid& grid, Point point) {
    grid.add(point.mass, std::floor(point.loss / grid.step()) * grid.step());
  })) << "losses rounded down";
  EXPECT_FALSE(is_above([](LossGrid& grid, Point point) {
    grid.add(point.mass, std::nearbyint(point.loss / grid.step()) * grid.step());
  })) << "losses rounded to nearest";
  EXPECT_FALSE(is_above([](LossGrid& grid, Point point) {
    if (point.loss < 1e9) grid.add(point.mass, point.loss);
  })) << "what is truncated is lost";
  EXPECT_FALSE(is_above([](LossGrid& grid, Point point) {
    grid.add(point.mass * (1 - 1e-9), point.loss);
  })) << "masses rounded down";
}

TEST(LossGrid, DeltaAtGridPointsIsThatOfThePoints) {
  const std::vector<Point> points = random_points(3);
  LossGrid grid(0.25, 16);
  for (const Point& point : points) grid.add(point.mass, point.loss);
  for (double epsilon = -5; epsilon < 10; epsilon += 0.25) {
    const Wide exact = delta_of(points, epsilon);
    EXPECT_LE(static_cast<double>(Wide(delta_of(grid, epsilon) / exact - 1)), 1e-12) << epsilon;
  }
}

TEST(LossGrid, PointsOfTheGridStayOnePoint) {
  LossGrid grid(0.5, 2);
  grid.add(0.25, 1);
  grid.trim();
  ASSERT_EQ(grid.masses().size(), 1u);
  EXPECT_EQ(grid.first(), 2);
  EXPECT_NEAR(grid.masses()[0], 0.25, 1e-13);
  EXPECT_EQ(grid.infinite(), 0);
}

TEST(LossGrid, InfiniteMassIsAtMostOne) {
  LossGrid grid(1, 1);
  grid.add(0.75, kInf);
  grid.add(0.75, std::nan(""));
  grid.trim();
  EXPECT_EQ(grid.infinite(), 1);
  EXPECT_TRUE(grid.masses().empty());
}

TEST(LossGrid, StepsArePowersOfTwoAndNotTooSmall) {
  for (double step : {0.0, -1.0, 0.3, kInf, std::nan("")}) {
    expect_error(ErrorKind::invalid_distance, [&] { LossGrid grid(step, 1); });
  }
  expect_error(ErrorKind::invalid_distance, [] { LossGrid grid(0x1p-40, 1); });
}

}  // namespace
}  // namespace dp::test::loss_grid_test

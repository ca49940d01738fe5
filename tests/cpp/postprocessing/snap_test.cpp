#include "core/postprocessing/snap.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/postprocessing/numbers.h"
#include "support/expect_error.h"

namespace dp::test::snap_test {
namespace {

std::vector<double> snapped(const Function& function, const std::vector<double>& numbers) {
  return numbers_in<double>(function(make_column(AtomType::f64, numbers)), AtomType::f64);
}

TEST(Snap, RoundsToTheNearestMultipleAHalfUpwards) {
  const Function half = snap({0.5}, {-10}, {10});
  EXPECT_EQ(snapped(half, {0.24, 0.25, -0.25, -0.26, 1.3}),
            (std::vector<double>{0, 0.5, 0, -0.5, 1.5}));
  EXPECT_EQ(element_in<double>(half(Scalar(0.74))), 0.5);
}

TEST(Snap, StaysWithinTheEnds) {
  const Function narrow = snap({3}, {-1}, {2});
  EXPECT_EQ(snapped(narrow, {-1e300, -3, 7.4, 7.5, 1e300}), (std::vector<double>{-3, -3, 6, 6, 6}));
}

TEST(Snap, SeveralGridsAreForAsManyNumbers) {
  const Function two = snap({1, 10}, {0, 0}, {5, 5});
  EXPECT_EQ(snapped(two, {2.5, 2.5, 2.5}), (std::vector<double>{3, 0, 2.5}));
  expect_error(ErrorKind::failed_function, [&] { snapped(two, {1}); });
}

TEST(Snap, GridsThatAreNoneAreRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double width : {0.0, -1.0, infinity}) {
    expect_error(ErrorKind::make_transformation, [&] { snap({width}, {0}, {1}); });
  }
  expect_error(ErrorKind::make_transformation, [] { snap({}, {}, {}); });
  expect_error(ErrorKind::make_transformation, [] { snap({1, 1}, {0}, {1, 1}); });
  expect_error(ErrorKind::make_transformation, [] { snap({1}, {0.5}, {1}); });
  expect_error(ErrorKind::make_transformation, [] { snap({1}, {2}, {1}); });
}

}  // namespace
}  // namespace dp::test::snap_test

#include "core/transformations/sums/lattice_refine.h"

#include <gtest/gtest.h>

#include "core/numeric/limits.h"
#include "support/expect_error.h"

namespace dp::lattice_refine_test {
namespace {

using test::expect_error;

Transformation refine(int bits) {
  return make_lattice_refine(non_nan_atom(AtomType::i128), absolute_distance(AtomType::i128), bits);
}

int128_t apply(int bits, int128_t x) {
  return element_in<int128_t>(refine(bits).invoke(Scalar(x)));
}

int128_t map(int bits, int128_t d_in) {
  return number_in<int128_t>(refine(bits).map(Scalar(d_in)));
}

TEST(LatticeRefine, MultipliesByAPowerOfTwo) {
  EXPECT_EQ(apply(0, 7), 7);
  EXPECT_EQ(apply(3, -5), -40);
  EXPECT_EQ(map(3, 5), 40);
  EXPECT_EQ(map(3, 0), 0);
}

TEST(LatticeRefine, D_INT_1_SaturatesAndNeverMovesBeyondItsMap) {
  const int128_t large = int128_t{1} << 124;
  const int128_t xs[] = {-large, -large + 1, -1, 0, 1, large - 1, large};
  for (const int128_t x : xs) {
    for (const int128_t y : xs) {
      if (x < y || x - y >= int128_t{1} << 122) continue;
      const int128_t moved = apply(4, x) - apply(4, y);
      EXPECT_TRUE(0 <= moved && moved <= map(4, x - y));
    }
  }
  EXPECT_TRUE(apply(4, large) == kMax<int128_t>);
  EXPECT_TRUE(apply(4, -large) == kMin<int128_t>);
  expect_error(ErrorKind::overflow, [&] { map(4, large); });
}

TEST(LatticeRefine, RefusesOtherSpacesAndSteps) {
  expect_error(ErrorKind::make_transformation, [] { refine(-1); });
  expect_error(ErrorKind::make_transformation, [] { refine(127); });
  expect_error(ErrorKind::type, [] {
    make_lattice_refine(non_nan_atom(AtomType::i64), absolute_distance(AtomType::i64), 1);
  });
}

}  // namespace
}  // namespace dp::lattice_refine_test

// Saturating sums of neighbours that pair their rows differently.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/transformations/sums/float_sum.h"
#include "support/reductions.h"

namespace dp::test::float_sum_saturation_test {
namespace {

// |a - b| in units of the largest number, which the difference may exceed.
template <class T>
double apart(const Transformation &sum, const std::vector<T> &a, const std::vector<T> &b) {
  constexpr double kLargest = kMax<T>;
  const auto of = [&](const std::vector<T> &x) { return double{invoke_on<T>(sum, x)} / kLargest; };
  return std::fabs(of(a) - of(b));
}

template <class T>
double claimed(const Transformation &sum, std::uint32_t d_in) {
  return double{std::get<T>(*sum.map(Distance(Scalar(d_in))).template as<Scalar>())} / kMax<T>;
}

// Runs of `run` high and `run` low rows. A low row is inserted in front and the last row removed,
// which shifts them all.
template <class T>
void expect_covered(AtomType type) {
  for (const SumOrder order : {SumOrder::pairwise, SumOrder::sequential}) {
    for (const std::size_t run : {2, 3, 4, 8}) {
      for (const T share : {T(0.45), T(0.3), T(0.12)}) {
        const T high = share * kMax<T>;
        const T low = T(-0.6) * high;
        std::vector<T> rows(512);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i / run % 2 == 0 ? high : low;
        std::vector<T> shifted(1, low);
        shifted.insert(shifted.end(), rows.begin(), rows.end() - 1);
        const Transformation sized =
            make_sized_bounded_float_ordered_sum(512, {low, high}, {order, type});
        EXPECT_LE(apart(sized, rows, shifted), claimed<T>(sized, 2));
        const Transformation unsized =
            make_bounded_float_ordered_sum(512, {low, high}, {order, type});
        const std::vector<T> without(rows.begin() + 1, rows.end());
        EXPECT_LE(apart(unsized, rows, without), claimed<T>(unsized, 1));
      }
    }
  }
}

TEST(FloatSum, D_SEN_1_SaturationDoesNotDependOnHowRowsArePaired) {
  expect_covered<double>(AtomType::f64);
  expect_covered<float>(AtomType::f32);
}

TEST(FloatSum, SaturatesAtTheEndOfAPairwiseSumOfBothSigns) {
  const double big = 0x1.8p1022;
  const auto sum =
      make_sized_bounded_float_ordered_sum(8, {-big, big}, {SumOrder::pairwise, AtomType::f64});
  const std::vector<double> rows = {big, big, big, big, -big, -big, -big, 0};
  EXPECT_EQ(invoke_on<double>(sum, rows), big);
  EXPECT_EQ(invoke_on<double>(sum, std::vector<double>(8, big)), kMax<double>);
  EXPECT_EQ(invoke_on<double>(sum, std::vector<double>(8, -big)), kMin<double>);
}

}  // namespace
}  // namespace dp::test::float_sum_saturation_test

// Same sums and maps on every platform: integers, doubles in any order, lattice sums, and moments.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/transformations/counts/count_by.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/rows/impute_constant.h"
#include "core/transformations/rows/lipschitz_float_mul.h"
#include "core/transformations/sums/float_sum.h"
#include "core/transformations/sums/int_sum.h"
#include "core/transformations/sums/lattice_sum.h"
#include "core/transformations/sums/mean.h"
#include "core/transformations/sums/sized_bounded_covariance.h"
#include "core/transformations/sums/sum.h"
#include "core/transformations/sums/sum_of_squared_deviations.h"
#include "core/transformations/sums/variance.h"
#include "golden/golden_data.h"
#include "support/chain_of.h"

namespace dp::test::sums_golden_test {
namespace {

constexpr std::size_t kSize = 3000;
const Bounds kBounds = golden_bounds(-500, 1000);

std::string of_doubles(const Transformation& t) {
  return golden_step(t, make_column(AtomType::f64, golden_clamped_doubles(kSize)), rows_apart());
}

std::string of_integers(const Transformation& t) {
  return golden_step(t, make_column(AtomType::i32, golden_integers(kSize)), rows_apart());
}

TEST(GoldenSums, OfIntegers) {
  const Bounds bounds{Scalar(std::int32_t{-1000}), Scalar(std::int32_t{1999})};
  EXPECT_EQ(of_integers(make_sized_bounded_int_checked_sum(kSize, bounds, AtomType::i32)),
            "f338f83f1db24da6");
  EXPECT_EQ(of_integers(make_bounded_int_split_sum(bounds, AtomType::i32)), "8ee898e2e4791593");
  EXPECT_EQ(of_integers(make_sized_bounded_int_ordered_sum(kSize, bounds, AtomType::i32)),
            "f338f83f1db24da6");
}

TEST(GoldenSums, OfDoublesInOrder) {
  const Summation sequential = parse_summation("Sequential<f64>");
  const Summation pairwise = parse_summation("Pairwise<f64>");
  const auto checked = [](const Summation& summation) {
    return of_doubles(make_bounded_float_checked_sum(kSize, kBounds, summation));
  };
  const auto ordered = [](const Summation& summation) {
    return of_doubles(make_sized_bounded_float_ordered_sum(kSize, kBounds, summation));
  };
  EXPECT_EQ(checked(sequential), "eb8d2f6f30dc9f23");
  EXPECT_EQ(checked(pairwise), "748c18b9d601c555");
  EXPECT_EQ(ordered(sequential), "04ead297979e59a8");
  EXPECT_EQ(ordered(pairwise), "d56acf0c8da922e4");
}

ChainOf sized_rows() {
  return ChainOf(
      make_clamp(vector_of(non_nan_atom(AtomType::f64), kSize), symmetric_distance(), kBounds));
}

TEST(GoldenSums, OnTheLattice) {
  EXPECT_EQ(of_doubles(sized_rows().then(make_lattice_sum).get()), "9dcc448760139af2");
  EXPECT_EQ(of_doubles(sized_rows().then(make_sum).get()), "d56acf0c8da922e4");
  EXPECT_EQ(of_doubles(sized_rows().then(make_mean).get()), "3277f5d400012ba9");
}

TEST(GoldenSums, Moments) {
  const Summation pairwise = parse_summation("Pairwise<f64>");
  const Summation sequential = parse_summation("Sequential<f64>");
  EXPECT_EQ(of_doubles(sized_rows().then(make_sum_of_squared_deviations, pairwise).get()),
            "0bf65856182de64a");
  EXPECT_EQ(of_doubles(sized_rows().then(make_sum_of_squared_deviations, sequential).get()),
            "54cac8fe9f3fed9e");
  EXPECT_EQ(of_doubles(sized_rows().then(make_variance, std::uint64_t{1}, pairwise).get()),
            "5dd5f8db981a92ec");
  std::vector<double> other = golden_clamped_doubles(kSize);
  std::rotate(other.begin(), other.begin() + 1, other.end());
  const Value pairs = Value::Tuple{make_column(AtomType::f64, golden_clamped_doubles(kSize)),
                                   make_column(AtomType::f64, other)};
  EXPECT_EQ(
      golden_step(
          make_sized_bounded_covariance(kSize, kBounds, kBounds, 1, pairwise), pairs, rows_apart()),
      "5e9c1f90fd881999");
}

// More rows than one thread handles.
TEST(GoldenSums, OfManyRows) {
  const Value many = make_column(AtomType::f64, golden_doubles(600000));
  const ChainOf clamped =
      from_rows(AtomType::f64, make_impute_constant, Scalar(20.0)).then(make_clamp, kBounds);
  EXPECT_EQ(golden_step(clamped.then(make_lattice_sum).get(), many, {}), "db2ada63eaf1945c");
}

}  // namespace
}  // namespace dp::test::sums_golden_test

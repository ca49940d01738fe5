#include "core/transformations/sums/float_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/float_sum_reducers.h"
#include "support/expect_error.h"
#include "support/reductions.h"

namespace dp::test::float_sum_test {
namespace {

// sum_test.cpp checks the maps of the oracle.

constexpr Summation kPairwise{SumOrder::pairwise, AtomType::f64};
constexpr Summation kSequential{SumOrder::sequential, AtomType::f64};

template <class T>
Bounds between(T lower, T upper) {
  return {Scalar(lower), Scalar(upper)};
}

// Reference sums by definition.
template <class T, class Add>
T by_definition_pairwise(const T* rows, std::size_t size) {
  if (size == 0) return 0;
  if (size == 1) return rows[0];
  return Add()(by_definition_pairwise<T, Add>(rows, size / 2),
               by_definition_pairwise<T, Add>(rows + size / 2, size - size / 2));
}
template <class T, class Add>
T by_definition_sequential(const T* rows, std::size_t size) {
  T sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum = Add()(sum, rows[i]);
  return sum;
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Ordinary numbers, or numbers of all magnitudes with zeros of both signs.
template <class T>
std::vector<T> some_rows(std::size_t size, TestRandom& random) {
  static const std::vector<T> kSpecial = {T(0),
                                          -T(0),
                                          std::numeric_limits<T>::denorm_min(),
                                          -std::numeric_limits<T>::min(),
                                          kMaxConsecutive<T>,
                                          -T(1) / 3,
                                          kMax<T>,
                                          kMin<T>};
  const bool special = random.below(2) == 0;
  std::vector<T> rows(size);
  for (T& row : rows) row = special ? random.pick(kSpecial) : static_cast<T>(random.unit() - 0.3);
  return rows;
}

// Sized checked and ordered sums over [0, 1]. They do not test whether rows are within bounds.
template <class T>
Transformation checked(SumOrder order) {
  return make_sized_bounded_float_checked_sum(
      1, between<T>(0, 1), {order, sizeof(T) == 4 ? AtomType::f32 : AtomType::f64});
}
template <class T>
Transformation ordered(SumOrder order) {
  return make_sized_bounded_float_ordered_sum(
      1, between<T>(0, 1), {order, sizeof(T) == 4 ? AtomType::f32 : AtomType::f64});
}

template <class T>
void expect_definition(const std::vector<T>& rows, TestRandom& random) {
  const T* x = rows.data();
  const std::size_t n = rows.size();
  const std::pair<Transformation, T> cases[] = {
      {checked<T>(SumOrder::pairwise), by_definition_pairwise<T, PlainAdd>(x, n)},
      {ordered<T>(SumOrder::pairwise), by_definition_pairwise<T, SaturatingAdd>(x, n)},
      {checked<T>(SumOrder::sequential), by_definition_sequential<T, PlainAdd>(x, n)},
      {ordered<T>(SumOrder::sequential), by_definition_sequential<T, SaturatingAdd>(x, n)}};
  for (const auto& [sum, expected] : cases) {
    // Infinity minus infinity is a NaN of either sign.
    const auto is_expected = [want = expected](T got) {
      return same_bits(got, want) || (std::isnan(got) && std::isnan(want));
    };
    EXPECT_TRUE(is_expected(invoke_on(sum, rows))) << n;
    const std::size_t largest = 1 + random.below(1500);
    EXPECT_TRUE(is_expected(element_in<T>(reduce_in_blocks(sum.function(), rows, largest, random))))
        << n << " in batches of at most " << largest;
  }
}

TEST(FloatSum, AddsInExactlyTheDocumentedOrder) {
  TestRandom random(1);
  std::vector<std::size_t> sizes = {511, 512, 513, 1023, 1024, 1025, 131071, 131072, 131073};
  for (std::size_t size = 0; size < 70; ++size) sizes.push_back(size);
  for (int i = 0; i < 20; ++i) sizes.push_back(random.below(100000));
  for (const std::size_t size : sizes) {
    expect_definition(some_rows<double>(size, random), random);
    expect_definition(some_rows<float>(size, random), random);
  }
}

TEST(FloatSum, DoesNotDependOnThreads) {
  TestRandom random(2);
  for (const std::size_t size : {std::size_t{1} << 19, (std::size_t{1} << 20) + 777}) {
    const auto rows = some_rows<double>(size, random);
    for (const SumOrder order : {SumOrder::pairwise, SumOrder::sequential}) {
      const auto sum = ordered<double>(order);
      const double expected =
          order == SumOrder::pairwise
              ? by_definition_pairwise<double, SaturatingAdd>(rows.data(), size)
              : by_definition_sequential<double, SaturatingAdd>(rows.data(), size);
      for (const Scalar& got : all_ways(sum, AtomType::f64, rows)) {
        EXPECT_TRUE(same_bits(std::get<double>(got), expected));
      }
    }
  }
}

TEST(FloatSum, TheOrdersDiffer) {
  const std::vector<double> rows(10, 0.1);
  const auto bounds = between(0.0, 1.0);
  EXPECT_EQ(invoke_on(make_sized_bounded_float_checked_sum(10, bounds, kPairwise), rows), 1.0);
  EXPECT_EQ(invoke_on(make_sized_bounded_float_checked_sum(10, bounds, kSequential), rows),
            0.9999999999999999);
}

TEST(FloatSum, SinglesRoundAfterEveryAddition) {
  // 2^24 + 1 + 1 rounds to 2^24 twice; in double it would be 2^24 + 2.
  EXPECT_EQ(invoke_on<float>(checked<float>(SumOrder::sequential), {0x1p24F, 1, 1}), 0x1p24F);
}

TEST(FloatSum, SaturatingAdditionIsThatOfTheKernel) {
  const double values[] = {
      0, -0.0, 1, kMax<double>, kMin<double>, HUGE_VAL, -HUGE_VAL, 0x1p-1074, NAN};
  for (const double a : values) {
    for (const double b : values) {
      const double here = SaturatingAdd()(a, b);
      const double there = saturating_add(a, b);
      EXPECT_TRUE(same_bits(here, there) || (std::isnan(here) && std::isnan(there))) << a << b;
    }
  }
}

TEST(FloatSum, OrderedSumsSaturate) {
  const auto sum = make_sized_bounded_float_ordered_sum(3, between(0.0, 1e308), kPairwise);
  EXPECT_EQ(invoke_on<double>(sum, {1e308, 1e308, 1e308}), kMax<double>);
}

TEST(FloatSum, OfUnknownManyRowsAddsAtMostTheLimit) {
  const auto bounds = between(0.0, 8.0);
  const auto first = make_bounded_float_ordered_sum(3, bounds, kPairwise);
  EXPECT_EQ(invoke_on<double>(first, {1, 2, 4, 8}), 7.0);
  EXPECT_EQ(invoke_on<double>(first, {1, 2}), 3.0);
  const auto sample = make_bounded_float_checked_sum(3, bounds, kPairwise);
  EXPECT_EQ(invoke_on<double>(sample, {1, 2, 4}), 7.0);
  const double dropped = 15 - invoke_on<double>(sample, {1, 2, 4, 8});
  EXPECT_TRUE(dropped == 1 || dropped == 2 || dropped == 4 || dropped == 8);
  const auto none = make_bounded_float_checked_sum(0, bounds, kSequential);
  EXPECT_EQ(invoke_on<double>(none, {1, 2, 4}), 0.0);
}

TEST(FloatSum, D_DOM_2_RefusesInTheDocumentedOrder) {
  const double nan = std::nan("");
  expect_error(ErrorKind::failed_function,
               [&] { make_sized_bounded_float_checked_sum(10, between(0.0, nan), kPairwise); });
  expect_error(ErrorKind::overflow,
               [&] { make_sized_bounded_float_ordered_sum(10, between(nan, 0.0), kPairwise); });
  expect_error(ErrorKind::overflow,
               [&] { make_bounded_float_ordered_sum(10, between(0.0, HUGE_VAL), kPairwise); });
  expect_error(ErrorKind::make_domain,
               [&] { make_bounded_float_ordered_sum(10, between(1.0, 0.0), kPairwise); });
  expect_error(ErrorKind::failed_cast, [&] {
    make_bounded_float_ordered_sum((std::uint64_t{1} << 53) + 1, between(1.0, 0.0), kPairwise);
  });
  expect_error(ErrorKind::overflow,
               [&] { make_sized_bounded_float_ordered_sum(0, between(1.0, 0.0), kPairwise); });
  expect_error(ErrorKind::failed_cast,
               [&] { make_bounded_float_ordered_sum(10, between(0.0F, 1.0F), kPairwise); });
  const auto huge = make_sized_bounded_float_ordered_sum(10, between(0.0, 1e308), kPairwise);
  expect_error(ErrorKind::overflow, [&] { huge.map(Distance(Scalar(std::uint32_t{4}))); });
}

TEST(FloatSum, D_FLT_2_MapsCoverWhatRoundingCanDo) {
  constexpr double kM = 0x1p52;
  constexpr std::size_t kSize = 1024;
  const auto rows = [&](std::size_t from, std::size_t to) {  // rows from .. to - 1 are one higher
    std::vector<double> x(kSize, kM);
    for (std::size_t i = from; i < to; ++i) x[i] = kM + 1;
    return x;
  };
  std::vector<double> raised = rows(0, 512);
  raised.back() = kM + 1;
  const std::pair<std::vector<double>, std::vector<double>> pairs[] = {
      {rows(0, 512), rows(0, 513)}, {rows(0, 512), raised}, {rows(0, 1024), rows(1, 1024)}};
  const auto bounds = between(kM, kM + 1);
  for (const Summation summation : {kPairwise, kSequential}) {
    const auto sum = make_sized_bounded_float_checked_sum(kSize, bounds, summation);
    const double limit = number_in<double>(sum.map(Distance(Scalar(std::uint32_t{2}))));
    for (const auto& [x, y] : pairs) {
      EXPECT_LE(std::fabs(invoke_on(sum, x) - invoke_on(sum, y)), limit);
    }
  }
  // Raising the last row moves the sequential sum by 1024, not by the ideal 1.
  const auto naive = make_sized_bounded_float_checked_sum(kSize, bounds, kSequential);
  EXPECT_EQ(invoke_on(naive, raised) - invoke_on(naive, rows(0, 512)), 1024);
}

const std::vector<Row<double>> kPool = {0.1, 0.2, 0.7, 1 / 3.0, -0.3, 2.9};

// Neighbours of all kinds, including rows that move from one bound to the other. These move the
// exact sum as far as possible, and rounding moves it further.
void check_neighbours(StabilityCheck<double>& check) {
  fuzz(check, 7, 2000, kPool);
  exhaust<double>(check, {-1.0, 0.1, 3.0}, 4);
  const std::optional<std::uint64_t> size = check.rows().size;
  TestRandom random(8);
  for (int i = 0; i < 200; ++i) {
    Dataset<double> x(size.value_or(8));
    for (auto& row : x) row = random.pick(kPool);
    x.back() = 3.0;
    Dataset<double> y = x;
    if (size) y.pop_back();
    y.insert(y.begin(), -1.0);  // an ordered sum of unknown many rows drops the last one itself
    check.pair(x, y);
  }
}

TEST(FloatSum, D_SEN_1_MapsCoverNeighboursAndNeedTheRelaxation) {
  const auto bounds = between(-1.0, 3.0);
  for (const Summation summation : {kPairwise, kSequential}) {
    const Transformation sums[] = {
        make_sized_bounded_float_checked_sum(9, bounds, summation),
        make_sized_bounded_float_ordered_sum(9, bounds, summation),
        make_bounded_float_checked_sum(100, bounds, summation),
        make_bounded_float_ordered_sum(8, bounds, summation)};  // the limit bites
    for (const Transformation& sum : sums) {
      StabilityCheck<double> check(sum);
      check_neighbours(check);
      EXPECT_TRUE(check.passed()) << debug(sum.input_metric()) << check.report();
      EXPECT_GT(check.tightness(), 0.5);

      const double relaxation = number_in<double>(sum.map(Distance(Scalar(std::uint32_t{0}))));
      StabilityCheck<double> planted(with_map(sum, [&](const Distance& d_in) {
        return Distance(Scalar(number_in<double>(sum.map(d_in)) - relaxation));
      }));
      check_neighbours(planted);
      EXPECT_TRUE(planted.is_refuted()) << debug(sum.input_domain()) << debug(sum.input_metric());
    }
  }
}

}  // namespace
}  // namespace dp::test::float_sum_test

#include "core/transformations/sums/sized_bounded_covariance.h"

#include <gtest/gtest.h>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/sums/deviations.h"
#include "support/expect_error.h"
#include "support/neighbours.h"
#include "support/reductions.h"

namespace dp::test::sized_bounded_covariance_test {
namespace {

template <class T>
using Pairs = std::vector<std::pair<T, T>>;

template <class T>
AtomType type_of() {
  return std::is_same_v<T, float> ? AtomType::f32 : AtomType::f64;
}

template <class T>
Bounds between(T lower, T upper) {
  return {Scalar(lower), Scalar(upper)};
}

template <class T>
Transformation covariance(std::uint64_t size,
                          std::pair<T, T> x,
                          std::pair<T, T> y,
                          std::uint64_t ddof = 1,
                          SumOrder order = SumOrder::pairwise) {
  return make_sized_bounded_covariance(
      size, between(x.first, x.second), between(y.first, y.second), ddof, {order, type_of<T>()});
}

template <class T>
T invoke(const Transformation& t, const Pairs<T>& pairs) {
  std::vector<T> x, y;
  for (const auto& pair : pairs) {
    x.push_back(pair.first);
    y.push_back(pair.second);
  }
  return element_in<T>(
      t.invoke(Value::Tuple{make_column(type_of<T>(), x), make_column(type_of<T>(), y)}));
}

TEST(SizedBoundedCovariance, SumsProductsOfDeviations) {
  const Pairs<double> pairs = {{1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}};
  EXPECT_EQ(invoke(covariance<double>(5, {0, 10}, {0, 10}, 1), pairs), 2.5);
  EXPECT_EQ(invoke(covariance<double>(5, {0, 10}, {0, 10}, 0), pairs), 2.0);
  EXPECT_EQ(invoke(covariance<double>(5, {0, 10}, {0, 10}, 1, SumOrder::sequential), pairs), 2.5);
}

TEST(SizedBoundedCovariance, DoesNotDependOnThreadsOrCopies) {
  std::vector<double> x(600001), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i % 1013) / 7;
    y[i] = static_cast<double>(i % 511) / 3;
  }
  const auto t = covariance<double>(x.size(), {0, 200}, {0, 200});
  const ColumnPtr x_rows = make_column(AtomType::f64, x), y_rows = make_column(AtomType::f64, y);
  const Value first = t.invoke(Value::Tuple{x_rows, y_rows});
  for (const std::size_t threads : {2, 3}) {
    const ScopedThreads scoped(threads);
    const Value copied =
        t.invoke(Value::Tuple{ColumnPtr(std::make_shared<CopiedColumn>(x_rows)), y_rows});
    EXPECT_EQ(element_in<double>(copied), element_in<double>(first));
  }
}

TEST(SizedBoundedCovariance, HasPairsForInput) {
  const auto t = covariance<double>(5, {0, 2}, {10, 12});
  EXPECT_EQ(debug(t.input_domain()),
            "VectorDomain(PairDomain(AtomDomain(bounds=[0.0, 2.0], T=f64), "
            "AtomDomain(bounds=[10.0, 12.0], T=f64)), size=5)");
  EXPECT_EQ(carrier_name(t.input_domain()), "Vec<(f64, f64)>");
  EXPECT_EQ(t.input_metric(), symmetric_distance());
  const ColumnPtr floats = make_column<double>(AtomType::f64, {1, 1, 1, 1, 1});
  const ColumnPtr fewer = make_column<double>(AtomType::f64, {1});
  expect_error(ErrorKind::failed_cast, [&] { t.invoke(floats); });
  expect_error(ErrorKind::failed_cast, [&] { t.invoke(Value::Tuple{floats}); });
  expect_error(ErrorKind::failed_function, [&] { t.invoke(Value::Tuple{floats, fewer}); });
  expect_error(ErrorKind::failed_cast, [&] {
    t.invoke(Value::Tuple{floats, make_column<std::int32_t>(AtomType::i32, {1, 1, 1, 1, 1})});
  });
}

TEST(SizedBoundedCovariance, RefusesWhatItMust) {
  const std::pair<double, double> unit{0, 1};
  expect_error(ErrorKind::make_transformation, [&] { covariance<double>(0, unit, unit, 0); });
  expect_error(ErrorKind::make_transformation, [&] { covariance<double>(5, unit, unit, 5); });
  expect_error(ErrorKind::make_domain, [&] { covariance<double>(5, unit, {1, 0}); });
  expect_error(ErrorKind::make_domain, [&] { covariance<double>(5, {1, 0}, unit); });
  expect_error(ErrorKind::failed_function, [&] {
    covariance<double>(5, {std::numeric_limits<double>::quiet_NaN(), 0}, unit);
  });
  expect_error(ErrorKind::overflow, [&] { covariance<double>(5, unit, {0, 1e308}); });
  expect_error(ErrorKind::overflow, [] { covariance<double>(5, {0, 1e200}, {0, 1e200}); });
  expect_error(ErrorKind::failed_cast,
               [&] { covariance<double>((std::uint64_t{1} << 53) + 1, unit, unit); });
}

// Number of neighbour pairs out of `count`, including permuted ones, that move further than `t`
// claims.
template <class T>
std::size_t violations(const Transformation& t,
                       std::uint64_t size,
                       std::pair<T, T> x_bounds,
                       std::pair<T, T> y_bounds,
                       std::size_t count,
                       double* tightness) {
  TestRandom random(size);
  const auto draw = [&](std::pair<T, T> bounds) {
    const std::vector<T> pool = {bounds.first,
                                 bounds.second,
                                 (bounds.first + bounds.second) / 2,
                                 bounds.first + (bounds.second - bounds.first) / 3};
    return random.pick(pool);
  };
  std::size_t failures = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Pairs<T> a(static_cast<std::size_t>(size));
    for (auto& pair : a) pair = {draw(x_bounds), draw(y_bounds)};
    Pairs<T> b = a;
    const std::uint32_t replaced = static_cast<std::uint32_t>(random.below(3));
    for (std::uint32_t k = 0; k < replaced; ++k) {
      b[random.below(b.size())] = {draw(x_bounds), draw(y_bounds)};
    }
    for (std::size_t k = b.size(); k > 1; --k) std::swap(b[k - 1], b[random.below(k)]);
    const auto gap = detail::scalar_distance(Scalar(invoke(t, a)), Scalar(invoke(t, b)));
    const Distance claim = t.map(Distance(Scalar(2 * replaced)));
    const Integer bound = detail::exact(*claim.as<Scalar>());
    if (gap.value > bound) ++failures;
    if (bound > 0) {
      *tightness =
          std::max(*tightness, static_cast<double>(Integer((gap.value << 30) / bound)) * 0x1p-30);
    }
  }
  return failures;
}

template <class T>
void expect_covered(std::uint64_t size, std::pair<T, T> x, std::pair<T, T> y, double tight) {
  for (const SumOrder order : {SumOrder::sequential, SumOrder::pairwise}) {
    double tightness = 0;
    EXPECT_EQ(
        violations(covariance<T>(size, x, y, size > 1 ? 1 : 0, order), size, x, y, 500, &tightness),
        0u)
        << size << " " << x.first << " " << y.first;
    EXPECT_GE(tightness, tight);
  }
}

TEST(SizedBoundedCovariance, D_SEN_1_TheMapCoversNeighbours) {
  for (const std::uint64_t size : {1, 2, 3, 5, 33}) {
    expect_covered<double>(size, {0, 10}, {-3, 4}, size == 3 ? 0.99 : 0);
    expect_covered<double>(size, {1e10, 1e10 + 1e-5}, {1e10, 1e10 + 1e-5}, 0);
    expect_covered<float>(size, {0, 10}, {2010, 2012}, 0);
    expect_covered<float>(size, {1e7F, 1e7F + 8}, {1e7F, 1e7F + 8}, 0);
  }
}

// Whether results of random members, mostly at the bounds, are all in the output domain.
bool stays_in_domain(const Transformation& t, const Bounds& x, const Bounds& y, std::size_t size) {
  TestRandom random(size);
  const auto draw = [&](const Bounds& bounds) {
    return std::get<double>(random.below(2) == 0 ? bounds.lower : bounds.upper);
  };
  for (int round = 0; round < 500; ++round) {
    Pairs<double> pairs(size);
    for (auto& pair : pairs) pair = {draw(x), draw(y)};
    if (!detail::in_output_domain(t, Scalar(invoke(t, pairs)))) return false;
  }
  return true;
}

TEST(SizedBoundedCovariance, D_DOM_1_ResultsAreNumbersAndMutantsAreRejected) {
  const Bounds unit = between(0.0, 1.0), wide = between(-1e153, 1e153);
  for (const std::size_t size : {1, 2, 7}) {
    for (const Bounds& bounds : {unit, wide}) {
      const auto t = make_sized_bounded_covariance(
          size, bounds, bounds, size - 1, {SumOrder::pairwise, AtomType::f64});
      EXPECT_TRUE(stays_in_domain(t, bounds, bounds, size));
      // Mutant: a correlation, which is NaN for constant columns.
      const auto correlation = with_function(
          t, whole_function([t](const Value& value) -> Value {
            const auto& columns = *value.as<Value::Tuple>();
            const auto of = [&](std::size_t a, std::size_t b) {
              return element_in<double>(t.function()(Value::Tuple{columns[a], columns[b]}));
            };
            return Scalar(of(0, 1) / std::sqrt(of(0, 0) * of(1, 1)));
          }));
      EXPECT_FALSE(stays_in_domain(correlation, bounds, bounds, size));
    }
  }
}

TEST(SizedBoundedCovariance, D_SEN_1_PlantedMutantsAreRejected) {
  double tightness = 0;
  const auto t = covariance<double>(3, {0, 10}, {-3, 4});
  const auto halved = with_map(t, [&](const Distance& d_in) {
    return t.map(Distance(Scalar(number_in<std::uint32_t>(d_in) / 2)));
  });
  EXPECT_GT(violations<double>(halved, 3, {0, 10}, {-3, 4}, 300, &tightness), 0u);
  // Mutant: the published map, which ignores rounding errors of the means.
  const std::pair<double, double> far{1e10, 1e10 + 1e-5};
  const auto moved = move_bounds(SumOrder::pairwise, 9, far.first, far.second);
  const auto published = with_map(covariance<double>(9, far, far), [&](const Distance& d_in) {
    const double pairs = number_in<std::uint32_t>(d_in) / 2;
    return Distance(Scalar(add_up(mul_up(pairs, div_up(replaced_row_effect(9, moved, moved), 8.0)),
                                  product_relaxation(SumOrder::pairwise, 9, moved, moved))));
  });
  EXPECT_GT(violations<double>(published, 9, far, far, 2000, &tightness), 0u);
}

}  // namespace
}  // namespace dp::test::sized_bounded_covariance_test

#include "core/transformations/sums/sum_of_squared_deviations.h"

#include <gtest/gtest.h>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/sums/deviations.h"
#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/stable.h"

namespace dp::test::sum_of_squared_deviations_test {
namespace {

template <class T>
AtomType type_of() {
  return std::is_same_v<T, float> ? AtomType::f32 : AtomType::f64;
}

template <class T>
Transformation deviations(std::uint64_t size,
                          T lower,
                          T upper,
                          SumOrder order = SumOrder::pairwise) {
  return make_sum_of_squared_deviations(
      vector_of(closed_atom(type_of<T>(), Scalar(lower), Scalar(upper)), size),
      symmetric_distance(),
      {order, type_of<T>()});
}

// Mutant: the published map, which ignores rounding errors of the means.
template <class T>
StabilityMap published_map(std::uint64_t n, T lower, T upper, SumOrder order = SumOrder::pairwise) {
  const auto moved = move_bounds(order, n, lower, upper);
  return [=](const Distance& d_in) -> Distance {
    const auto pairs = cast_up<T>(number_in<std::uint32_t>(d_in) / 2);
    return Scalar(add_up(mul_up(pairs, replaced_row_effect(n, moved, moved)),
                         product_relaxation(order, n, moved, moved)));
  };
}

TEST(SumOfSquaredDeviations, SumsSquaredDeviationsFromTheMean) {
  EXPECT_EQ(invoke_on<double>(deviations(5, 0.0, 10.0), {1, 2, 3, 4, 5}), 10.0);
  EXPECT_EQ(invoke_on<float>(deviations(5, 0.0F, 10.0F, SumOrder::sequential), {1, 2, 3, 4, 5}),
            10.0F);
  // Uses the declared size, whatever the number of rows.
  EXPECT_EQ(invoke_on<double>(deviations(4, 0.0, 10.0), {4, 4}), 8.0);
}

TEST(SumOfSquaredDeviations, DoesNotDependOnThreadsOrCopies) {
  std::vector<double> rows(600001);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i % 1013) / 7;
  const auto results = all_ways(deviations(rows.size(), 0.0, 200.0), AtomType::f64, rows);
  for (const Scalar& result : results) EXPECT_EQ(result, results.front());
}

TEST(SumOfSquaredDeviations, TheMapIsThePublishedOneUnlessRowsAreFarFromZero) {
  for (const std::uint64_t n : {1, 2, 3, 9, 1000, 100000}) {
    for (const SumOrder order : {SumOrder::sequential, SumOrder::pairwise}) {
      const std::vector<std::pair<double, double>> near = {
          {0, 10}, {-1, 1}, {1900, 2100}, {0, 1e-5}};
      for (const auto& [lower, upper] : near) {
        const auto t = deviations(n, lower, upper, order);
        for (const std::uint32_t d_in : {0, 1, 2, 7}) {
          EXPECT_EQ(debug(t.map(Distance(Scalar(d_in)))),
                    debug(published_map(n, lower, upper, order)(Distance(Scalar(d_in)))));
        }
      }
    }
  }
  const Distance zero{Scalar(std::uint32_t{0})};
  EXPECT_GT(number_in<double>(deviations(100, 1e10, 1e10 + 1e-5).map(zero)),
            number_in<double>(published_map(100, 1e10, 1e10 + 1e-5)(zero)));
}

TEST(SumOfSquaredDeviations, RefusesWhatItMust) {
  const Summation pairwise{SumOrder::pairwise, AtomType::f64};
  const auto build = [&](const Domain& domain, const Metric& metric = symmetric_distance()) {
    make_sum_of_squared_deviations(domain, metric, pairwise);
  };
  const AtomDomain unit = closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0));
  expect_error(ErrorKind::make_transformation, [&] { build(vector_of(unit)); });
  expect_error(ErrorKind::make_transformation,
               [&] { build(vector_of(non_nan_atom(AtomType::f64), 5)); });
  expect_error(ErrorKind::make_transformation, [&] { build(vector_of(unit, 0)); });
  expect_error(ErrorKind::type, [&] { build(vector_of(unit, 5), insert_delete_distance()); });
  expect_error(ErrorKind::type, [&] { build(vector_of(default_atom(AtomType::i32), 5)); });
  expect_error(ErrorKind::failed_cast,
               [&] { build(vector_of(unit, (std::uint64_t{1} << 53) + 1)); });
  expect_error(ErrorKind::failed_cast, [&] {
    make_sum_of_squared_deviations(
        vector_of(unit, 5), symmetric_distance(), {SumOrder::pairwise, AtomType::f32});
  });
  expect_error(ErrorKind::overflow, [] { deviations(10, 0.0, 1e200); });
  expect_error(ErrorKind::overflow, [] { deviations(10, 0.0, 1e308); });
}

template <class T>
void expect_covered(std::uint64_t size, T lower, T upper, SumOrder order, std::size_t pairs) {
  StabilityCheck<T> check(deviations(size, lower, upper, order));
  fuzz(check, size, pairs, {T(lower + (upper - lower) / 3), T((lower + upper) / 2)});
  EXPECT_TRUE(check.passed()) << size << " rows in [" << lower << ", " << upper
                              << "]: " << check.report();
}

TEST(SumOfSquaredDeviations, D_SEN_1_TheMapCoversNeighbours) {
  for (const std::uint64_t size : {1, 2, 3, 5, 9, 33, 100}) {
    for (const SumOrder order : {SumOrder::sequential, SumOrder::pairwise}) {
      expect_covered(size, 0.0, 10.0, order, 400);
      expect_covered(size, -0.1, 0.3, order, 400);
      expect_covered(size, 1e10, 1e10 + 1e-5, order, 400);
      expect_covered(size, 0.0F, 10.0F, order, 400);
      expect_covered(size, -7.3F, -7.1F, order, 400);
      expect_covered(size, 2010.0F, 2012.0F, order, 400);
      expect_covered(size, 1e7F, 1e7F + 8, order, 400);
    }
  }
}

TEST(SumOfSquaredDeviations, D_SEN_1_IsTightAndPlantedMutantsAreRejected) {
  const auto t = deviations(3, 0.0, 9.0);
  expect_stable<double>(t, {0.0, 9.0, 3.0}, 0.99);
  // Mutants: deviations from the middle of the bounds move by only a quarter of the squared width,
  // but squares of the rows move by all of it.
  expect_rejected<double>(t,
                          whole_function([](const Value& rows) -> Value {
                            double sum = 0;
                            for (const auto& x : to_dataset<double>(rows)) sum += *x * *x;
                            return Scalar(sum);
                          }),
                          {0.0, 9.0, 3.0});
}

// Permuted rows have means that round to different numbers.
TEST(SumOfSquaredDeviations, D_SEN_1_ThePublishedMapDoesNotCoverRowsFarFromZero) {
  const double lower = 1e10, upper = 1e10 + 1e-5;
  StabilityCheck<double> check(
      with_map(deviations(9, lower, upper), published_map(9, lower, upper)));
  fuzz<double>(check, 9, 2000, {lower + 3e-6, lower + 7e-6});
  EXPECT_TRUE(check.is_refuted()) << check.report();
}

}  // namespace
}  // namespace dp::test::sum_of_squared_deviations_test

#include "core/transformations/sums/variance.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/reductions.h"
#include "support/stable.h"

namespace dp::test::variance_test {
namespace {

Transformation variance(std::uint64_t size,
                        std::uint64_t ddof,
                        SumOrder order = SumOrder::pairwise,
                        double upper = 10) {
  return make_variance(vector_of(closed_atom(AtomType::f64, Scalar(0.0), Scalar(upper)), size),
                       symmetric_distance(),
                       ddof,
                       {order, AtomType::f64});
}

TEST(Variance, DividesTheSumOfSquaredDeviations) {
  EXPECT_EQ(invoke_on<double>(variance(5, 1), {1, 2, 3, 4, 5}), 2.5);
  EXPECT_EQ(invoke_on<double>(variance(5, 0), {1, 2, 3, 4, 5}), 2.0);
  EXPECT_EQ(invoke_on<double>(variance(9, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9}), 7.5);
}

TEST(Variance, SumsInPairsWhateverTheSummation) {
  const Distance two{Scalar(std::uint32_t{2})};
  EXPECT_EQ(debug(variance(9, 1).map(two)), debug(variance(9, 1, SumOrder::sequential).map(two)));
  std::vector<double> rows;
  for (int i = 0; i < 99; ++i) rows.push_back(i * 0.1);
  EXPECT_EQ(invoke_on(variance(99, 1), rows),
            invoke_on(variance(99, 1, SumOrder::sequential), rows));
}

TEST(Variance, RefusesWhatItMust) {
  expect_error(ErrorKind::make_transformation, [] { variance(5, 5); });
  expect_error(ErrorKind::make_transformation, [] { variance(5, 6); });
  expect_error(ErrorKind::make_transformation, [] { variance(0, 0); });
  expect_error(ErrorKind::overflow, [] { variance(5, 1, SumOrder::pairwise, 1e200); });
  expect_error(ErrorKind::make_transformation, [] {
    make_variance(vector_of(closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0))),
                  symmetric_distance(),
                  1,
                  {SumOrder::pairwise, AtomType::f64});
  });
}

TEST(Variance, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const auto t = variance(3, 1);
  expect_stable<double>(t, {0.0, 10.0, 0.1}, 0.99);
  expect_stable<double>(variance(4, 0), {0.0, 10.0, 0.1}, 0.99);
  expect_rejected<double>(t,
                          whole_function([t](const Value& rows) -> Value {
                            return Scalar(2 * element_in<double>(t.function()(rows)));
                          }),
                          {0.0, 10.0, 0.1});
}

}  // namespace
}  // namespace dp::test::variance_test

#include "core/transformations/rows/is_equal.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/neighbours.h"

namespace dp::test::is_equal_test {
namespace {

TEST(IsEqual, ComparesValues) {
  const Metric metric = symmetric_distance();
  const auto three = make_is_equal(vector_of(default_atom(AtomType::i32)), metric, Scalar(3));
  EXPECT_EQ(to_dataset<bool>(three.invoke(to_value<std::int32_t>(AtomType::i32, {1, 2, 3}))),
            (Dataset<bool>{false, false, true}));
  const auto zero = make_is_equal(vector_of(default_atom(AtomType::f64)), metric, Scalar(0.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_dataset<bool>(zero.invoke(to_value<double>(AtomType::f64, {-0.0, nan, 1.0}))),
            (Dataset<bool>{true, false, false}));
  const auto text =
      make_is_equal(vector_of(default_atom(AtomType::string)), metric, Scalar(std::string("b")));
  EXPECT_EQ(to_dataset<bool>(text.invoke(to_value<std::string>(AtomType::string, {"a", "b"}))),
            (Dataset<bool>{false, true}));
}

TEST(IsEqual, RefusesAValueOfAnotherType) {
  expect_error(ErrorKind::failed_cast, [] {
    make_is_equal(vector_of(default_atom(AtomType::i32)), symmetric_distance(), Scalar(3.0));
  });
}

TEST(IsEqual, D_SEN_1_TheMapCoversNeighboursAndAMutantIsRejected) {
  const auto t =
      make_is_equal(vector_of(default_atom(AtomType::f64)), insert_delete_distance(), Scalar(1.0));
  StabilityCheck<double> check(t);
  fuzz(check, 6, 2000);
  exhaust<double>(check, {0.0, 1.0, 2.0}, 4);
  EXPECT_TRUE(check.passed()) << check.report();
  StabilityCheck<double> mutant(
      with_map(t, [](const Distance&) -> Distance { return Scalar(std::uint32_t{1}); }));
  fuzz(mutant, 6, 200);
  EXPECT_TRUE(mutant.is_refuted());
}

}  // namespace
}  // namespace dp::test::is_equal_test

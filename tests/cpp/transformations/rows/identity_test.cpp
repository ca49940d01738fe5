#include "core/transformations/rows/identity.h"

#include <gtest/gtest.h>

#include "support/neighbours.h"

namespace dp::test::identity_test {
namespace {

TEST(Identity, LeavesDataAndDistancesAlone) {
  const auto t = make_identity(non_nan_atom(AtomType::f64), absolute_distance(AtomType::f64));
  EXPECT_EQ(element_in<double>(t.invoke(Scalar(0.25))), 0.25);
  EXPECT_EQ(debug(t.map(Distance(Scalar(2.5)))), "2.5");
  EXPECT_EQ(t.output_domain(), t.input_domain());
  EXPECT_EQ(t.output_metric(), t.input_metric());
}

TEST(Identity, DoesNotAskForAMetricSpace) {
  const auto t = make_identity(vector_of(default_atom(AtomType::i32)), hamming_distance());
  EXPECT_EQ(t.output_metric(), hamming_distance());
}

TEST(Identity, D_SEN_1_TheMapCoversNeighboursAndAMutantIsRejected) {
  const auto t = make_identity(vector_of(default_atom(AtomType::f64)), insert_delete_distance());
  StabilityCheck<double> check(t);
  fuzz(check, 15, 2000);
  exhaust<double>(check, {1.0, 2.0, 3.0}, 4);
  EXPECT_TRUE(check.passed()) << check.report();
  EXPECT_EQ(check.tightness(), 1);
  StabilityCheck<double> mutant(with_map(
      t, [](const Distance& d) -> Distance { return Scalar(number_in<std::uint32_t>(d) / 2); }));
  fuzz(mutant, 15, 300);
  EXPECT_TRUE(mutant.is_refuted());
}

}  // namespace
}  // namespace dp::test::identity_test

#include "core/combinators/composition.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/combinators/fix_delta.h"
#include "core/combinators/measure_cast.h"
#include "core/measures/loss.h"
#include "measurements/noise_support.h"

namespace dp::test::composition_test {
namespace {

const Metric kAbsolute = absolute_distance(AtomType::f64);

Measurement laplace(double scale) { return make_laplace(scalars(AtomType::f64), kAbsolute, scale); }

Measurement gaussian(double scale) {
  return make_gaussian(scalars(AtomType::f64), kAbsolute, scale);
}

TEST(Composition, ReleasesAListInOrderAndNests) {
  const Metric metric = absolute_distance(AtomType::i32);
  const auto exact = [&] { return make_laplace(scalars(AtomType::i32), metric, 0); };
  const Measurement nested = make_composition({exact(), make_composition({exact(), exact()})});
  const Value out = nested.invoke(Scalar(1));
  const auto* outer = out.as<Value::Tuple>();
  ASSERT_TRUE(outer != nullptr && outer->size() == 2);
  EXPECT_EQ(element_in<std::int32_t>((*outer)[0]), 1);
  const auto* inner = (*outer)[1].as<Value::Tuple>();
  ASSERT_TRUE(inner != nullptr && inner->size() == 2);
  EXPECT_EQ(element_in<std::int32_t>((*inner)[0]), 1);
  EXPECT_EQ(element_in<std::int32_t>((*inner)[1]), 1);
}

TEST(Composition, MembersDrawIndependently) {
  const Measurement twice = make_composition({laplace(1), laplace(1)});
  const Value out = twice.invoke(Scalar(0.0));
  const auto& pair = *out.as<Value::Tuple>();
  EXPECT_NE(element_in<double>(pair[0]), element_in<double>(pair[1]));
}

TEST(Composition, MapComposesTheMapsOfItsMembers) {
  EXPECT_EQ(loss(make_composition({laplace(1), laplace(0.5)}), 1.0), 3);
  EXPECT_EQ(loss(make_composition({laplace(1), make_composition({laplace(1), laplace(1)})}), 2.0),
            6);
  EXPECT_EQ(loss(make_composition({make_pureDP_to_zCDP(laplace(10)), gaussian(10)}), 1.0),
            0.010000000000000002);
  const Measurement fixed = make_fix_delta(make_zCDP_to_approxDP(gaussian(1)), Delta(1e-7));
  const ApproximateLoss total = approximate_in(make_composition({fixed, fixed}).map(Scalar(1.0)));
  EXPECT_DOUBLE_EQ(number_in<double>(total.inner), 11.341717670937543);
  EXPECT_EQ(total.delta, 2e-7);
  EXPECT_THROW(make_composition({laplace(1), laplace(0)}).map(Scalar(1.0)), Error);
}

TEST(Composition, RefusesMembersThatDoNotShareTheirSpaceOrMeasure) {
  const auto expect =
      [](ErrorKind kind, const char* text, const std::vector<Measurement>& members) {
        try {
          make_composition(members);
          ADD_FAILURE() << text;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), kind);
          EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
        }
      };
  expect(ErrorKind::make_measurement, "Must have at least one measurement", {});
  expect(ErrorKind::domain_mismatch,
         "All input domains must be the same",
         {laplace(1), make_laplace(scalars(AtomType::i32), kAbsolute, 1)});
  expect(ErrorKind::metric_mismatch,
         "All input metrics must be the same",
         {laplace(1), make_laplace(scalars(AtomType::f64), absolute_distance(AtomType::i32), 1)});
  expect(ErrorKind::metric_mismatch,
         "All output measures must be the same",
         {laplace(1), gaussian(1)});
  expect(ErrorKind::type, "SmoothedMaxDivergence", {make_zCDP_to_approxDP(gaussian(1))});
}

}  // namespace
}  // namespace dp::test::composition_test

#include "core/transformations/rows/impute_uniform_float.h"

#include <gtest/gtest.h>

#include <map>

#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/recorded_bits.h"
#include "support/stable.h"

namespace dp::test::impute_uniform_float_test {
namespace {

template <class T>
Transformation impute(AtomType type, T lower, T upper) {
  return make_impute_uniform_float(
      vector_of(default_atom(type)), symmetric_distance(), {Scalar(lower), Scalar(upper)});
}

template <class T>
Dataset<T> draws(AtomType type, T lower, T upper, std::size_t count) {
  ReplayedBits bits(73);
  const ScopedBitSource scope(bits);
  return to_dataset<T>(
      impute(type, lower, upper).invoke(to_value(type, Dataset<T>(count, static_cast<T>(kNaN)))));
}

TEST(ImputeUniformFloat, D_SAM_2_DrawsAllPointsAlike) {
  // Four floats from 1 - 2^-53 * 4 up to 1, which is excluded.
  const auto few = draws(AtomType::f64, 1 - 0x1p-51, 1.0, 40000);
  std::map<double, double> tally;
  for (const auto& x : few) ++tally[*x];
  ASSERT_EQ(tally.size(), 4u);
  EXPECT_EQ(tally.begin()->first, 1 - 0x1p-51);
  EXPECT_EQ(tally.rbegin()->first, 1 - 0x1p-53);
  for (const auto& [x, count] : tally) EXPECT_NEAR(count, 10000, 5 * 87) << x;  // 5 sigma
  // Ten equal parts of an interval around 0.
  std::vector<double> parts(10);
  for (const auto& x : draws(AtomType::f64, -0.3, 0.7, 100000)) {
    ASSERT_TRUE(-0.3 <= *x && *x < 0.7);
    ++parts[static_cast<std::size_t>((*x + 0.3) * 10)];
  }
  for (const double count : parts) EXPECT_NEAR(count, 10000, 5 * 95);
}

TEST(ImputeUniformFloat, D_FLT_1_EveryPairOfBoundsHasAPoint) {
  TestRandom random(3);
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<double> ends = {-huge / 2,
                                    -1,
                                    -std::nextafter(1, 0),
                                    -tiny,
                                    0,
                                    tiny,
                                    0x1p-1022,
                                    0.1,
                                    1,
                                    1 + 0x1p-52,
                                    huge / 2};
  for (const double lower : ends) {
    for (const double upper : {std::nextafter(lower, kInf), random.pick(ends), huge / 2}) {
      if (!(lower < upper)) continue;
      for (const auto& x : draws(AtomType::f64, lower, upper, 20)) {
        EXPECT_TRUE(lower <= *x && *x < upper) << lower << " " << upper << " " << *x;
      }
      const auto low = static_cast<float>(lower), high = static_cast<float>(upper);
      if (!(low < high) || !std::isfinite(high - low)) continue;
      for (const auto& x : draws(AtomType::f32, low, high, 20)) {
        EXPECT_TRUE(low <= *x && *x < high) << low << " " << high << " " << *x;
      }
    }
  }
}

TEST(ImputeUniformFloat, RefusesWhatItMust) {
  for (const auto& [lower, upper] : std::vector<std::pair<double, double>>{
           {2, 2}, {2, 1}, {kNaN, 1}, {0, kNaN}, {-kInf, 0}, {0, kInf}, {-1.7e308, 1.7e308}}) {
    expect_error(ErrorKind::make_transformation,
                 [&, low = lower, high = upper] { impute(AtomType::f64, low, high); });
  }
  expect_error(ErrorKind::failed_cast, [] { impute(AtomType::f64, 0, 1); });
  expect_error(ErrorKind::type, [] { impute(AtomType::i32, 0, 1); });
}

// Without entropy the draw fails; it does not return a default value.
TEST(ImputeUniformFloat, AsksTheSecureSourceForEachNaNOnly) {
  RecordedBits bits({0, ~std::uint64_t{0} << 12});
  const ScopedBitSource scoped(bits);
  const auto t = impute(AtomType::f64, 0.0, 1.0);
  const auto out =
      to_dataset<double>(t.invoke(to_value<double>(AtomType::f64, {kNaN, 5.0, -0.0, kNaN, kInf})));
  EXPECT_EQ(*out[1], 5.0);
  EXPECT_TRUE(std::signbit(*out[2]));
  EXPECT_EQ(*out[4], kInf);
  EXPECT_EQ(bits.used(), 2u);
  EXPECT_THROW(t.invoke(to_value<double>(AtomType::f64, {kNaN})), OutOfBits);
}

// Between neighbouring floats there is only one point, so the function is deterministic and
// neighbours can be compared. With more points, a draw uses nothing from other rows, so coupled
// draws agree.
TEST(ImputeUniformFloat, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  for (const auto& [metric, size] : dataset_spaces()) {
    const auto t = make_impute_uniform_float(
        vector_of(default_atom(AtomType::f64), size), metric, {Scalar(1.0), Scalar(1 + 0x1p-52)});
    EXPECT_EQ(t.output_domain(), vector_of(non_nan_atom(AtomType::f64), size));
    const std::vector<Row<double>> values = {kNaN, 2.0, 3.0};
    expect_stable(t, values);
    expect_rejected(t, Function(), values);  // leaves NaN where there must be none
  }
}

}  // namespace
}  // namespace dp::test::impute_uniform_float_test

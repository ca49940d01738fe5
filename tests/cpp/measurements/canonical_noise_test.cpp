#include "core/measurements/canonical_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "core/measures/loss.h"
#include "core/numeric/limits.h"
#include "core/random/bit_source.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::canonical_noise_test {
namespace {

Measurement canonical(double d_in, double epsilon, double delta) {
  return make_canonical_noise(
      scalars(AtomType::f64), absolute_distance(AtomType::f64), d_in, epsilon, delta);
}

TEST(MakeCanonicalNoise, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_canonical_noise");
  ASSERT_EQ(rows.size(), 4u);
  for (const OracleRow& row : rows) {
    const std::string list = row.args.substr(row.args.find('[') + 1);
    const double epsilon = std::stod(list), delta = std::stod(list.substr(list.find(',') + 1));
    const Measurement measurement = canonical(oracle_number(*row.arg("d_in")), epsilon, delta);
    const auto map = [&] { return measurement.map(Scalar(oracle_number(row.d_in))); };
    if (row.is_error()) {
      EXPECT_EQ(expect_error(ErrorKind::failed_map, map),
                "d_in from the map (1.5) must be in [0, 1]");
    } else {
      const ApproximateLoss found = approximate_in(map());
      EXPECT_EQ(number_in<double>(found.inner), epsilon);
      EXPECT_EQ(found.delta, delta);
    }
  }
}

TEST(MakeCanonicalNoise, NoiseHasTheScaleOfTheDistance) {
  double near = 0, far = 0;
  for (int i = 0; i < 500; ++i) {
    near += std::fabs(release(canonical(1, 1, 1e-6), 5.0) - 5);
    far += std::fabs(release(canonical(100, 1, 1e-6), 5.0) - 5);
  }
  EXPECT_GT(far / near, 60);
  EXPECT_LT(far / near, 160);
}

TEST(MakeCanonicalNoise, NoiseHasTheSpreadOfItsEpsilon) {
  // The middle step holds the share tanh(epsilon / 2) of all draws. Its part of delta is
  // negligible.
  int near = 0;
  for (int i = 0; i < 4000; ++i) {
    near += std::fabs(release(canonical(1, 1, 1e-6), 5.0) - 5) <= 0.5;
  }
  EXPECT_NEAR(near, 4000 * std::tanh(0.5), 190);
}

TEST(MakeCanonicalNoise, NothingIsAddedForADistanceOfZero) {
  const Measurement exact = canonical(0, 1, 1e-6);
  EXPECT_EQ(release(exact, 0.1), 0.1);
  EXPECT_EQ(debug(exact.map(Scalar(0.0))), "(0.0, 0.0)");
}

TEST(MakeCanonicalNoise, D_FLT_1_LargeDataAreMovedBetweenTheirDoublesOnly) {
  // At 2^60 doubles are 256 apart, so noise of scale 100 must show as one step or none.
  std::set<double> seen;
  for (int i = 0; i < 200; ++i) seen.insert(release(canonical(100, 1, 1e-6), 0x1p60) - 0x1p60);
  EXPECT_GT(seen.size(), 1u);
  for (double step : seen) EXPECT_EQ(std::fmod(step, 128), 0);
}

TEST(MakeCanonicalNoise, D_SAM_3_ExtremesEndSoon) {
  for (double epsilon : {0x1p-42, 0x1p-20, 1e-3, 1.0, 700.0, 710.0, kMax<double>}) {
    for (double delta : {0.0, 5e-324, 1e-9, 1.0}) {
      RecordedBits bits(replayed_words(82, 1 << 8));
      const ScopedBitSource scoped(bits);
      EXPECT_TRUE(std::isfinite(release(canonical(1, epsilon, delta), 0.0)));
    }
  }
  EXPECT_TRUE(std::isinf(release(canonical(1e308, 1e-3, 0), HUGE_VAL)) ||
              release(canonical(5e-324, 1, 0), -HUGE_VAL) < 0);
}

TEST(MakeCanonicalNoise, AnEpsilonWithoutExponentialGetsTheNoiseOfTheLargestWithOne) {
  const auto draws = [](double epsilon) {
    RecordedBits bits(replayed_words(83, 1 << 12));
    const ScopedBitSource scoped(bits);
    std::vector<double> out;
    for (int i = 0; i < 100; ++i) out.push_back(release(canonical(1, epsilon, 1e-6), 0.0));
    return out;
  };
  EXPECT_EQ(draws(710), draws(709));
  EXPECT_EQ(draws(kMax<double>), draws(709));
  const ApproximateLoss claimed = approximate_in(canonical(1, 710, 1e-6).map(Scalar(1.0)));
  EXPECT_EQ(number_in<double>(claimed.inner), 710);
}

TEST(MakeCanonicalNoise, RefusesWhatItCannotPromise) {
  const ErrorKind kind = ErrorKind::make_measurement;
  for (double d_in : {-1.0, HUGE_VAL, std::nan("")}) {
    expect_error(kind, [d_in] { canonical(d_in, 1, 0); });
  }
  for (double epsilon : {0.0, -0.0, -1.0, std::nan("")}) {
    EXPECT_NE(expect_error(kind, [epsilon] { canonical(1, epsilon, 0.1); })
                  .find("must be positive (greater than zero)"),
              std::string::npos);
  }
  for (double delta : {-0.1, 1.1, std::nan("")}) {
    EXPECT_NE(expect_error(kind, [delta] { canonical(1, 1, delta); }).find("must be within [0, 1]"),
              std::string::npos);
  }
  EXPECT_NE(expect_error(kind, [] { canonical(1, 1e-17, 0); }).find("fixed-point"),
            std::string::npos);
  EXPECT_EQ(expect_error(kind, [] { canonical(1, HUGE_VAL, 0); }), "epsilon (inf) must be finite");
  EXPECT_EQ(
      expect_error(kind,
                   [] {
                     make_canonical_noise(
                         default_atom(AtomType::f64), absolute_distance(AtomType::f64), 1, 1, 0);
                   }),
      "input_domain must consist of non-nan data");
  expect_error(ErrorKind::type, [] {
    make_canonical_noise(scalars(AtomType::f32), absolute_distance(AtomType::f64), 1, 1, 0);
  });
  expect_error(ErrorKind::type, [] {
    make_canonical_noise(scalars(AtomType::f64), absolute_distance(AtomType::f32), 1, 1, 0);
  });
  expect_error(ErrorKind::failed_map, [] { canonical(1, 1, 0).map(Scalar(-1.0)); });
  expect_error(ErrorKind::failed_map, [] { canonical(1, 1, 0).map(Scalar(std::nan(""))); });
  RecordedBits none({});
  const ScopedBitSource scope(none);
  expect_error(ErrorKind::failed_function, [] { release(canonical(1, 1, 0), std::nan("")); });
}

}  // namespace
}  // namespace dp::test::canonical_noise_test

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "core/measurements/noise.h"
#include "measurements/noise_support.h"

namespace dp::test::noise_construction_test {
namespace {

const Metric kAbsolute = absolute_distance(AtomType::f64);

void expect_refusal(ErrorKind kind,
                    const std::string& text,
                    const std::function<Measurement()>& make) {
  try {
    make();
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(NoiseConstruction, RefusesElementsThatMayBeNaNBeforeAnythingElse) {
  expect_refusal(ErrorKind::metric_space, "AbsoluteDistance requires non-nan elements", [] {
    return make_laplace(default_atom(AtomType::f64), kAbsolute, -1, -5000);
  });
  expect_refusal(ErrorKind::make_measurement, "input_domain may not contain NaN elements", [] {
    return make_gaussian(
        vector_of(default_atom(AtomType::f64)), l2_distance(AtomType::f64), -1, -5000);
  });
}

TEST(NoiseConstruction, RefusesAScaleThatIsNegativeOrNotFinite) {
  for (double scale : {std::numeric_limits<double>::infinity(), std::nan(""), -HUGE_VAL}) {
    expect_refusal(ErrorKind::make_transformation, "must be finite", [&] {
      return make_laplace(scalars(AtomType::i32), kAbsolute, scale);
    });
  }
  for (double scale : {-1.0, -5e-324}) {
    expect_refusal(ErrorKind::make_measurement, "must not be negative", [&] {
      return make_gaussian(scalars(AtomType::f64), kAbsolute, scale);
    });
  }
  EXPECT_NO_THROW(make_laplace(scalars(AtomType::f64), kAbsolute, -0.0));
}

TEST(NoiseConstruction, RefusesGridsThatTheTypeDoesNotHave) {
  const auto with = [](AtomType type, int k) {
    return [=] { return make_laplace(scalars(type), kAbsolute, 1, k); };
  };
  const ErrorKind kind = ErrorKind::make_measurement;
  expect_refusal(kind, "k (-1075) must not be smaller than -1074", with(AtomType::f64, -1075));
  expect_refusal(kind, "k (-150) must not be smaller than -149", with(AtomType::f32, -150));
  expect_refusal(kind, "k (1024) must not be greater than 1023", with(AtomType::f64, 1024));
  expect_refusal(kind, "k (128) must not be greater than 127", with(AtomType::f32, 128));
  expect_refusal(
      kind, "k must not be i32::MIN", with(AtomType::f64, std::numeric_limits<int>::min()));
  expect_refusal(kind, "k is only valid for domains over floats", with(AtomType::i64, -3));
  EXPECT_NO_THROW(with(AtomType::i64, 0)());
  EXPECT_NO_THROW(with(AtomType::f64, 1023)());
}

TEST(NoiseConstruction, NeedsTheSizeOnlyWhereRoundingIsNotExact) {
  const Metric l1 = l1_distance(AtomType::f64);
  EXPECT_NO_THROW(make_laplace(vectors(AtomType::f64), l1, 1));
  EXPECT_NO_THROW(make_laplace(vectors(AtomType::f64), l1, 1, -1074));
  EXPECT_NO_THROW(make_laplace(vectors(AtomType::i32), l1, 1));
  EXPECT_NO_THROW(make_laplace(vectors(AtomType::f64, 3), l1, 1, -10));
  expect_refusal(ErrorKind::make_measurement,
                 "domain size must be known if discretization is not exact",
                 [&] { return make_laplace(vectors(AtomType::f64), l1, 1, -1073); });
}

TEST(NoiseConstruction, RefusesOtherDomainsMetricsAndMeasures) {
  const Domain numbers = vectors(AtomType::f64, 3);
  const Metric l1 = l1_distance(AtomType::f64);
  const Metric l2 = l2_distance(AtomType::f64);
  expect_refusal(ErrorKind::type, "L1Distance", [&] { return make_laplace(numbers, l2, 1); });
  expect_refusal(ErrorKind::type, "L2Distance", [&] { return make_gaussian(numbers, l1, 1); });
  expect_refusal(ErrorKind::type, "AbsoluteDistance", [&] {
    return make_laplace(scalars(AtomType::f64), discrete_distance(), 1);
  });
  expect_refusal(ErrorKind::metric_space, "not a metric", [&] {
    return make_laplace(scalars(AtomType::f64), l1, 1);
  });
  expect_refusal(ErrorKind::type, "bool", [&] {
    return make_laplace(scalars(AtomType::boolean), kAbsolute, 1);
  });
  expect_refusal(
      ErrorKind::type, "String", [&] { return make_laplace(vectors(AtomType::string), l1, 1); });
  expect_refusal(ErrorKind::metric_space, "not a metric", [&] {
    return make_laplace(vector_of(OptionDomain{non_nan_atom(AtomType::f64)}), l1, 1);
  });
  expect_refusal(ErrorKind::type, "ZeroConcentratedDivergence", [&] {
    return make_laplace(numbers, l1, 1, {}, zero_concentrated_divergence());
  });
  expect_refusal(ErrorKind::type, "MaxDivergence", [&] {
    return make_gaussian(numbers, l2, 1, {}, max_divergence());
  });
  expect_refusal(ErrorKind::ffi,
                 "output_measure must be MaxDivergence or ZeroConcentratedDivergence",
                 [&] { return make_noise(numbers, l1, renyi_divergence(), 1); });
}

}  // namespace
}  // namespace dp::test::noise_construction_test

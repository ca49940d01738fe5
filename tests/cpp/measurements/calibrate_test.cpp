#include "core/measurements/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/measurements/laplace.h"
#include "core/measurements/noise_threshold.h"
#include "core/measurements/noisy_max.h"
#include "core/measurements/stable_top_k.h"
#include "support/expect_error.h"
#include "support/scripted_bits.h"

namespace dp::test::calibrate_test {
namespace {

const FreeArgument kScale{"scale", Values::reals};
const FreeArgument kThreshold{"threshold", Values::wholes};

Measurement noisy(double scale) {
  return make_laplace(Domain(default_atom(AtomType::i64)), absolute_distance(AtomType::i64), scale);
}

Distance moved(std::int64_t by) { return Scalar(by); }

Distance pair(double epsilon, double delta) {
  return Distance::Tuple{Scalar(epsilon), Scalar(delta)};
}

// Measurement whose loss is an arbitrary function of the argument of `make`.
Measurement promising(const std::function<Distance(double)>& loss, double value) {
  const Measurement like = noisy(1);
  return Measurement(like.input_domain(),
                     like.input_metric(),
                     like.output_measure(),
                     like.function(),
                     [loss, value](const Distance&) { return loss(value); });
}

TEST(Calibrate, TheScaleIsTheLeastDouble) {
  SplitMix random(7);
  for (int i = 0; i < 300; ++i) {
    const auto by = static_cast<std::int64_t>(random() % 1000000);
    const double epsilon =
        std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 80));
    if (epsilon == 0) continue;
    const Distance loss = Scalar(epsilon);
    const Calibrated found = calibrate(kScale, noisy, moved(by), loss);
    EXPECT_TRUE(found.measurement.check(moved(by), loss));
    EXPECT_EQ(found.value, laplace_scale(Rational(by), Epsilon(epsilon)));
    double below = found.value;
    for (int back = 0; back < 3 && below > 0; ++back) {
      below = std::nextafter(below, 0);
      EXPECT_FALSE(noisy(below).check(moved(by), loss));
    }
  }
}

TEST(Calibrate, WhatIsMadeIsMadeOfTheValue) {
  const Calibrated found = calibrate(kScale, noisy, moved(3), Scalar(0.5));
  EXPECT_EQ(found.value, 6);
  EXPECT_EQ(number_in<double>(found.measurement.map(moved(9))), 1.5);
}

TEST(Calibrate, AThresholdIsTheLeastWholeNumber) {
  const Domain counts = MapDomain{std::make_shared<const Domain>(default_atom(AtomType::string)),
                                  std::make_shared<const Domain>(default_atom(AtomType::i64))};
  const Metric metric = l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64));
  const Distance d_in =
      Distance::Tuple{Scalar(std::uint32_t{2}), Scalar(std::int64_t{2}), Scalar(std::int64_t{1})};
  for (const double scale : {0.5, 2.0, 30.0}) {
    const auto make = [&](double threshold) {
      return make_laplace_threshold(
          counts, metric, scale, Scalar(static_cast<std::int64_t>(threshold)));
    };
    for (const double delta : {0.01, 1e-6, 0x1p-50}) {
      const Distance at_one = make(1).map(d_in);
      const double epsilon = number_in<double>(at_one.as<Distance::Tuple>()->at(0));
      const Distance loss = pair(epsilon, delta);
      const Calibrated found = calibrate(kThreshold, make, d_in, loss);
      EXPECT_TRUE(found.measurement.check(d_in, loss));
      double least = 1;
      while (!make(least).check(d_in, loss)) ++least;
      EXPECT_EQ(found.value, least);
    }
  }
}

TEST(Calibrate, AThresholdThatTheMapRefusesIsNotWithin) {
  const Domain counts = vector_of(Domain(default_atom(AtomType::i64)), 5);
  const Metric metric = linf_distance(AtomType::i64, false);
  const auto make = [&](double threshold) {
    return make_stable_top_k(counts, metric, 2, 1.0, static_cast<std::int64_t>(threshold));
  };
  const Calibrated found = calibrate(kThreshold, make, moved(7), pair(7, 0.3));
  EXPECT_EQ(found.value, 7);
  expect_error(ErrorKind::failed_map, [&] { make(6).map(moved(7)); });
}

TEST(Calibrate, ALossThatCannotBeIsRefusedByName) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double loss : {infinity, std::nan(""), -1.0}) {
    expect_error(ErrorKind::invalid_distance,
                 [&] { calibrate(kScale, noisy, moved(1), Scalar(loss)); });
  }
  EXPECT_EQ(expect_error(ErrorKind::invalid_distance,
                         [&] { calibrate(kScale, noisy, moved(1), pair(infinity, 0.1)); }),
            "`scale` cannot be found for a loss of (inf, 0.1): it must be finite and not "
            "negative.");
  EXPECT_EQ(
      expect_error(ErrorKind::search, [&] { calibrate(kScale, noisy, moved(1), Scalar(0.0)); }),
      "no finite `scale` has a loss of 0.0 or less.");
  expect_error(ErrorKind::search, [&] { calibrate(kScale, noisy, moved(1), Scalar(-0.0)); });
  EXPECT_EQ(expect_error(ErrorKind::invalid_distance,
                         [&] { calibrate(kScale, noisy, moved(1), pair(1, 0.1)); }),
            "a loss of this measurement is 1.0, not of the form of (1.0, 0.1).");
  EXPECT_EQ(calibrate(kScale, noisy, moved(0), Scalar(0.0)).value, 0);
}

TEST(Calibrate, WhatIsWrongWithOtherArgumentsIsSaid) {
  const Domain texts = default_atom(AtomType::string);
  expect_error(ErrorKind::type, [&] {
    calibrate(
        kScale,
        [&](double scale) { return make_laplace(texts, absolute_distance(AtomType::i64), scale); },
        moved(1),
        Scalar(1.0));
  });
  expect_error(ErrorKind::failed_map, [&] { calibrate(kScale, noisy, moved(-1), Scalar(1.0)); });
}

// At huge epsilons, the delta of a threshold both falls and rises with the scale. Only the binding
// constraint matters.
TEST(Calibrate, APartThatIsFarFromItsBoundMayRise) {
  const auto make = [](double value) {
    return promising([](double x) { return pair(1 / x, x / 4); }, value);
  };
  EXPECT_EQ(calibrate(kScale, make, moved(1), pair(1e6, 1)).value, 1e-6);
}

TEST(Calibrate, ALossThatDoesNotFallHasNoLeastValue) {
  const auto rising = [](double value) {
    return promising([](double x) { return Scalar(x); }, value);
  };
  expect_error(ErrorKind::search, [&] { calibrate(kScale, rising, moved(1), Scalar(0.5)); });
  const auto constant = [](double value) {
    return promising([](double) { return Scalar(2.0); }, value);
  };
  expect_error(ErrorKind::search, [&] { calibrate(kScale, constant, moved(1), Scalar(1.0)); });
}

}  // namespace
}  // namespace dp::test::calibrate_test

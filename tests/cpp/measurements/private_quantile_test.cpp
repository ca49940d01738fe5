#include "core/measurements/private_quantile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random/bit_source.h"
#include "core/transformations/trees/quantile_score_candidates.h"
#include "measurements/noise_support.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"
#include "support/recorded_bits.h"

namespace dp::test::private_quantile_test {
namespace {

const std::vector<Scalar> kTens = {Scalar(30.0), Scalar(0.0), Scalar(20.0), Scalar(10.0)};

Measurement quantile(const Measure& measure,
                     double alpha,
                     double scale,
                     std::optional<std::uint64_t> size = std::nullopt,
                     const std::vector<Scalar>& candidates = kTens) {
  return make_private_quantile(
      vectors(AtomType::f64, size), symmetric_distance(), measure, candidates, alpha, scale);
}

double pick(const Measurement& measurement, const std::vector<double>& rows) {
  return element_in<double>(measurement.invoke(make_column(AtomType::f64, rows)));
}

TEST(PrivateQuantile, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_private_quantile");
  ASSERT_EQ(rows.size(), 8u);
  for (const OracleRow& row : rows) {
    std::optional<std::uint64_t> size;
    if (row.arg("domain_size")) size = std::stoull(*row.arg("domain_size"));
    const Measurement measurement = quantile(parse_measure(*row.arg("output_measure")),
                                             oracle_number(*row.arg("alpha")),
                                             oracle_number(*row.arg("scale")),
                                             size);
    const double found = loss(measurement, static_cast<std::uint32_t>(std::stoul(row.d_in)));
    const double wanted = oracle_number(row.d_out);
    if (std::isinf(wanted)) {
      EXPECT_EQ(found, wanted);
    } else {
      EXPECT_NEAR(found, wanted, 1e-9 * wanted) << row.args;
    }
  }
}

TEST(PrivateQuantile, WithoutNoiseIsTheNearestCandidate) {
  const std::vector<double> rows = {1, 9, 11, 12, 19, 21, 22, 23, 24, 29};
  EXPECT_EQ(pick(quantile(max_divergence(), 0.5, 0), rows), 20);
  EXPECT_EQ(pick(quantile(max_divergence(), 0.2, 0), rows), 10);
  EXPECT_EQ(pick(quantile(zero_concentrated_divergence(), 1, 0), rows), 30);
  EXPECT_EQ(pick(quantile(max_divergence(), 0, 0), rows), 0);
  EXPECT_EQ(pick(quantile(max_divergence(), 0.5, 0, 10), rows), 20);
}

// P[candidate] under the exponential mechanism is proportional to exp(-score / scale), with scores
// |(1 - alpha) #below - alpha #above| in rows.
double choice_fit(double scale, double law_scale) {
  const double alpha = 0.75;
  const std::vector<double> rows = {5, 15, 15, 25, 35};
  const double below[] = {0, 1, 3, 4}, above[] = {5, 4, 2, 1};
  FiniteLaw law;
  Wide total = 0;
  for (int i = 0; i < 4; ++i) {
    const double score = std::fabs((1 - alpha) * below[i] - alpha * above[i]);
    total += law.emplace_back(exp(-Wide(score) / law_scale));
  }
  for (Wide& p : law) p /= total;
  ReplayedBits bits(73);
  const ScopedBitSource scope(bits);
  const Measurement measurement = quantile(zero_concentrated_divergence(), alpha, scale);
  std::vector<double> counts(4);
  for (int i = 0; i < 20000; ++i) {
    counts[static_cast<std::size_t>(std::lround(pick(measurement, rows) / 10))] += 1;
  }
  return fit(counts, law);
}

TEST(PrivateQuantile, ScaleIsInRows) {
  EXPECT_GT(choice_fit(2, 2), 1e-6 / 2);
  EXPECT_LT(choice_fit(2, 2.6), 1e-6 / 2);
}

TEST(PrivateQuantile, ScoresAndScaleAgreeOnTheUnit) {
  // Known size: two edits move a score by den, so the loss is 2 den / (scale den).
  for (double alpha : {0.5, 0.1, 1 / 3.0}) {
    for (std::uint64_t size : {1u, 100u, 1000003u}) {
      const Transformation scores = make_quantile_score_candidates(
          vectors(AtomType::f64, size), symmetric_distance(), {Scalar(0.0), Scalar(1.0)}, alpha);
      EXPECT_GT(number_in<std::uint64_t>(scores.map(Scalar(std::uint32_t{2}))), 0u);
      EXPECT_NEAR(loss(quantile(max_divergence(), alpha, 4, size), std::uint32_t{2}), 0.5, 1e-15);
    }
  }
}

TEST(PrivateQuantile, RefusesWhatItCannotPromise) {
  EXPECT_EQ(
      expect_error(
          ErrorKind::make_measurement,
          [] {
            quantile(max_divergence(), 0.5, 1, std::nullopt, {Scalar(1.0), Scalar(std::nan(""))});
          }),
      "candidates[1] is NaN, which is invalid");
  for (double scale : {-1.0, HUGE_VAL, std::nan("")}) {
    expect_error(ErrorKind::make_measurement, [scale] { quantile(max_divergence(), 0.5, scale); });
  }
  expect_error(ErrorKind::make_transformation, [] { quantile(max_divergence(), 1.5, 1); });
  expect_error(ErrorKind::make_transformation,
               [] { quantile(max_divergence(), 0.5, 1, std::nullopt, {}); });
  expect_error(ErrorKind::make_transformation, [] {
    quantile(max_divergence(), 0.5, 1, std::nullopt, {Scalar(1.0), Scalar(1.0)});
  });
  expect_error(ErrorKind::type, [] { quantile(approximate(max_divergence()), 0.5, 1); });
}

}  // namespace
}  // namespace dp::test::private_quantile_test

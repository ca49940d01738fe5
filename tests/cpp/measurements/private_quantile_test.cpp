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

// Places of three candidates, and 3 for a missing value.
using Places = std::vector<std::uint64_t>;
const std::vector<Scalar> kThree = {Scalar(0.0), Scalar(1.0), Scalar(2.0)};

Measurement of_cells(const Metric& metric,
                     double alpha,
                     double scale,
                     std::optional<std::uint64_t> size = std::nullopt,
                     const Measure& measure = max_divergence()) {
  const Domain places = vector_of(default_atom(AtomType::usize), size);
  return make_private_quantile_of_cells(places, metric, measure, kThree, alpha, scale);
}

double pick_place(const Measurement& measurement, const Places& places) {
  return element_in<double>(measurement.invoke(make_column(AtomType::usize, places)));
}

// Distances from the wanted rank to the ranks of each candidate, in quarters of a row.
std::vector<std::int64_t> gaps_of(const Places& places, std::int64_t quarters) {
  std::int64_t counts[4] = {};
  for (const std::uint64_t place : places) ++counts[std::min<std::uint64_t>(place, 3)];
  const std::int64_t wanted = quarters * (counts[0] + counts[1] + counts[2]);
  std::vector<std::int64_t> gaps;
  std::int64_t below = 0;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t held = std::clamp(wanted, 4 * below, 4 * (below + counts[i]));
    gaps.push_back(std::abs(wanted - held));
    below += counts[i];
  }
  return gaps;
}

FiniteLaw law_of_cells(const Places& places, std::int64_t quarters, double scale) {
  FiniteLaw law;
  Wide total = 0;
  for (const std::int64_t gap : gaps_of(places, quarters)) {
    total += law.emplace_back(exp(-Wide(gap) / 4 / scale));
  }
  for (Wide& p : law) p /= total;
  return law;
}

TEST(PrivateQuantileOfCells, WithoutNoiseIsAPlaceThatHasTheRank) {
  // The wanted rank 3.5 is among the ranks of the second place, although it has more rows below.
  EXPECT_EQ(pick_place(of_cells(symmetric_distance(), 0.5, 0), {0, 0, 0, 1, 1, 1, 2}), 1);
  EXPECT_EQ(pick_place(of_cells(symmetric_distance(), 0.9, 0), {0, 0, 0, 1, 1, 1, 2}), 2);
  EXPECT_EQ(pick_place(of_cells(symmetric_distance(), 0.1, 0), {0, 0, 0, 1, 1, 1, 2}), 0);
  // Missing values are not counted.
  EXPECT_EQ(pick_place(of_cells(change_one_distance(), 0.5, 0, 8), {0, 1, 1, 3, 3, 3, 3, 9}), 1);
}

TEST(PrivateQuantileOfCells, HasTheLawOfItsDefinition) {
  const Places places = {0, 0, 1, 2, 2, 2, 2, 2, 3};
  ReplayedBits bits(29);
  const ScopedBitSource scope(bits);
  const Measurement measurement =
      of_cells(symmetric_distance(), 0.75, 2, std::nullopt, zero_concentrated_divergence());
  std::vector<double> counts(3);
  for (int i = 0; i < 20000; ++i) {
    counts[static_cast<std::size_t>(std::lround(pick_place(measurement, places)))] += 1;
  }
  EXPECT_GT(fit(counts, law_of_cells(places, 3, 2)), 1e-9);
  EXPECT_LT(fit(counts, law_of_cells(places, 3, 2.6)), 1e-9);
  EXPECT_LT(fit(counts, law_of_cells({0, 0, 1, 1, 2, 2, 2, 2}, 3, 2)), 1e-9);
}

// Compares the map with the exact laws of all places of up to three rows. Neighbours have one row
// replaced, made missing, or added.
TEST(PrivateQuantileOfCells, D_SEN_1_NoNeighbourLosesMoreThanTheMap) {
  constexpr double kScale = 3;
  for (const std::int64_t quarters : {1, 2, 3}) {
    Wide replaced = 0;
    Wide added = 0;
    std::vector<Places> all{{}};
    for (std::size_t i = 0; i < all.size() && all[i].size() < 4; ++i) {
      const Places places = all[i];
      const FiniteLaw law = law_of_cells(places, quarters, kScale);
      for (std::uint64_t value = 0; value < 4; ++value) {
        Places more = places;
        more.push_back(value);
        if (more.size() < 4) all.push_back(more);
        const FiniteLaw of_more = law_of_cells(more, quarters, kScale);
        added = std::max(added, max_divergence_of(law, of_more));
        added = std::max(added, max_divergence_of(of_more, law));
        if (places.empty()) continue;
        Places other = places;
        other.back() = value;
        replaced =
            std::max(replaced, max_divergence_of(law, law_of_cells(other, quarters, kScale)));
      }
    }
    const double alpha = static_cast<double>(quarters) / 4;
    const double of_replaced = loss(of_cells(change_one_distance(), alpha, kScale, 3), 1u);
    const double of_added = loss(of_cells(symmetric_distance(), alpha, kScale), 1u);
    EXPECT_LE(replaced, Wide(of_replaced));
    EXPECT_GT(replaced, of_replaced / 3);
    EXPECT_LE(added, Wide(of_added));
    EXPECT_GT(added, of_added / 3);
    EXPECT_EQ(of_replaced, loss(of_cells(symmetric_distance(), alpha, kScale, 3), 2u));
  }
}

TEST(PrivateQuantileOfCells, MapsAreThoseOfTheHeader) {
  EXPECT_EQ(loss(of_cells(change_one_distance(), 0.9, 8, 5), 2u), 0.5);
  EXPECT_EQ(loss(of_cells(hamming_distance(), 0.9, 8, 5), 2u), 0.5);
  EXPECT_EQ(loss(of_cells(symmetric_distance(), 0.9, 8, 5), 3u), 0.25);
  EXPECT_EQ(loss(of_cells(insert_delete_distance(), 0.75, 8), 2u), 0.375);
  EXPECT_EQ(loss(of_cells(change_one_distance(), 0.9, 8, 5, zero_concentrated_divergence()), 2u),
            1.0 / 32);
}

TEST(PrivateQuantileOfCells, RefusesWhatItCannotPromise) {
  for (double scale : {-1.0, HUGE_VAL, std::nan("")}) {
    expect_error(ErrorKind::make_measurement,
                 [scale] { of_cells(symmetric_distance(), 0.5, scale); });
  }
  for (double alpha : {-0.1, 1.5, std::nan("")}) {
    expect_error(ErrorKind::make_transformation,
                 [alpha] { of_cells(symmetric_distance(), alpha, 1); });
  }
  expect_error(ErrorKind::type, [] { of_cells(l1_distance(AtomType::f64), 0.5, 1); });
  expect_error(ErrorKind::type, [] {
    make_private_quantile_of_cells(
        vectors(AtomType::f64), symmetric_distance(), max_divergence(), kThree, 0.5, 1);
  });
  expect_error(ErrorKind::make_transformation, [] {
    make_private_quantile_of_cells(vector_of(default_atom(AtomType::usize)),
                                   symmetric_distance(),
                                   max_divergence(),
                                   {Scalar(1.0), Scalar(1.0)},
                                   0.5,
                                   1);
  });
}

}  // namespace
}  // namespace dp::test::private_quantile_test

#include "core/combinators/population_amplification.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/combinators/chain.h"
#include "core/combinators/measure_cast.h"
#include "core/measurements/user_measurement.h"
#include "core/measures/loss.h"
#include "core/transformations/rows/clamp.h"
#include "core/transformations/sums/mean.h"
#include "measurements/noise_support.h"
#include "support/exact_laws.h"
#include "support/expect_error.h"
#include "support/finite_laws.h"
#include "support/oracle_rows.h"

namespace dp::test::population_amplification_test {
namespace {

using Map = std::function<double(std::uint32_t)>;

struct Loss {
  double epsilon;
  double delta;
};

Measurement on_sample(std::uint64_t n, const Metric& metric, const Map& map) {
  return make_user_measurement(
      vectors(AtomType::i32, n),
      metric,
      max_divergence(),
      [](const Value& arg) { return arg; },
      [map](const Distance& d_in) -> Distance {
        return Scalar(map(number_in<std::uint32_t>(d_in)));
      });
}

double amplified(std::uint64_t n, std::uint64_t population, const Map& map, std::uint32_t d_in) {
  return loss(make_population_amplification(on_sample(n, change_one_distance(), map), population),
              d_in);
}

TEST(PopulationAmplification, AgreesWithEveryRowOfTheOracle) {
  const auto rows = oracle_rows("make_population_amplification");
  ASSERT_EQ(rows.size(), 6u);
  int tested = 0;
  for (const OracleRow& row : rows) {
    const auto population = std::stoull(*row.arg("population_size"));
    if (row.arg("inner_epsilon")) {
      const double epsilon = oracle_number(*row.arg("inner_epsilon"));
      const double found = amplified(
          std::stoull(*row.arg("sample_size")),
          population,
          [=](std::uint32_t) { return epsilon; },
          1);
      const double wanted = oracle_number(row.d_out);
      EXPECT_NEAR(found, wanted, 1e-9 * wanted) << row.args;
      ++tested;
    } else if (row.args.find("make_mean") != std::string::npos) {
      const Domain bounded = vector_of(closed_atom(AtomType::f64, Scalar(0.0), Scalar(10.0)), 10);
      const Transformation mean = make_mean(bounded, symmetric_distance());
      const Measurement noisy =
          make_chain_mt(make_laplace(mean.output_domain(), mean.output_metric(), 0.5), mean);
      const double found = loss(make_population_amplification(noisy, population), std::uint32_t{2});
      EXPECT_TRUE(found > 0.494 && found <= 0.4941) << found;
      ++tested;
    } else {
      const Measurement pair = make_user_measurement(
          vectors(AtomType::i32, 10),
          change_one_distance(),
          approximate(max_divergence()),
          [](const Value& arg) { return arg; },
          [](const Distance&) -> Distance {
            return Distance::Tuple{Scalar(1.0), Scalar(1e-6)};
          });
      const ApproximateLoss found = approximate_in(
          make_population_amplification(pair, population).map(Scalar(std::uint32_t{1})));
      EXPECT_NEAR(number_in<double>(found.inner), 0.15856507874042916, 1e-10);
      EXPECT_NEAR(found.delta, 1e-7, 1e-16);
      ++tested;
    }
  }
  EXPECT_EQ(tested, 6);
}

Wide choose(int n, int k) {
  Wide result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// Exact loss of randomized response with loss epsilon on "does the sample contain a nonzero
// record". The neighbours are a population of zeros and one with c records changed.
Wide exact_loss(int n, int population, int c, const Wide& epsilon) {
  const Wide hit = 1 - choose(population - c, n) / choose(population, n);
  const Wide p = exp(epsilon) / (1 + exp(epsilon));
  return log((hit * p + (1 - hit) * (1 - p)) / (1 - p));
}

TEST(PopulationAmplification, D_EPS_5_AFlatLossIsNotUnderstatedForManyRecords) {
  const Map flat = [](std::uint32_t) { return 1.0; };
  for (int c : {1, 2, 10, 40, 91}) {
    const double claim = amplified(10, 100, flat, static_cast<std::uint32_t>(c));
    const Wide truth = exact_loss(10, 100, std::min(c, 90), 1);
    EXPECT_GE(claim, truth) << c;
    if (c <= 90) {
      EXPECT_LE(claim, truth + Wide(1e-14)) << "not tight at " << c;
    }
  }
  EXPECT_NEAR(amplified(10, 100, flat, 10), 0.766, 0.001);
  EXPECT_EQ(amplified(10, 100, flat, 91), 1);
}

TEST(PopulationAmplification, D_EPS_5_TheCheckRejectsTheFormulaForOneRecord) {
  EXPECT_LT(std::log1p(0.1 * std::expm1(1.0)), exact_loss(10, 100, 10, 1));
}

TEST(PopulationAmplification, ALinearLossIsThatOfOneRecordTimesTheirNumber) {
  const Map linear = [](std::uint32_t d) { return 0.01 * d; };
  const double one = amplified(10, 1000, linear, 1);
  EXPECT_NEAR(amplified(10, 1000, linear, 7), 7 * one, 1e-15);
}

TEST(PopulationAmplification, D_EPS_5_NeverLosesMoreThanWithoutAndGrowsWithTheDistance) {
  const Map steps = [](std::uint32_t d) { return d < 3 ? 0.5 : 2.0; };
  double last = 0;
  for (std::uint32_t d = 1; d < 50; ++d) {
    const double epsilon = amplified(40, 200, steps, d);
    EXPECT_LE(epsilon, steps(d));
    EXPECT_GE(epsilon, last);
    last = epsilon;
  }
  EXPECT_EQ(amplified(7, 7, steps, 1), 0.5);
}

TEST(PopulationAmplification, TwoEditsAreOneChangedRecord) {
  const Map linear = [](std::uint32_t d) { return 0.5 * d; };
  for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
    const Measurement edits = make_population_amplification(on_sample(10, metric, linear), 100);
    EXPECT_NEAR(loss(edits, std::uint32_t{2}), 0.15856507874042916, 1e-10);
    EXPECT_EQ(loss(edits, std::uint32_t{0}), 0);
    EXPECT_TRUE(std::isfinite(loss(edits, std::uint32_t{4000000000})));
  }
}

TEST(PopulationAmplification, BoundsForVeryManyRecordsAreSound) {
  const Map flat = [](std::uint32_t) { return 1.0; };
  const std::uint64_t population = std::uint64_t{1} << 40;
  double last = 0;
  for (std::uint32_t c : {1u << 15, 1u << 16, (1u << 16) + 1, 1u << 20}) {
    const double claim = amplified(1 << 20, population, flat, c);
    // If each of the c records were sampled independently, the loss would be below the truth.
    const double hit = -std::expm1(c * std::log1p(-0x1p-20));
    EXPECT_GE(claim, std::log1p(hit * std::expm1(1.0)) * (1 - 1e-12)) << c;
    EXPECT_GT(claim, last);
    last = claim;
  }
}

// With probability `reveal`, a release gives the number of changed records in the sample. Otherwise
// it adds two-sided geometric noise of ratio q and clamps to 0 and n.
FiniteLaw sample_law(int changed, int n, const Wide& q, const Wide& reveal) {
  FiniteLaw law(static_cast<std::size_t>(2 * (n + 1)));
  for (int out = 0; out <= n; ++out) {
    const Wide tail = pow(q, std::abs(out - changed)) / (1 + q);
    law[static_cast<std::size_t>(out)] =
        (1 - reveal) * (out == 0 || out == n ? tail : Wide(tail * (1 - q)));
  }
  law[static_cast<std::size_t>(n + 1 + changed)] = reveal;
  return law;
}

// Law of the release from a sample of n out of N records, `changed` of them changed.
FiniteLaw population_law(int changed, int n, int population, const Wide& q, const Wide& reveal) {
  FiniteLaw law(static_cast<std::size_t>(2 * (n + 1)));
  for (int drawn = 0; drawn <= std::min(n, changed); ++drawn) {
    if (n - drawn > population - changed) continue;
    const Wide weight =
        choose(changed, drawn) * choose(population - changed, n - drawn) / choose(population, n);
    const FiniteLaw part = sample_law(drawn, n, q, reveal);
    for (std::size_t i = 0; i < law.size(); ++i) law[i] += weight * part[i];
  }
  return law;
}

// Smallest delta between two laws at epsilon.
Wide delta_of(const FiniteLaw& a, const FiniteLaw& b, const Wide& epsilon) {
  Wide sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::max(Wide(0), Wide(a[i] - exp(epsilon) * b[i]));
  }
  return sum;
}

// Largest shortfall of delta at epsilon, over populations that differ in c records.
Wide shortfall(const Loss& claim, int c, int n, int population, const Wide& q, const Wide& reveal) {
  Wide worst = -1;
  for (int x = 0; x + c <= population; ++x) {
    const FiniteLaw a = population_law(x, n, population, q, reveal);
    const FiniteLaw b = population_law(x + c, n, population, q, reveal);
    worst = std::max({worst,
                      Wide(delta_of(a, b, claim.epsilon) - claim.delta),
                      Wide(delta_of(b, a, claim.epsilon) - claim.delta)});
  }
  return worst;
}

// Map of sample_law(). Any j changed records move the number by at most j, and `reveal` accounts
// for all of delta. With `growth` above 0 the claim exceeds the necessary loss.
Measurement counting(int n, double epsilon, double reveal, double growth = 0) {
  return make_user_measurement(
      vectors(AtomType::i32, static_cast<std::uint64_t>(n)),
      change_one_distance(),
      approximate(max_divergence()),
      [](const Value& arg) { return arg; },
      [=](const Distance& d_in) -> Distance {
        const double d = number_in<std::uint32_t>(d_in);
        return Distance::Tuple{Scalar(epsilon * d), Scalar(reveal * std::pow(d, growth))};
      });
}

Loss claimed(const Measurement& measurement, int c) {
  const ApproximateLoss parts =
      approximate_in(measurement.map(Scalar(static_cast<std::uint32_t>(c))));
  return {number_in<double>(parts.inner), parts.delta};
}

TEST(PopulationAmplification, D_EPS_5_GroupsUnderApproximatePrivacyCoverTheExactDelta) {
  for (const auto& [n, population] : {std::pair{2, 6}, std::pair{3, 12}, std::pair{1, 9}}) {
    for (double epsilon : {0.3, 1.0, 2.0}) {
      for (double reveal : {0.0, 1e-3, 0.05}) {
        for (double growth : {0.0, 2.0}) {
          const Measurement map =
              make_population_amplification(counting(n, epsilon, reveal, growth), population);
          for (int c = 1; c <= population; ++c) {
            const Wide short_by =
                shortfall(claimed(map, c), c, n, population, exp(-Wide(epsilon)), reveal);
            EXPECT_LE(short_by, slack()) << n << " " << epsilon << " " << reveal << " " << c;
          }
        }
      }
    }
  }
}

TEST(PopulationAmplification, D_EPS_5_TheCheckRejectsADeltaThatIsNotAdded) {
  const double epsilon = 1.0;
  const double reveal = 0.05;
  const Loss one = claimed(make_population_amplification(counting(1, epsilon, reveal), 9), 1);
  const Loss wrong{4 * one.epsilon, one.delta};
  EXPECT_GT(shortfall(wrong, 4, 1, 9, exp(-Wide(epsilon)), reveal), 0.01);
}

TEST(PopulationAmplification, GroupsUnderApproximatePrivacyLoseNoMoreThanUnderPure) {
  const Map linear = [](std::uint32_t d) { return 0.5 * d; };
  const Measurement pure = on_sample(10, change_one_distance(), linear);
  const Measurement both = make_population_amplification(pure, 100);
  const Measurement pairs = make_population_amplification(make_approximate(pure), 100);
  for (std::uint32_t c = 0; c < 60; ++c) {
    const Loss claim = claimed(pairs, static_cast<int>(c));
    EXPECT_EQ(claim.epsilon, loss(both, c)) << c;
    EXPECT_EQ(claim.delta, 0);
  }
  EXPECT_NEAR(claimed(pairs, 8).epsilon, 0.503, 0.001);
}

TEST(PopulationAmplification, D_EPS_5_DeltaGrowsWithTheSumOfThePowersOfTheRatio) {
  const double epsilon = 0.25;
  const Measurement map = make_population_amplification(counting(10, epsilon, 1e-6, 2), 1000);
  const Loss one = claimed(map, 1);
  for (int c : {2, 7, 30}) {
    double sum = 0;
    for (int i = 0; i < c; ++i) sum += std::exp(i * one.epsilon);
    const Loss group = claimed(map, c);
    EXPECT_NEAR(group.epsilon, c * one.epsilon, 1e-14);
    EXPECT_NEAR(group.delta, one.delta * sum, 1e-12 * group.delta);
  }
}

TEST(PopulationAmplification, OfTwoBoundsTheSecondIsGivenOnlyIfItIsLessInBothParts) {
  const double epsilon = 0.25;
  const Measurement map = make_population_amplification(counting(10, epsilon, 1e-6), 1000);
  const Loss seven = claimed(map, 7);
  const double hit = 1 - static_cast<double>(choose(993, 10) / choose(1000, 10));
  EXPECT_NEAR(seven.epsilon, std::log1p(hit * std::expm1(7 * epsilon)), 1e-12);
  EXPECT_NEAR(seven.delta, hit * 1e-6, 1e-16);
  EXPECT_LT(7 * claimed(map, 1).epsilon, seven.epsilon);  // but delta would be larger
}

TEST(PopulationAmplification, HugeLossesStayWhatTheyAre) {
  for (double epsilon : {1e6, 1e308, HUGE_VAL}) {
    const Measurement map = make_population_amplification(counting(2, epsilon, 1e-9), 10);
    EXPECT_EQ(claimed(map, 1).epsilon, epsilon);
  }
  const Measurement tiny = make_population_amplification(counting(2, 0, 1e-300, 2), 10);
  EXPECT_EQ(claimed(tiny, 10).epsilon, 0);
}

TEST(PopulationAmplification, RefusesWhatIsNoSample) {
  const Map flat = [](std::uint32_t) { return 1.0; };
  const Measurement ten = on_sample(10, symmetric_distance(), flat);
  EXPECT_EQ(
      expect_error(ErrorKind::make_measurement, [&] { make_population_amplification(ten, 8); }),
      "population size (8) cannot be less than sample size (10)");
  const Measurement unsized = make_user_measurement(
      vectors(AtomType::i32),
      symmetric_distance(),
      max_divergence(),
      [](const Value& arg) { return arg; },
      [](const Distance&) -> Distance { return Scalar(1.0); });
  EXPECT_EQ(
      expect_error(ErrorKind::make_measurement, [&] { make_population_amplification(unsized, 8); }),
      "elements of the vector domain have unknown size");
  expect_error(ErrorKind::type, [] {
    make_population_amplification(
        make_laplace(vectors(AtomType::i32, 3), l1_distance(AtomType::i32), 1), 8);
  });
  expect_error(ErrorKind::type,
               [&] { make_population_amplification(make_pureDP_to_zCDP(ten), 80); });
}

}  // namespace
}  // namespace dp::test::population_amplification_test

#include "core/query/noise_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/measurements/gaussian.h"
#include "core/numeric/rational.h"
#include "core/query/key_threshold.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"

namespace dp::query {
namespace {

using Fields = std::vector<std::string>;

double number_of(const std::string& text) {
  const std::size_t mark = text.find('/');
  if (mark == std::string::npos) return std::stod(text);
  return std::stod(text.substr(0, mark)) / std::stod(text.substr(mark + 1));
}

ContributionBound bound_of(const Fields& row) {
  return {std::stoull(row[4]), std::stoull(row[5]), std::stoull(row[6])};
}

// Parses "len", "sum[-3,7] (exact L2)", "centred sum [0,5000]" or "quantile 1/4 (None)".
Effect effect_of(const std::string& aggregate) {
  GroupFacts facts;
  facts.has_public_lengths = aggregate.find("fixed length") != std::string::npos ||
                             aggregate.find("(Lengths)") != std::string::npos;
  if (aggregate == "len" || aggregate == "distinct identifiers") return effect_on_rows(facts);
  if (aggregate.compare(0, 8, "quantile") == 0) {
    const std::size_t mark = aggregate.find('/');
    return effect_on_scores(std::stoull(aggregate.substr(9, mark - 9)),
                            std::stoull(aggregate.substr(mark + 1)),
                            1,
                            facts);
  }
  const std::size_t open = aggregate.find('[');
  const long least = std::stol(aggregate.substr(open + 1));
  const long most = std::stol(aggregate.substr(aggregate.find(',', open) + 1));
  const long middle = aggregate.compare(0, 7, "centred") == 0 ? (least + most) / 2 : 0;
  return effect_on_sum(least - middle, most - middle, facts);
}

void expect_close(double value, const std::string& expected, const std::string& note) {
  if (expected.empty()) return;
  EXPECT_NEAR(value, std::stod(expected), 1e-9 * std::fabs(value)) << note;
}

NoiseKind kind_of_row(const Fields& row) {
  return row[0] == "rho" ? NoiseKind::gaussian : NoiseKind::laplace;
}

void expect_noise(const Fields& row) {
  const NoiseKind kind = kind_of_row(row);
  const Sensitivity norms = sensitivity(bound_of(row), effect_of(row[7]));
  const double norm =
      kind == NoiseKind::laplace ? to_double_up(Rational(norms.l1)) : norm_up(norms.l2_squared);
  expect_close(norm, row[8], row[12]);
  const NoiseLaw law(kind, scale_for_loss(kind, norms, number_of(row[1]) * number_of(row[3])));
  expect_close(law.scale(), row[9], row[12]);
  expect_close(law.accuracy(Alpha(0.05)), row[10], row[12]);
  if (row[11].empty()) return;
  // Here a group is kept if it reaches the threshold; in the oracle, if it exceeds it.
  const ContributionBound bound = bound_of(row);
  const Integer oracle(std::stoll(row[11]) + 1);
  const Delta delta(number_of(row[2]));
  EXPECT_LE(plain_threshold_delta(law, bound, oracle), delta.value()) << row[12];
  const Integer threshold = threshold_for_delta(law, bound, delta);
  EXPECT_LE(threshold, oracle) << row[12];
  EXPECT_LE(threshold_delta(law, bound, threshold), delta.value());
  EXPECT_GT(threshold_delta(law, bound, threshold - 1), delta.value());
  // The oracle bounds the Gaussian tail by a continuous tail, which is larger.
  if (bound.rows_per_group == 1 && kind == NoiseKind::laplace) {
    EXPECT_GT(plain_threshold_delta(law, bound, oracle - 1), delta.value()) << row[12];
    EXPECT_EQ(threshold, oracle) << row[12];
  }
}

// Parses "loss reference=0.2 tight=0.2".
void expect_selection(const Fields& row) {
  Sensitivity norms = sensitivity(bound_of(row), effect_of(row[7]));
  norms.l1 *= 2;
  const double tight = std::stod(row[12].substr(row[12].find("tight=") + 6));
  EXPECT_NEAR(NoiseLaw(kind_of_row(row), std::stod(row[9])).loss(norms), tight, 1e-12 * tight);
}

TEST(NoiseLaw, is_that_of_every_row_of_the_oracle) {
  const auto table = test::oracle_table("group_by_release.csv");
  ASSERT_EQ(table.size(), 38u);
  int selections = 0;
  for (std::size_t i = 1; i < table.size(); ++i) {
    if (table[i][1].empty()) {
      expect_selection(table[i]);
      ++selections;
    } else {
      expect_noise(table[i]);
    }
  }
  EXPECT_EQ(selections, 14);
}

TEST(NoiseLaw, loses_what_the_mechanisms_of_the_framework_lose) {
  const Sensitivity norms{6, 36};
  EXPECT_EQ(NoiseLaw(NoiseKind::gaussian, 2.5).loss(norms), gaussian_loss(6, Rational(5, 2)));
  EXPECT_EQ(NoiseLaw(NoiseKind::laplace, 2.5).loss(norms), 0x1.3333333333334p+1);  // 2.4 rounded up
}

TEST(NoiseLaw, has_the_least_scale_for_a_loss) {
  for (const NoiseKind kind : {NoiseKind::laplace, NoiseKind::gaussian}) {
    for (const double loss : {1e-9, 0.1, 1.0, 12.5, 1e6}) {
      const Sensitivity norms{7, 23};
      const double scale = scale_for_loss(kind, norms, loss);
      EXPECT_LE(NoiseLaw(kind, scale).loss(norms), loss);
      EXPECT_GT(NoiseLaw(kind, std::nextafter(scale, 0.0)).loss(norms), loss);
    }
    test::expect_error(ErrorKind::budget, [&] { scale_for_loss(kind, {7, 23}, 0); });
    for (const double scale : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
      test::expect_error(ErrorKind::make_measurement, [&] { NoiseLaw(kind, scale); });
    }
  }
}

TEST(NoiseLaw, has_the_largest_scale_for_an_accuracy) {
  for (const NoiseKind kind : {NoiseKind::laplace, NoiseKind::gaussian}) {
    for (const double accuracy : {1.5, 12.0, 3000.0, 1e9}) {
      const double scale = scale_for_accuracy(kind, accuracy, Alpha(0.05));
      EXPECT_LE(NoiseLaw(kind, scale).accuracy(Alpha(0.05)), accuracy);
      EXPECT_GT(NoiseLaw(kind, scale * 1.001 + 0.001).accuracy(Alpha(0.05)), accuracy)
          << accuracy << " " << scale;
    }
    test::expect_error(ErrorKind::make_measurement,
                       [&] { scale_for_accuracy(kind, 0.5, Alpha(0.05)); });
  }
}

// P[|Z| >= a] in plain floating point.
double two_sided_tail(NoiseKind kind, double scale, int from) {
  double all = 0;
  double tail = 0;
  for (int z = -4000; z <= 4000; ++z) {
    const double x = z / scale;
    const double mass = std::exp(kind == NoiseKind::laplace ? -std::fabs(x) : -x * x / 2);
    all += mass;
    if (std::abs(z) >= from) tail += mass;
  }
  return tail / all;
}

// A thread caches its results for four values of alpha.
TEST(NoiseLaw, is_as_accurate_in_a_thread_that_was_asked_before) {
  for (const NoiseKind kind : {NoiseKind::laplace, NoiseKind::gaussian}) {
    const NoiseLaw law(kind, 2000);
    for (int round = 0; round < 3; ++round) {
      for (const double alpha : {0.5, 0.05, 0.025, 0.05 / 3, 0.01, 1e-9, 1.0}) {
        double first = 0;
        std::thread([&] { first = law.accuracy(Alpha(alpha)); }).join();
        EXPECT_EQ(law.accuracy(Alpha(alpha)), first) << alpha;
        EXPECT_EQ(law.accuracy(Alpha(alpha)), first) << alpha;
      }
    }
  }
}

TEST(NoiseLaw, is_as_accurate_as_it_says) {
  for (const double scale : {0.3, 1.0, 7.5, 40.0}) {
    for (const double alpha : {0.3, 0.05, 1e-4}) {
      const double gaussian = NoiseLaw(NoiseKind::gaussian, scale).accuracy(Alpha(alpha));
      EXPECT_LE(two_sided_tail(NoiseKind::gaussian, scale, static_cast<int>(gaussian)), alpha);
      if (gaussian > 1) {
        EXPECT_GT(two_sided_tail(NoiseKind::gaussian, scale, static_cast<int>(gaussian) - 1),
                  alpha);
      }
      const double laplace = NoiseLaw(NoiseKind::laplace, scale).accuracy(Alpha(alpha));
      const int steps = std::max(1, static_cast<int>(std::ceil(laplace)));
      EXPECT_LE(two_sided_tail(NoiseKind::laplace, scale, steps), alpha * (1 + 1e-9));
    }
    double all = 0;
    double squares = 0;
    for (int z = -4000; z <= 4000; ++z) {
      const double mass = std::exp(-std::abs(z) / scale);
      all += mass;
      squares += mass * z * z;
    }
    EXPECT_NEAR(
        NoiseLaw(NoiseKind::laplace, scale).deviation(), std::sqrt(squares / all), 1e-6 * scale);
  }
}

// Largest exact probability, over all s, that one of the groups is released.
double largest_delta(double scale, const ContributionBound& bound, int threshold) {
  const auto tail = [&](int t) { return std::exp(-t / scale) / (1 + std::exp(-1 / scale)); };
  double largest = 0;
  const auto walk = [&](auto&& self, std::uint64_t left, std::uint64_t rows, double none) -> void {
    largest = std::max(largest, 1 - none);
    if (left == 0) return;
    for (std::uint64_t s = 1; s <= std::min(rows, bound.rows_per_group); ++s) {
      self(self, left - 1, rows - s, none * (1 - tail(threshold - static_cast<int>(s))));
    }
  };
  walk(walk, bound.groups, bound.rows, 1);
  return largest;
}

TEST(KeyThreshold, covers_all_groups_that_one_neighbour_has_and_no_more) {
  const NoiseLaw law(NoiseKind::laplace, 2);
  for (std::uint64_t l0 = 1; l0 <= 4; ++l0) {
    for (std::uint64_t li = 1; li <= 4; ++li) {
      for (std::uint64_t l1 = std::max(l0, li); l1 <= l0 * li; ++l1) {
        for (const int threshold : {4, 9, 20}) {
          const ContributionBound bound{l0, l1, li};
          const double exact = largest_delta(2, bound, threshold);
          const double claimed = threshold_delta(law, bound, threshold);
          EXPECT_GE(claimed, exact * (1 - 1e-12));
          EXPECT_LE(claimed, exact * (1 + 1e-9) + 1e-14) << l0 << " " << l1 << " " << li;
          EXPECT_LE(claimed, plain_threshold_delta(law, bound, threshold));
        }
      }
    }
  }
}

TEST(KeyThreshold, is_refused_without_a_delta) {
  const NoiseLaw law(NoiseKind::laplace, 2);
  test::expect_error(ErrorKind::keys, [&] { threshold_for_delta(law, {1, 1, 1}, Delta(0)); });
  EXPECT_EQ(threshold_delta(law, {1, 5, 5}, 4), 1);
  EXPECT_EQ(threshold_delta(law, {0, 0, 0}, 4), 0);
}

}  // namespace
}  // namespace dp::query

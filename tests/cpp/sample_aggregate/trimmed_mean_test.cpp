#include "core/sample_aggregate/trimmed_mean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/numeric/lattice.h"
#include "core/numeric/rational.h"
#include "support/expect_error.h"
#include "support/oracle_rows.h"

namespace dp::trimmed_mean_test {
namespace {

using test::expect_error;
using Numbers = std::vector<std::int64_t>;

Domain numbers_between(std::int64_t lower, std::int64_t upper, std::uint64_t size) {
  return vector_of(closed_atom(AtomType::i64, lower, upper), size);
}

// Sensitivity of the mean of the remaining rows. `weights` gives the weight of each distance.
double sensitivity(
    Numbers z, std::size_t trim, std::int64_t a, std::int64_t b, const Numbers& weights) {
  std::sort(z.begin(), z.end());
  const int128_t s = smooth_sensitivity(z, trim, a, b, weights);
  return std::ldexp(static_cast<double>(s), -62) / static_cast<double>(z.size() - 2 * trim);
}

// Parses "name=value; name=(a,b)" and returns the numbers of one name.
std::vector<double> numbers_of(const std::string& args, const std::string& name) {
  const std::size_t found = ("; " + args).find("; " + name + "=");
  std::string text = args.substr(found + name.size() + 1);
  text = text.substr(0, text.find(';'));
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }),
             text.end());
  return test::oracle_numbers(text, ',');
}

struct TrimmedRow {
  explicit TrimmedRow(const std::string& args)
      : trim(static_cast<std::size_t>(numbers_of(args, "trim").at(0))),
        lower(static_cast<std::int64_t>(numbers_of(args, "lower").at(0))),
        upper(static_cast<std::int64_t>(numbers_of(args, "upper").at(0))) {
    for (const double each : numbers_of(args, "x")) x.push_back(static_cast<std::int64_t>(each));
  }

  double at(const Numbers& weights) const { return sensitivity(x, trim, lower, upper, weights); }

  Numbers x;
  std::size_t trim;
  std::int64_t lower, upper;
};

// Rows of one function, with columns function, arguments, value and others.
std::vector<std::vector<std::string>> formula_rows(const std::string& function) {
  std::vector<std::vector<std::string>> rows;
  for (auto& fields : test::oracle_table("psi_formulas.csv")) {
    if (fields.at(0) == function) rows.push_back(std::move(fields));
  }
  return rows;
}

TEST(TrimmedMean, SmoothSensitivityIsThatOfTheOracle) {
  const auto rows = formula_rows("trimmedMeanSmoothSensitivity");
  EXPECT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    const TrimmedRow given(row.at(1));
    const double beta = numbers_of(row.at(1), "beta").at(0);
    const double value = std::stod(row.at(2));
    EXPECT_NEAR(given.at(smoothing_weights(2 * given.trim + 2, beta)), value, 1e-12) << row.at(1);
  }
}

TEST(TrimmedMean, SensitivityAtADistanceIsThatOfTheOracle) {
  const auto rows = formula_rows("trimmedMeanLocalSensitivityAtDistance");
  EXPECT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    const TrimmedRow given(row.at(1));
    const auto distances = numbers_of(row.at(1), "t");
    const auto values = test::oracle_numbers(row.at(2), ';');
    ASSERT_EQ(values.size(), distances.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      Numbers only(static_cast<std::size_t>(distances[i]) + 1, 0);
      only.back() = std::int64_t{1} << 62;
      EXPECT_NEAR(given.at(only), values[i], 1e-12) << row.at(1);
    }
  }
}

TEST(TrimmedMean, WeightsFallNoFasterThanTheyMay) {
  for (const double beta : {1e-6, 0.1, 3.0, 50.0}) {
    const auto weights = smoothing_weights(200, beta);
    for (std::size_t t = 1; t < weights.size(); ++t) {
      EXPECT_LE(weights[t], weights[t - 1]);
      EXPECT_GE(static_cast<double>(weights[t]) / static_cast<double>(weights[t - 1]),
                std::exp(-beta) * (1 - 1e-15));
      EXPECT_GE(weights[t], 1);
    }
  }
}

// Checks all data of five numbers in 0, ..., 3. The sum of the remaining rows moves by at most S,
// and S by at most a factor of exp(beta). `shrink` plants a mistake.
bool is_smooth(std::size_t trim, double beta, double shrink) {
  const std::size_t k = 5;
  const auto weights = smoothing_weights(2 * trim + 2, beta);
  const auto of = [&](Numbers z) {
    std::sort(z.begin(), z.end());
    std::int64_t sum = 0;
    for (std::size_t i = trim; i < k - trim; ++i) sum += z[i];
    const double s = static_cast<double>(smooth_sensitivity(z, trim, 0, 3, weights));
    return std::make_pair(sum, std::ldexp(s, -62) * (z[2] == z[3] ? shrink : 1));
  };
  for (int code = 0; code < 1024; ++code) {
    Numbers z(k);
    for (std::size_t i = 0; i < k; ++i) z[i] = (code >> (2 * i)) & 3;
    const auto here = of(z);
    for (std::int64_t other = 0; other < 4; ++other) {
      Numbers neighbour = z;
      neighbour[0] = other;
      const auto there = of(neighbour);
      if (std::abs(static_cast<double>(here.first - there.first)) > here.second + 1e-12)
        return false;
      if (here.second > std::exp(beta) * there.second * (1 + 1e-12)) return false;
    }
  }
  return true;
}

TEST(TrimmedMean, D_SEN_1_NeighboursStayWithinASmoothSensitivity) {
  for (const std::size_t trim : {0u, 1u, 2u}) {
    for (const double beta : {0.1, 0.5, 2.0}) {
      EXPECT_TRUE(is_smooth(trim, beta, 1)) << trim << " " << beta;
      EXPECT_FALSE(is_smooth(trim, beta, 0.3)) << trim << " " << beta;
    }
  }
}

TEST(TrimmedMean, ItsLossIsThatOfAShiftAndAStretch) {
  const auto trimmed =
      make_trimmed_sum(numbers_between(0, 10, 9), change_one_distance(), 2, 0.4, 0.1);
  const auto loss = [&](std::uint32_t d) { return number_in<double>(trimmed.map(Scalar(d))); };
  EXPECT_EQ(loss(0), 0);
  EXPECT_GE(loss(1), 0.8);
  EXPECT_NEAR(loss(1), 0.8, 1e-14);
  EXPECT_NEAR(loss(3), 2.4, 1e-14);
}

TEST(TrimmedMean, ReleasesTheSumOfTheMiddleWithinItsRange) {
  const auto release = [](double shift) {
    const auto trimmed =
        make_trimmed_sum(numbers_between(0, 1000, 9), change_one_distance(), 3, shift, 100);
    const Value value = trimmed.invoke(
        make_column<std::int64_t>(AtomType::i64, {1, 500, 2, 501, 3, 502, 0, 999, 998}));
    return element_in<int128_t>(value);
  };
  EXPECT_EQ(release(1e9), 500 + 501 + 502 - 500 - 501 - 502 + 3 + 500 + 501);
  for (int i = 0; i < 50; ++i) {
    const int128_t noisy = release(1e-3);
    EXPECT_GE(noisy, 0);
    EXPECT_LE(noisy, 3000);
  }
}

TEST(TrimmedMean, NoiseHasTheSmoothSensitivityAsItsUnit) {
  // P[|Z| <= t] = t / sqrt(1 + t^2) for the density (1 + z^2)^(-3/2) / 2.
  const std::int64_t far = 1000000000;
  const std::vector<std::int64_t> z = {-7, -5, -4, -1, 0, 1, 4, 5, 7};
  constexpr double kShift = 1e-3;
  const auto trimmed =
      make_trimmed_sum(numbers_between(-far, far, z.size()), change_one_distance(), 3, kShift, 100);
  const auto weights = smoothing_weights(8, 100);
  const double s = static_cast<double>(smooth_sensitivity(z, 3, -far, far, weights)) * 0x1p-62;
  constexpr int kDraws = 4000;
  int within = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Value value = trimmed.invoke(make_column<std::int64_t>(AtomType::i64, z));
    within += std::fabs(static_cast<double>(element_in<int128_t>(value))) <= s / kShift;
  }
  EXPECT_NEAR(within / double{kDraws}, std::sqrt(0.5), 6 * std::sqrt(0.207 / kDraws));
}

TEST(TrimmedMean, RefusesWhatHasNoMiddle) {
  const auto build = [](const Domain& domain, std::uint64_t trim, double shift, double beta) {
    make_trimmed_sum(domain, change_one_distance(), trim, shift, beta);
  };
  const auto refused = [&](const Domain& domain, std::uint64_t trim, double shift, double beta) {
    expect_error(ErrorKind::make_measurement, [&] { build(domain, trim, shift, beta); });
  };
  const Domain four = numbers_between(0, 1, 4);
  refused(four, 2, 1, 1);
  refused(four, std::uint64_t{1} << 63, 1, 1);
  refused(four, 1, 0, 1);
  refused(four, 1, 1, 0);
  refused(four, 1, HUGE_VAL, 1);
  refused(numbers_between(1, 1, 4), 1, 1, 1);
  refused(vector_of(closed_atom(AtomType::i64, std::int64_t{0}, std::int64_t{1})), 1, 1, 1);
  expect_error(ErrorKind::failed_cast,
               [&] { build(vector_of(closed_atom(AtomType::f64, 0.0, 1.0), 4), 1, 1, 1); });
  expect_error(ErrorKind::type, [&] { make_trimmed_sum(four, symmetric_distance(), 1, 1, 1); });
}

}  // namespace
}  // namespace dp::trimmed_mean_test

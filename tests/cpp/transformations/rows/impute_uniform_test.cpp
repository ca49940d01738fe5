#include "core/transformations/rows/impute_uniform.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/numeric/lattice.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/neighbours.h"
#include "support/recorded_bits.h"

namespace dp::test::impute_uniform_test {
namespace {

Domain option_of(AtomType type) { return vector_of(OptionDomain{default_atom(type)}); }

template <class T>
Dataset<T> draws(AtomType type, double lower, double upper, std::size_t count) {
  ReplayedBits bits(74);
  const ScopedBitSource scope(bits);
  const auto t = make_impute_uniform(option_of(type), symmetric_distance(), lower, upper);
  return to_dataset<T>(t.invoke(to_value(type, Dataset<T>(count))));
}

// Whether the frequencies of `points` values in `count` draws pass a chi-square test at the 1 -
// 1e-6 quantile, by the Wilson-Hilferty approximation.
template <class T>
bool looks_uniform(const Dataset<T>& data, std::size_t points) {
  std::map<T, double> tally;
  for (const auto& row : data) ++tally[*row];
  if (tally.size() != points) return false;
  const double expected = static_cast<double>(data.size()) / static_cast<double>(points);
  double statistic = 0;
  for (const auto& [value, seen] : tally) {
    statistic += (seen - expected) * (seen - expected) / expected;
  }
  const double freedom = static_cast<double>(points - 1);
  const double spread = 2 / (9 * freedom);
  return statistic < freedom * std::pow(1 - spread + 4.7534 * std::sqrt(spread), 3);
}

TEST(ImputeUniform, D_SAM_2_IntegersAreUniformOverAllWholeNumbersWithinTheBounds) {
  EXPECT_TRUE(looks_uniform(draws<std::int32_t>(AtomType::i32, -1.5, 3.9, 60000), 5));
  for (const auto& row : draws<std::int32_t>(AtomType::i32, -1.5, 3.9, 1000)) {
    EXPECT_TRUE(-1 <= *row && *row <= 3);
  }
  // Power of the test: a law without the last value, or with 20 % less of it.
  Dataset<std::int32_t> never = draws<std::int32_t>(AtomType::i32, -1, 2, 60000);
  EXPECT_FALSE(looks_uniform(never, 5));
  Dataset<std::int32_t> rare = draws<std::int32_t>(AtomType::i32, 0, 23, 60000);
  for (auto& row : rare) row = *row % 5;  // 4 comes 4 times in 24, the others 5 times
  EXPECT_FALSE(looks_uniform(rare, 5));
}

TEST(ImputeUniform, D_SAM_2_BoolsAreFairBits) {
  EXPECT_TRUE(looks_uniform(draws<bool>(AtomType::boolean, 0, 1, 60000), 2));
}

TEST(ImputeUniform, D_FLT_1_FloatsAreMultiplesOfThePublicStepWithinTheBounds) {
  const double lower = -0.3, upper = 1.7;
  const double step = std::ldexp(1.0, lattice_for(lower, upper).exponent);
  const auto data = draws<double>(AtomType::f64, lower, upper, 100000);
  Dataset<std::int32_t> tenths;
  for (const auto& row : data) {
    EXPECT_TRUE(lower <= *row && *row <= upper);
    EXPECT_EQ(std::fmod(*row, step), 0.0);
    tenths.emplace_back(static_cast<std::int32_t>((*row - lower) * 5));
  }
  EXPECT_TRUE(looks_uniform(tenths, 10));
  std::set<double> distinct;
  for (const auto& row : data) distinct.insert(*row);
  EXPECT_EQ(distinct.size(), data.size());  // 2^51 points
}

TEST(ImputeUniform, FewPointsAreDrawnExactly) {
  // Neighbours on the lattice of bounds near 2^52 are integers.
  const double lower = 0x1p51, upper = 0x1p51 + 4;
  EXPECT_TRUE(looks_uniform(draws<double>(AtomType::f64, lower, upper, 20000), 3));
  const auto floats = draws<float>(AtomType::f32, 0x1p23, 0x1p23 + 4, 20000);
  EXPECT_TRUE(looks_uniform(floats, 3));
  for (const auto& row : draws<float>(AtomType::f32, -0.1, 0.1, 1000)) {
    EXPECT_TRUE(-0.1 <= *row && *row <= 0.1);
  }
}

TEST(ImputeUniform, WorksAtTheEdgesOfTheTypes) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(*(draws<double>(AtomType::f64, 0, 0, 1))[0], 0.0);
  // The step is 2^-1022, so 0 is its only multiple within these bounds.
  EXPECT_EQ(*(draws<double>(AtomType::f64, -tiny, tiny, 1))[0], 0.0);
  const double huge = std::numeric_limits<double>::max();
  for (const auto& row : draws<double>(AtomType::f64, -huge, huge, 100)) {
    EXPECT_TRUE(std::isfinite(*row));
  }
  for (const auto& row : draws<float>(AtomType::f32, -3.4e38, 3.4e38, 100)) {
    EXPECT_TRUE(std::isfinite(*row));
  }
  const auto wide = draws<std::int64_t>(AtomType::i64, -0x1p63, 0x1p63 - 1024, 100);
  EXPECT_TRUE(std::any_of(wide.begin(), wide.end(), [](const auto& x) { return *x < 0; }));
  EXPECT_TRUE(std::any_of(wide.begin(), wide.end(), [](const auto& x) { return *x > 0; }));
  const auto natural = draws<std::uint64_t>(AtomType::u64, 0, 0x1p64 - 2048, 100);
  EXPECT_TRUE(
      std::any_of(natural.begin(), natural.end(), [](const auto& x) { return *x >> 63 != 0; }));
}

TEST(ImputeUniform, D_DOM_3_TouchesOnlyMissingRows) {
  const auto t = make_impute_uniform(option_of(AtomType::f64), symmetric_distance(), 0, 1);
  EXPECT_EQ(t.output_domain(), vector_of(non_nan_atom(AtomType::f64)));
  const Dataset<double> data = {5.0, kNaN, -0.0, {}, 1e308};
  const auto out = to_dataset<double>(t.invoke(to_value(AtomType::f64, data)));
  for (const std::size_t i : {0, 2, 4}) EXPECT_TRUE(same_row(out[i], data[i]));
  for (const std::size_t i : {1, 3}) EXPECT_TRUE(0 <= *out[i] && *out[i] <= 1);
}

// With a single point to draw, the function is deterministic and neighbours can be compared. With
// more points, the draws of one row use nothing from the others (D_DOM_3 above), so coupled draws
// agree.
TEST(ImputeUniform, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndAMutantIsRejected) {
  for (const Metric& metric : {symmetric_distance(), insert_delete_distance()}) {
    const auto t = make_impute_uniform(option_of(AtomType::f64), metric, 0, 0);
    StabilityCheck<double> check(t);
    fuzz(check, 8, 2000);
    exhaust<double>(check, {1.0, kNaN, {}}, 4);
    EXPECT_TRUE(check.passed()) << check.report();
    StabilityCheck<double> mutant(
        with_map(t, [](const Distance&) -> Distance { return Scalar(std::uint32_t{1}); }));
    fuzz(mutant, 8, 300);
    EXPECT_TRUE(mutant.is_refuted());
  }
}

TEST(ImputeUniform, D_DOM_2_RefusesWhatItMust) {
  const Metric metric = symmetric_distance();
  const Domain floats = vector_of(default_atom(AtomType::f64));
  const double inf = std::numeric_limits<double>::infinity();
  const auto refused = [&](const Domain& domain, double lower, double upper) {
    expect_error(ErrorKind::make_transformation,
                 [&] { make_impute_uniform(domain, metric, lower, upper); });
  };
  refused(floats, kNaN, 1);
  refused(floats, 0, kNaN);
  refused(floats, 1, 0);
  refused(floats, 0, inf);
  refused(floats, -inf, 0);
  refused(floats, 0.1, 0.1);                    // not a multiple of its step
  refused(option_of(AtomType::i32), 0.2, 0.8);  // no whole number
  refused(option_of(AtomType::u8), 0, 256);     // outside of the type
  refused(option_of(AtomType::boolean), 0, 2);
  refused(vector_of(default_atom(AtomType::f32)), 0, 1e300);
  refused(vector_of(default_atom(AtomType::f32)), -0x1p128, 0);
  expect_error(ErrorKind::type,
               [&] { make_impute_uniform(option_of(AtomType::string), metric, 0, 1); });
  expect_error(ErrorKind::type,
               [&] { make_impute_uniform(vector_of(default_atom(AtomType::i32)), metric, 0, 1); });
}

}  // namespace
}  // namespace dp::test::impute_uniform_test

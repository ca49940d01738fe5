#include "core/sample_aggregate/block_aggregate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/combinators/chain.h"
#include "core/measurements/gaussian.h"
#include "core/measurements/private_quantile.h"
#include "core/measures/measure.h"
#include "core/random/bit_source.h"
#include "core/sample_aggregate/block_total.h"
#include "core/sample_aggregate/trimmed_mean.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"

namespace dp::test::block_aggregate_test {
namespace {

// Returns a nearly exact sum of the numbers of all blocks.
Measurement sum_of(const BlockOutput& output, std::uint64_t blocks, double shift = 1e15) {
  return make_trimmed_sum(
      vector_of(closed_atom(AtomType::i64, output.range.lower, output.range.upper), blocks),
      change_one_distance(),
      0,
      shift,
      1);
}

double sum_in(const Value& release, const BlockOutput& output, std::size_t j) {
  const auto& parts = *release.as<Value::Tuple>();
  return output.range.lattice.value(element_in<int128_t>(parts.at(j)));
}

TEST(BlockOutput, FailuresAreTheMiddleAndTheRestIsMovedIntoTheRange) {
  const BlockOutput output(-2, 6, std::nullopt);
  const auto value = [&](double x) {
    return output.range.lattice.value(int128_t{output.steps(x)});
  };
  EXPECT_EQ(value(1.5), 1.5);
  EXPECT_EQ(value(kNaN), 2);
  EXPECT_EQ(value(HUGE_VAL), 6);
  EXPECT_EQ(value(-HUGE_VAL), -2);
  EXPECT_EQ(value(7), 6);
}

TEST(BlockOutput, SensitivityIsTheWidthUnlessLessIsPromised) {
  const auto steps = [](std::optional<double> promised) {
    return BlockOutput(0, 8, promised).sensitivity;
  };
  const std::int64_t width = BlockOutput(0, 8, std::nullopt).range.width();
  EXPECT_EQ(steps(std::nullopt), width);
  EXPECT_EQ(steps(HUGE_VAL), width);
  EXPECT_EQ(steps(9), width);
  EXPECT_EQ(steps(4), width / 2 + 1);  // 1 for rounding
  EXPECT_EQ(steps(5), width / 8 * 5 + 1);
  expect_error(ErrorKind::make_transformation, [&] { steps(-1); });
  expect_error(ErrorKind::make_transformation, [&] { steps(kNaN); });
}

TEST(BlockOutput, APromiseDoesNotCoverABlockThatFails) {
  for (const double promised : {0.0, 1e-9, 1.0, 3.0, 4.0, 5.0}) {
    for (const double upper : {8.0, 8.5, 0.1}) {
      const BlockOutput output(-1, upper, promised);
      for (const double x : {-1.0, 0.0, upper}) {
        const std::int64_t moved = output.steps(x) - output.steps(kNaN);
        EXPECT_LE(std::abs(moved), output.sensitivity) << promised << ' ' << upper << ' ' << x;
      }
      EXPECT_GE(2 * output.sensitivity, output.range.width());
    }
  }
}

TEST(BlockAggregate, GivesTheFunctionPreparedColumnsWithRowsTogether) {
  const BlockOutput output(0, 1000, std::nullopt);
  const auto together = [](const std::vector<Doubles>& columns, const BlockPlaces& places) {
    std::vector<Doubles> results(places.ends.size(), {0});
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      EXPECT_TRUE(columns[1][i] == columns[0][i] * 10 || columns[0][i] == 10);
    }
    std::size_t begin = 0;
    for (std::size_t b = 0; b < results.size(); begin = places.ends[b++]) {
      for (std::size_t i = begin; i < places.ends[b]; ++i)
        results[b][0] += columns[0][places.rows[i]];
    }
    return results;
  };
  const auto measurement = make_block_aggregate(
      BlockResults(
          {column("x"), column("y", 0, 100)}, BlockDesign::partitions(5, 2, 1), together, 1),
      {output},
      {sum_of(output, 2)});
  const Value release = measurement.invoke(frame_of({1, 2, 3, 4, 99}, {10, 20, 30, 40, 50}));
  EXPECT_NEAR(sum_in(release, output, 0), 20, 1e-6);
}

TEST(BlockAggregate, AResultOfAnotherLengthIsAFailureOfItsBlockAlone) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto sum = [&](const std::vector<Doubles>& results) {
    const auto given = [&](const BlockCells&, const BlockPlaces&) { return results; };
    const auto measurement = make_block_aggregate(
        BlockResults({column("x")}, BlockDesign::partitions(4, 4, 1), given, 1),
        {output},
        {sum_of(output, 4)});
    return sum_in(measurement.invoke(frame_of({1, 2, 3, 4}, {1, 2, 3, 4})), output, 0);
  };
  EXPECT_NEAR(sum({{1}, {1, 8}, {}, {1}}), 1 + 4 + 4 + 1, 1e-6);
  EXPECT_NEAR(sum({{1}}), 1 + 3 * 4, 1e-6);
  EXPECT_NEAR(sum({{1}, {1}, {1}, {1}, {8}}), 4, 1e-6);
}

TEST(BlockAggregate, MissingRowsAndCellsAreImputed) {
  const BlockOutput output(0, 100, std::nullopt);
  const auto total = [](const std::vector<Doubles>& columns, const BlockPlaces&) {
    EXPECT_EQ(columns[0].size(), 6u);
    double sum = 0;
    for (const double x : columns[0]) sum += x;
    return std::vector<Doubles>{{sum}};
  };
  ColumnSpec x = column("x");
  x.impute_lower = x.impute_upper = 7;
  const auto measurement = make_block_aggregate(
      BlockResults({x}, BlockDesign::partitions(6, 1, 1), total, 1), {output}, {sum_of(output, 1)});
  EXPECT_NEAR(
      sum_in(measurement.invoke(frame_of({1, kNaN, 2}, {0, 0, 0})), output, 0), 3 + 4 * 7, 1e-6);
}

TEST(BlockAggregate, D_SEN_1_ItsLossCountsTheOverlapAndAllNumbers) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto any = [](const BlockCells&, const BlockPlaces&) {
    return std::vector<Doubles>(24, {1.0});
  };
  const auto loss = [&](BlockDesign design, std::size_t numbers, std::uint32_t d_in) {
    const std::uint64_t k = design.blocks();
    const auto measurement =
        make_block_aggregate(BlockResults({column("x")}, std::move(design), any, numbers),
                             std::vector<BlockOutput>(numbers, output),
                             std::vector<Composable>(numbers, sum_of(output, k, 2)));
    return number_in<double>(measurement.map(Scalar(d_in)));
  };
  const double one = 1.5 * 2 + 2;
  EXPECT_EQ(loss(BlockDesign::partitions(24, 6, 1), 1, 1), one);
  EXPECT_EQ(loss(BlockDesign::partitions(24, 6, 3), 1, 1), 3 * one);
  EXPECT_EQ(loss(BlockDesign::partitions(24, 6, 3), 2, 2), 12 * one);
  EXPECT_EQ(loss(BlockDesign::labels(6), 1, 2), 2 * one);
  const auto subsets = BlockDesign::subsets(10, 20, 3, secure_bits());
  EXPECT_EQ(loss(subsets, 1, 1), subsets.overlap() * one);
}

// Median over `candidates`, in steps, of the numbers of blocks that did not fail.
Measurement median_of_working(const BlockOutput& output, const Doubles& candidates, double scale) {
  std::vector<Scalar> points;
  for (const double x : candidates) points.emplace_back(output.steps(x));
  return make_private_quantile(
      vector_of(closed_atom(AtomType::i64, output.range.lower, output.range.upper)),
      symmetric_distance(),
      max_divergence(),
      points,
      0.5,
      scale);
}

// Sum of the numbers of all blocks, with Gaussian noise.
Measurement gaussian_sum(const BlockOutput& output, std::uint64_t blocks, double scale) {
  const Transformation total = make_block_total(
      vector_of(closed_atom(AtomType::i64, output.range.lower, output.range.upper), blocks),
      l1_distance(AtomType::i64));
  return make_chain_mt(make_gaussian(total.output_domain(), total.output_metric(), scale), total);
}

TEST(BlockAggregate, D_SEN_1_RhoOfNumbersAddsUpAtTheSquareOfTheOverlap) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto none = [](const BlockCells&, const BlockPlaces&) { return std::vector<Doubles>(); };
  const auto sensitivity = static_cast<double>(output.sensitivity);
  const auto aggregate = [&](std::uint32_t overlap, std::vector<Composable> measurements) {
    const std::vector<BlockOutput> outputs(measurements.size(), output);
    return make_block_aggregate(
        BlockResults({column("x")}, BlockDesign::partitions(24, 6, overlap), none, outputs.size()),
        outputs,
        std::move(measurements));
  };
  const auto rho = [&](std::uint32_t overlap, std::size_t numbers, std::uint32_t rows) {
    const auto measurement = aggregate(
        overlap, std::vector<Composable>(numbers, gaussian_sum(output, 6 * overlap, sensitivity)));
    EXPECT_TRUE(measurement.output_measure() == zero_concentrated_divergence());
    return number_in<double>(measurement.map(Scalar(rows)));
  };
  EXPECT_EQ(rho(1, 1, 1), 0.5);
  EXPECT_EQ(rho(3, 1, 1), 4.5);
  EXPECT_EQ(rho(1, 2, 3), 9);
  expect_error(ErrorKind::measure_mismatch, [&] {
    aggregate(1, {sum_of(output, 6), gaussian_sum(output, 6, sensitivity)});
  });
}

TEST(BlockAggregate, BlocksOfWhichANumberFailedAreLeftOutUnderSymmetricDistance) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto medians = [&](const std::vector<Doubles>& results) {
    const auto given = [&](const BlockCells&, const BlockPlaces&) { return results; };
    const std::size_t k = results.size();
    const auto measurement = make_block_aggregate(
        BlockResults({column("x")}, BlockDesign::partitions(k, k, 1), given, 2),
        {output, output},
        std::vector<Composable>(2, median_of_working(output, {1, 4, 7}, 1e-9)));
    const Value release = measurement.invoke(frame_of(Doubles(k, 1), Doubles(k, 1)));
    Doubles found;
    for (const Value& part : *release.as<Value::Tuple>()) {
      found.push_back(output.range.lattice.value(int128_t{element_in<std::int64_t>(part)}));
    }
    return found;
  };
  // If failures counted as the middle, 4, they would outvote the first value.
  EXPECT_EQ(medians({{1, 7}, {kNaN, 4}, {4, kNaN}, {kNaN, kNaN}, {4}, {}}), (Doubles{1, 7}));
  EXPECT_EQ(medians({{kNaN, 1}, {1, kNaN}}).size(), 2u);
}

TEST(BlockAggregate, D_SEN_1_ABlockThatChangesLeavesAndJoinsThoseThatWork) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto none = [](const BlockCells&, const BlockPlaces&) { return std::vector<Doubles>(); };
  const Measurement median = median_of_working(output, {1, 4, 7}, 8);
  const auto loss = [&](BlockDesign design, std::uint32_t rows) {
    const auto measurement = make_block_aggregate(
        BlockResults({column("x")}, std::move(design), none, 1), {output}, {median});
    return number_in<double>(measurement.map(Scalar(rows)));
  };
  const auto of_changes = [&](std::uint32_t changes) {
    return number_in<double>(median.map(Scalar(changes)));
  };
  EXPECT_EQ(loss(BlockDesign::partitions(24, 6, 1), 1), of_changes(2));
  EXPECT_EQ(loss(BlockDesign::partitions(24, 6, 3), 2), of_changes(12));
  EXPECT_EQ(loss(BlockDesign::labels(6), 1), of_changes(2));
}

TEST(BlockAggregate, RefusesMeasurementsOfOtherNumbers) {
  const BlockOutput output(0, 8, std::nullopt);
  const auto build = [&](std::vector<Composable> measurements) {
    const auto none = [](const BlockCells&, const BlockPlaces&) { return std::vector<Doubles>(); };
    make_block_aggregate(BlockResults({column("x")}, BlockDesign::partitions(8, 4, 1), none, 1),
                         {output},
                         std::move(measurements));
  };
  expect_error(ErrorKind::make_measurement, [&] { build({}); });
  expect_error(ErrorKind::domain_mismatch, [&] { build({sum_of(output, 5)}); });
  expect_error(ErrorKind::domain_mismatch,
               [&] { build({sum_of(BlockOutput(0, 9, std::nullopt), 4)}); });
  expect_error(ErrorKind::make_measurement, [&] { check_column_specs({}); });
  expect_error(ErrorKind::make_measurement, [&] {
    check_column_specs({column("x"), column("x")});
  });
  expect_error(ErrorKind::make_measurement, [&] { check_column_specs({column("x", 1, 1)}); });
  ColumnSpec whole = column("x", 0, 1.5);
  whole.whole = true;
  expect_error(ErrorKind::make_measurement, [&] { check_column_specs({whole}); });
}

}  // namespace
}  // namespace dp::test::block_aggregate_test

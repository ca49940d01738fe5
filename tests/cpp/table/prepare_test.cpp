#include "core/table/prepare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/table/prepared_columns.h"
#include "core/table/present_cell.h"
#include "support/doubles.h"
#include "support/expect_error.h"
#include "support/frames.h"
#include "support/stable.h"

namespace dp::test::prepare_test {
namespace {

Doubles prepared(const ColumnSpec& spec, const Doubles& x) {
  Doubles cells(x.size());
  ColumnPreparation(spec).each(rows_in(make_column(AtomType::f64, x)),
                               [&](double cell, std::size_t row) { cells[row] = cell; });
  return cells;
}

const ColumnSpec kWhole = column("x", -2, 2, true);
const ColumnSpec kReal = column("x", -1, 2);
const Doubles kCells = {-7, -1.9, -0.0, 0.3, 1.9, 2.9, 0x1p62, kInf, -kInf, 0x1p63, 1e300, kNaN};

TEST(Prepare, WhatIsThereBecomesWhatAPresentCellIs) {
  for (const ColumnSpec& spec : {kWhole, kReal}) {
    const PresentCell cell(spec);
    const Doubles all = prepared(spec, kCells);
    for (std::size_t i = 0; i < kCells.size(); ++i) {
      EXPECT_EQ(all[i], cell(kCells[i]).value_or(all[i])) << kCells[i];
      EXPECT_GE(all[i], spec.lower);
      EXPECT_LE(all[i], spec.upper);
    }
  }
}

// 4,000 draws of 5 numbers: 800 of each, up to 7 standard deviations.
TEST(Prepare, MissingOnesAreUniformDrawsFromTheBoundsOfImputation) {
  const Doubles missing(4000, kNaN);
  std::map<double, int> counts;
  for (const double x : prepared({"age", 0, 100, 3, 7, true}, missing)) ++counts[x];
  ASSERT_EQ(counts.size(), 5U);
  for (const auto& [value, count] : counts) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_GE(value, 3);
    EXPECT_LE(value, 7);
    EXPECT_NEAR(count, 800, 178);
  }
  const Doubles reals = prepared({"x", 0, 100, 3, 7, false}, missing);
  EXPECT_GT(std::set<double>(reals.begin(), reals.end()).size(), 3900U);
  for (const double x : reals) EXPECT_TRUE(3 <= x && x <= 7);
}

TEST(Prepare, BoundsOfImputationBetweenTwoPointsOfTheLatticeDrawTheNearest) {
  for (const double x : prepared({"x", 0, 1, 0.3, 0.3, false}, Doubles(5, kNaN))) {
    EXPECT_NEAR(x, 0.3, 1e-15);
  }
  // Even the nearest point stays within the bounds.
  for (const double x : prepared({"x", 0.3, 1, 0.3, 0.3, false}, Doubles(5, kNaN))) {
    EXPECT_GE(x, 0.3);
  }
}

TEST(Prepare, OneColumnHasItsDomainAndItsRows) {
  const auto whole = make_prepare(floats(3), change_one_distance(), kWhole, 3);
  EXPECT_EQ(whole.output_domain(),
            vector_of(closed_atom(AtomType::i64, std::int64_t{-2}, std::int64_t{2}), 3));
  const auto real = make_prepare(floats(3), change_one_distance(), kReal, 3);
  EXPECT_EQ(real.output_domain(), vector_of(closed_atom(AtomType::f64, -1.0, 2.0), 3));
  EXPECT_EQ(to_dataset<std::int64_t>(
                whole.invoke(to_value(AtomType::f64, Dataset<double>{-9.0, 1.5, 0.5}))),
            (Dataset<std::int64_t>{-2, 1, 0}));
  EXPECT_EQ(to_dataset<double>(real.invoke(to_value(AtomType::f64, Dataset<double>{-9.0}))).size(),
            3U);
  EXPECT_EQ(
      to_dataset<double>(real.invoke(to_value(AtomType::f64, Dataset<double>(9, 0.0)))).size(), 3U);
}

TEST(Prepare, ColumnsOfAFrameArePreparedEachByItsOwnRuleInOneOrder) {
  const Value frame = frame_of({-5, 0.5, 1, kNaN}, {1.5, 0, 9, kInf});
  const auto columns = prepared_columns(
      *frame_in(frame), column_preparations({kReal, {"y", 0, 3, 2, 2, true}}), std::nullopt);
  std::multimap<double, double> pairs;
  for (std::size_t row = 0; row < 4; ++row) pairs.emplace(columns[1][row], columns[0][row]);
  EXPECT_EQ(pairs.find(1)->second, -1);
  EXPECT_EQ(pairs.find(0)->second, 0.5);
  EXPECT_EQ(pairs.find(3)->second, 1);
  EXPECT_EQ(pairs.count(2), 1U);
}

TEST(Prepare, RefusesWhatItMust) {
  const auto refused = [](ErrorKind kind, const ColumnSpec& spec) {
    expect_error(kind, [&] { make_prepare(floats(3), change_one_distance(), spec, 3); });
  };
  refused(ErrorKind::make_transformation, column("x", 0, 0.5, true));
  refused(ErrorKind::make_transformation, column("x", 0, 0x1p63, true));
  refused(ErrorKind::make_domain, column("x", 0, kInf));
  refused(ErrorKind::make_domain, {"x", 3, 0, 0, 3, false});
  expect_error(ErrorKind::make_transformation,
               [] { make_prepare(floats(3), change_one_distance(), kReal, 0); });
  expect_error(ErrorKind::make_measurement, [] { column_preparations({kReal, kReal}); });
}

TEST(Prepare, D_SEN_1_D_DOM_1_TheMapCoversNeighboursAndMutantsAreRejected) {
  const std::vector<Row<double>> values = {-5.0, 0.5, 9.0};
  for (const auto& [metric, size] : dataset_spaces()) {
    if (metric.kind != MetricKind::change_one) continue;
    // Draws from one point are coupled.
    const auto t = make_prepare(floats(size), metric, {"x", -1, 2, 0, 0, false}, *size);
    expect_stable(t, values);
    // Mutant: the first row moves all rows.
    expect_rejected(t,
                    whole_function([](const Value& rows) -> Value {
                      const auto data = to_dataset<double>(rows);
                      const double first = *data.front() < 0 ? -1 : 2;
                      return to_value(AtomType::f64, Dataset<double>(data.size(), first));
                    }),
                    values);
  }
}

}  // namespace
}  // namespace dp::test::prepare_test

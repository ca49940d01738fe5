#include "core/query/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/numeric/rational.h"
#include "core/query/grids.h"
#include "core/query/measure.h"
#include "support/expect_error.h"
#include "support/query_statements.h"

namespace dp::query {
namespace {

Field whole(std::int64_t lower, std::int64_t upper) {
  Field field;
  field.name = "x";
  field.type = FieldType::integer;
  field.wholes = {lower, upper};
  return field;
}

const std::vector<std::pair<double, double>>& ranges() {
  static const std::vector<std::pair<double, double>> kAll = {
      {0, 1}, {-3.7, 12.25}, {1e6, 1e6 + 1}, {-1e299, 1e299}, {5, 5}, {-0.1, 1e-9}, {0, 1e-300}};
  return kAll;
}

TEST(Columns, have_points_within_their_ends_and_near_their_values) {
  for (const auto& [lower, upper] : ranges()) {
    const Field field = test::real_field("x", lower, upper, {});
    for (const Origin origin : {Origin::zero, Origin::middle, Origin::coarse}) {
      const Quantiser q = quantiser_of(field, {}, origin, "x");
      for (const double share : {0.0, 0.25, 0.5, 0.9, 1.0}) {
        const double value = std::min(upper, lower + share * (upper - lower));
        const std::int64_t z = point_of(q, value);
        EXPECT_GE(z, q.least);
        EXPECT_LE(z, q.most);
        const Rational off = abs(value_of(q, Integer(z)) - exact_rational(value));
        EXPECT_LE(off * 2, power_of_two(q.exponent)) << lower << " " << upper;
      }
      EXPECT_EQ(point_of(q, lower), q.least);
      EXPECT_EQ(point_of(q, upper), q.most);
      if (origin == Origin::coarse) {
        EXPECT_LE(std::max(-q.least, q.most), std::int64_t{1} << 26);
      }
      if (origin != Origin::zero) {
        EXPECT_LE(std::abs(q.least + q.most), 1);
      }
    }
  }
}

TEST(Columns, of_wholes_are_exact) {
  const Quantiser sum = quantiser_of(whole(-7, 120), {}, Origin::zero, "x");
  EXPECT_EQ(sum.exponent, 0);
  EXPECT_EQ(sum.least, -7);
  EXPECT_EQ(sum.most, 120);
  const Quantiser mean = quantiser_of(whole(-7, 120), {}, Origin::middle, "x");
  EXPECT_EQ(mean.offset, 56);
  EXPECT_EQ(mean.least, -63);
  EXPECT_EQ(mean.most, 64);
  const Quantiser wide =
      quantiser_of(whole(-(std::int64_t{1} << 60), std::int64_t{1} << 60), {}, Origin::zero, "x");
  EXPECT_GT(wide.exponent, 0);
}

TEST(Columns, are_narrowed_by_bounds_and_never_widened) {
  const Quantiser q = quantiser_of(whole(0, 100), {{-5, 42.5}}, Origin::zero, "x");
  EXPECT_EQ(q.least, 0);
  EXPECT_EQ(q.most, 42);
  test::expect_error(ErrorKind::domain, [] {
    quantiser_of(whole(0, 100), {{200, 300}}, Origin::zero, "x");
  });
  test::expect_error(ErrorKind::domain, [] {
    quantiser_of(whole(0, 100), {{0.2, 0.8}}, Origin::zero, "x");
  });
}

TEST(Columns, fill_what_is_missing_as_declared) {
  const auto fill = [](Missing missing, Origin origin) {
    return quantiser_of(test::real_field("x", 0, 4, missing), {}, origin, "x").fill;
  };
  using Policy = Missing::Policy;
  EXPECT_EQ(fill({Policy::drop, 0}, Origin::zero), std::nullopt);
  EXPECT_EQ(fill({Policy::midpoint, 0}, Origin::middle), 0);
  const Quantiser q =
      quantiser_of(test::real_field("x", 0, 4, {Policy::value, 9}), {}, Origin::zero, "x");
  EXPECT_EQ(q.fill, q.most);
  EXPECT_TRUE(may_drop(test::real_field("x", 0, 4, {})));
  EXPECT_FALSE(may_drop(test::real_field("x", 0, 4, {Policy::midpoint, 0})));
}

TEST(Columns, without_numbers_or_bounds_are_refused) {
  const auto refuse = [](const Field& field) {
    test::expect_error(ErrorKind::domain, [&] { quantiser_of(field, {}, Origin::zero, "x"); });
  };
  refuse(test::text_field("x"));
  refuse(test::levels_field("x", 3));
  Field field = whole(0, 1);
  field.wholes.reset();
  refuse(field);
}

TEST(Grids, are_the_values_of_short_columns_or_points_at_equal_distances) {
  Aggregate aggregate;
  const Quantiser few = quantiser_of(whole(3, 9), {}, Origin::zero, "x");
  EXPECT_EQ(quantile_grid(aggregate, few).values, (std::vector<double>{3, 4, 5, 6, 7, 8, 9}));
  const Quantiser many = quantiser_of(test::real_field("x", -1, 1, {}), {}, Origin::zero, "x");
  const Grid grid = quantile_grid(aggregate, many);
  EXPECT_EQ(grid.values.size(), 1025u);
  EXPECT_EQ(grid.values.front(), -1);
  EXPECT_EQ(grid.values[512], 0);
  EXPECT_EQ(grid.values.back(), 1);
  aggregate.grid = {-7, 0, 0.5, 7};
  EXPECT_EQ(quantile_grid(aggregate, many).values, (std::vector<double>{0, 0.5}));
  aggregate.grid = {0.5, 0};
  test::expect_error(ErrorKind::domain, [&] { quantile_grid(aggregate, many); });
  aggregate.grid = {7};
  test::expect_error(ErrorKind::domain, [&] { quantile_grid(aggregate, many); });
}

bool has(const Grid& grid, double value) {
  return std::find(grid.values.begin(), grid.values.end(), value) != grid.values.end();
}

TEST(Grids, of_ranks_have_round_values_at_every_scale) {
  Aggregate aggregate;
  const Field wide = test::real_field("x", 0, 5e7, {});
  const Grid grid = rank_grid(aggregate, quantiser_of(wide, {}, Origin::zero, "x"), wide);
  for (const double value : {0.0, 0.0000001e9, 750.0, 18000.0, 5e7}) EXPECT_TRUE(has(grid, value));
  const Field both = test::real_field("x", -3, 15, {});
  const Grid signs = rank_grid(aggregate, quantiser_of(both, {}, Origin::zero, "x"), both);
  for (const double value : {-2.9, -0.1, 0.3, 1.1, 14.0}) EXPECT_TRUE(has(signs, value));
  const Field wholes = whole(0, 1000000);
  for (const double value :
       rank_grid(aggregate, quantiser_of(wholes, {}, Origin::zero, "x"), wholes).values) {
    EXPECT_EQ(value, std::floor(value));
  }
  Field days = whole(-10000, 20000);
  days.type = FieldType::date;
  const Grid dates = rank_grid(aggregate, quantiser_of(days, {}, Origin::zero, "x"), days);
  EXPECT_EQ(dates.values.size(), 4097u);
}

TEST(Grids, of_ranks_have_cells_of_what_is_nearest) {
  EXPECT_EQ(nearest_cells({1, 2, 3}), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(nearest_cells({-7, -4, 0, 10}), (std::vector<std::int64_t>{-7, -5, -2, 5, 11}));
  EXPECT_EQ(nearest_cells({5}), (std::vector<std::int64_t>{5, 6}));
}

TEST(Grids, of_ranks_know_candidates_that_are_no_better_than_their_cells) {
  const auto coarse = [](const Field& field, const std::vector<double>& at) {
    Aggregate aggregate;
    aggregate.grid = at;
    const Quantiser points = quantiser_of(field, {}, Origin::zero, "x");
    const Grid grid = rank_grid(aggregate, points, field);
    return coarse_candidates(grid, nearest_cells(grid.points), points, field);
  };
  // Between 2500 and 7500 cells are 5000 wide: large relative to 5000, small relative to 50000.
  const Field wide = test::real_field("x", 0, 1e6, {});
  EXPECT_EQ(coarse(wide, {0, 5000, 10000, 45000, 50000, 55000, 999000}),
            (std::vector<bool>{true, true, true, true, false, true, true}));
  const Quantiser points = quantiser_of(wide, {}, Origin::zero, "x");
  const Grid fine = rank_grid(Aggregate{}, points, wide);
  const std::vector<bool> none = coarse_candidates(fine, nearest_cells(fine.points), points, wide);
  for (std::size_t i = 0; i < fine.values.size(); ++i) {
    if (fine.values[i] < 1 || fine.values[i] > 9.9e5) continue;
    EXPECT_FALSE(none[i]) << fine.values[i];
  }
  // Each integer has its own cell.
  EXPECT_EQ(coarse(whole(0, 3), {}), (std::vector<bool>{false, false, false, false}));
  EXPECT_EQ(coarse(whole(0, 1000), {0, 1, 500, 1000}),
            (std::vector<bool>{false, true, true, true}));
}

TEST(Grids, of_histograms_are_values_or_breaks) {
  Aggregate aggregate;
  aggregate.name = "h";
  const HistogramCells levels = histogram_cells(aggregate, test::levels_field("x", 3));
  EXPECT_EQ(levels.grid.points, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(levels.rule, CellRule::points);
  const Field real = test::real_field("x", 0, 10, {});
  test::expect_error(ErrorKind::domain, [&] { histogram_cells(aggregate, real); });
  aggregate.grid = {0, 5, 10};
  EXPECT_EQ(histogram_cells(aggregate, real).rule, CellRule::between);
  // A filter can move the bounds, so breaks may lie beyond them.
  for (const std::vector<double>& breaks : {std::vector<double>{-1, 5, 10}, {0, 5, 11}}) {
    aggregate.grid = breaks;
    EXPECT_EQ(histogram_cells(aggregate, real).grid.values, breaks);
  }
  // Dropping a break would silently merge two cells or lose one.
  aggregate.grid = {0, 5, 5 + 1e-15, 10};
  test::expect_error(ErrorKind::domain, [&] { histogram_cells(aggregate, real); });
  aggregate.grid = {0, 5, 10};
  test::expect_error(ErrorKind::domain,
                     [&] { histogram_cells(aggregate, test::levels_field("x", 3)); });
}

// Counts each whole number from 0 to 6 in the cell that `breaks` give it.
std::vector<int128_t> cells_of_wholes(const std::vector<double>& breaks) {
  Aggregate aggregate;
  aggregate.name = "h";
  aggregate.grid = breaks;
  const HistogramCells cells = histogram_cells(aggregate, test::whole_field("x", 0, 6));
  std::vector<int128_t> bins(2 * cells.grid.points.size() + 1, 0);
  for (std::int64_t x = 0; x <= 6; ++x) {
    std::size_t bin = 0;
    for (const std::int64_t point : cells.grid.points) bin += x == point ? 1 : x > point ? 2 : 0;
    ++bins[bin];
  }
  return cells_of(bins, cells.rule);
}

TEST(Grids, of_histograms_place_breaks_between_whole_numbers) {
  using Cells = std::vector<int128_t>;
  EXPECT_EQ(cells_of_wholes({0, 3, 6}), (Cells{3, 4}));
  EXPECT_EQ(cells_of_wholes({0.5, 2.5, 4.5}), (Cells{2, 2}));
  EXPECT_EQ(cells_of_wholes({-0.5, 1.5, 4}), (Cells{2, 3}));
  EXPECT_EQ(cells_of_wholes({1, 4.9, 5.1}), (Cells{4, 1}));
  EXPECT_EQ(cells_of_wholes({4.5, 5.5, 6.5}), (Cells{1, 1}));
  // No whole number lies between these breaks.
  test::expect_error(ErrorKind::domain, [] { cells_of_wholes({1.2, 1.7, 3}); });
}

}  // namespace
}  // namespace dp::query

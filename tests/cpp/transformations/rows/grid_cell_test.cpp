#include "core/transformations/rows/grid_cell.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/stable.h"

namespace dp::test::grid_cell_test {
namespace {

Dataset<std::int64_t> cells(double origin, double width, const Dataset<double>& data) {
  const auto t =
      make_grid_cell(vector_of(default_atom(AtomType::f64)), symmetric_distance(), origin, width);
  EXPECT_EQ(t.output_domain(), vector_of(default_atom(AtomType::i64)));
  return to_dataset<std::int64_t>(t.invoke(to_value(AtomType::f64, data)));
}

TEST(GridCell, CellsAreClosedOnTheLeftAndGoOnForever) {
  EXPECT_EQ(cells(0, 1, {-1.5, -1.0, -0.0, 0.0, 0.99, 1.0, 1e6}),
            (Dataset<std::int64_t>{-2, -1, 0, 0, 0, 1, 1000000}));
  EXPECT_EQ(cells(1, 0.5, {0.9, 1.0, 1.5}), (Dataset<std::int64_t>{-1, 0, 1}));
}

TEST(GridCell, D_DOM_2_NaNAndWhatIsFarAwayHaveTheirCells) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto last = std::int64_t{1} << 52;
  EXPECT_EQ(cells(0, 1, {nan, inf, -inf, 1e300}),
            (Dataset<std::int64_t>{kMissingCell, last, -last, last}));
  EXPECT_EQ(cells(-1e308, 1e308, {1.7e308}), (Dataset<std::int64_t>{last}));
}

TEST(GridCell, RefusesWhatIsNoGrid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Domain rows = vector_of(default_atom(AtomType::f64));
  for (const auto& [origin, width] : {std::pair{0.0, 0.0}, {0.0, -1.0}, {nan, 1.0}, {0.0, nan}}) {
    expect_error(ErrorKind::make_transformation,
                 [&, o = origin, w = width] { make_grid_cell(rows, symmetric_distance(), o, w); });
  }
  expect_error(ErrorKind::type, [] {
    make_grid_cell(vector_of(default_atom(AtomType::i32)), symmetric_distance(), 0, 1);
  });
}

}  // namespace
}  // namespace dp::test::grid_cell_test

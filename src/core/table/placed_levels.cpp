#include "core/table/placed_levels.h"

#include <memory>
#include <string>
#include <utility>

#include "core/data/frame.h"
#include "core/error.h"
#include "core/table/each_cell.h"
#include "core/table/prepare.h"
#include "core/table/present_cell.h"
#include "core/table/sized_columns.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

void check_levels_of(const std::vector<ColumnSpec>& columns, std::uint64_t n) {
  check_column_specs(columns);
  for (const ColumnSpec& column : columns) {
    if (!column.whole) throw Error(ErrorKind::make_transformation, "levels must be whole numbers.");
  }
  if (n == 0) throw Error(ErrorKind::make_transformation, "there must be at least one row.");
}

ColumnPtr places_of_levels(const ColumnPtr& rows,
                           const ColumnPreparation& preparation,
                           LevelGaps gaps) {
  const ColumnSpec& column = preparation.column();
  auto places = std::make_shared<OwnedColumn<double>>(AtomType::f64, rows->size());
  if (gaps == LevelGaps::imputed) {
    preparation.each(rows,
                     [&](double x, std::size_t row) { places->cells()[row] = x - column.lower; });
    return places;
  }
  const PresentCell present(column);
  each_cell<double>(*rows, [&](double x, std::size_t row) {
    places->cells()[row] = present(x).value_or(column.upper + 1) - column.lower;
  });
  return places;
}

}  // namespace

Transformation make_place_levels(const std::vector<ColumnSpec>& columns,
                                 LevelGaps gaps,
                                 std::uint64_t n) {
  check_levels_of(columns, n);
  std::vector<std::string> names;
  for (const ColumnSpec& column : columns) names.push_back(column.name);
  const Metric metric = change_one_distance();
  return Transformation(
      DataFrameDomain{AtomType::string},
      metric,
      DataFrameDomain{AtomType::string},
      metric,
      whole_function(
          [names, prepared = column_preparations(columns), gaps, n](const Value& arg) -> Value {
            const std::vector<ColumnPtr> rows =
                sized_columns(*frame_in(arg), names, n, RowOrder::as_given);
            std::vector<NamedColumn> placed;
            for (std::size_t i = 0; i < names.size(); ++i) {
              placed.emplace_back(Scalar(names[i]), places_of_levels(rows[i], prepared[i], gaps));
            }
            return std::make_shared<const Frame>(AtomType::string, std::move(placed));
          }),
      constant_map(metric, 1));
}

}  // namespace dp

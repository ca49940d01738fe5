#include "core/table/prepared_columns.h"

#include <limits>
#include <string>

#include "core/table/each_cell.h"
#include "core/table/present_cell.h"
#include "core/table/sized_columns.h"

namespace dp {
namespace {

std::vector<ColumnPtr> columns_at_random(const Frame& frame,
                                         const std::vector<ColumnPreparation>& columns,
                                         std::optional<std::size_t> rows) {
  std::vector<std::string> names;
  for (const ColumnPreparation& column : columns) names.push_back(column.name());
  return sized_columns(frame, names, rows, RowOrder::random);
}

}  // namespace

std::vector<std::vector<double>> prepared_columns(const Frame& frame,
                                                  const std::vector<ColumnPreparation>& columns,
                                                  std::optional<std::size_t> rows) {
  const std::vector<ColumnPtr> sized = columns_at_random(frame, columns, rows);
  std::vector<std::vector<double>> all;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<double>& cells = all.emplace_back(sized[c]->size());
    columns[c].each(sized[c], [&](double x, std::size_t row) { cells[row] = x; });
  }
  return all;
}

std::vector<std::vector<double>> complete_columns(const Frame& frame,
                                                  const std::vector<ColumnPreparation>& columns,
                                                  std::optional<std::size_t> rows) {
  const std::vector<ColumnPtr> sized = columns_at_random(frame, columns, rows);
  std::vector<bool> complete(sized.empty() ? 0 : sized.front()->size(), true);
  std::vector<std::vector<double>> all;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PresentCell present(columns[c].column());
    std::vector<double>& cells = all.emplace_back(sized[c]->size());
    each_cell<double>(*sized[c], [&](double x, std::size_t row) {
      const std::optional<double> cell = present(x);
      cells[row] = cell.value_or(0);
      if (!cell) complete[row] = false;
    });
  }
  for (std::vector<double>& cells : all) {
    for (std::size_t row = 0; row < cells.size(); ++row) {
      if (!complete[row]) cells[row] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return all;
}

}  // namespace dp

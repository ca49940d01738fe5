#include "core/table/prepared_columns.h"

#include <string>

#include "core/table/sized_columns.h"

namespace dp {

std::vector<std::vector<double>> prepared_columns(const Frame& frame,
                                                  const std::vector<ColumnPreparation>& columns,
                                                  std::optional<std::size_t> rows) {
  std::vector<std::string> names;
  for (const ColumnPreparation& column : columns) names.push_back(column.name());
  const std::vector<ColumnPtr> sized = sized_columns(frame, names, rows, RowOrder::random);
  std::vector<std::vector<double>> all;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<double>& cells = all.emplace_back(sized[c]->size());
    columns[c].each(sized[c], [&](double x, std::size_t row) { cells[row] = x; });
  }
  return all;
}

}  // namespace dp

#include "core/table/prepared_columns.h"

#include "core/table/each_cell.h"
#include "core/table/prepared_cell.h"
#include "core/table/sized_columns.h"

namespace dp {

std::vector<std::vector<double>> prepared_columns(const Frame& frame,
                                                  const std::vector<ColumnSpec>& columns,
                                                  std::optional<std::size_t> rows,
                                                  BitSource& bits) {
  std::vector<std::vector<double>> all;
  const std::vector<ColumnPtr> sized = sized_columns(frame, columns, rows, RowOrder::random);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnSpec& column = columns[c];
    const PreparedCell prepared(column, lattice_for(column.impute_lower, column.impute_upper));
    std::vector<double>& cells = all.emplace_back(sized[c]->size());
    each_cell<double>(*sized[c], [&](double x, std::size_t i) { cells[i] = prepared(x, bits); });
  }
  return all;
}

}  // namespace dp

#include "core/expressions/row_batch.h"

#include <utility>

namespace dp::query {
namespace {

template <class T>
void take_cells(std::vector<T>& cells, const std::vector<std::uint32_t>& rows) {
  if (cells.empty()) return;
  std::vector<T> taken(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) taken[i] = cells[rows[i]];
  cells = std::move(taken);
}

}  // namespace

void take_rows(RowBatch& batch, const std::vector<std::uint32_t>& rows) {
  for (Cells& column : batch.columns) {
    take_cells(column.wholes, rows);
    take_cells(column.reals, rows);
  }
  if (batch.id_width > 0) {
    std::vector<std::uint64_t> ids;
    ids.reserve(rows.size() * batch.id_width);
    for (const std::uint32_t row : rows) {
      const auto at = batch.ids.begin() + static_cast<std::ptrdiff_t>(row * batch.id_width);
      ids.insert(ids.end(), at, at + static_cast<std::ptrdiff_t>(batch.id_width));
    }
    batch.ids = std::move(ids);
    take_cells(batch.id_hashes, rows);
    take_cells(batch.dropped, rows);
  }
  batch.size = rows.size();
}

}  // namespace dp::query

// Reading private rows one by one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/data/column.h"

namespace dp {

// Calls visit(cell, index) for each row, in order.
template <class T, class F>
void each_cell(const Column& rows, F&& visit) {
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    buffer.clear_text();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) visit(batch.template as<T>()[i], begin + i);
  }
}

}  // namespace dp

// Reading private rows one by one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/engine/rows.h"

namespace dp {

// Calls visit(cell, index) for each row, in order.
template <class T, class F>
void each_cell(const Rows& rows, F&& visit) {
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    buffer.clear_text();
    const Block block = rows.read(begin, std::min(kBlockRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < block.size; ++i) visit(block.template as<T>()[i], begin + i);
  }
}

}  // namespace dp

// Reading private rows one by one, once they are known to be in the domain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/domains/domain.h"
#include "core/engine/rows.h"
#include "core/numeric/limits.h"
#include "core/table/each_cell.h"

namespace dp {

// Refuses nulls, NaN and, if `size` is set, another number of rows: before anything is drawn.
template <class T>
void check_member_rows(const Rows& rows, std::optional<std::uint64_t> size) {
  if (size && rows.size() != *size) refuse_nonmember();
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    buffer.clear_text();
    const Block block = rows.read(begin, std::min(kBlockRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < block.size; ++i) {
      if (block.valid != nullptr && block.valid[i] == 0) refuse_nonmember();
      if constexpr (kIsFloat<T>) {
        if (std::isnan(block.template as<T>()[i])) refuse_nonmember();
      }
    }
  }
}

}  // namespace dp

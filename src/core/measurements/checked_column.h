// Reading private rows one by one, once they are known to be in the domain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/data/column.h"
#include "core/domains/domain.h"
#include "core/numeric/limits.h"
#include "core/table/each_cell.h"

namespace dp {

// Throws for nulls, NaN and, if `size` is set, a different number of rows, before any draw.
template <class T>
void check_member_column(const Column& rows, std::optional<std::uint64_t> size) {
  if (size && rows.size() != *size) refuse_nonmember();
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    buffer.clear_text();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (batch.valid != nullptr && batch.valid[i] == 0) refuse_nonmember();
      if constexpr (kIsFloat<T>) {
        if (std::isnan(batch.template as<T>()[i])) refuse_nonmember();
      }
    }
  }
}

}  // namespace dp

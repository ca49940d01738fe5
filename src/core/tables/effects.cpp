#include "core/tables/effects.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/limits.h"

namespace dp::tables {

std::size_t cells_of(const Shape& shape) {
  std::size_t cells = 1;
  for (const std::size_t size : shape) {
    if (size == 0) throw Error(ErrorKind::unsupported, "a column of a table needs a cell.");
    if (size > limits::kCells / cells) {
      throw Error(ErrorKind::unsupported,
                  "a table must have at most " + std::to_string(limits::kCells) +
                      " cells. Use fewer columns, levels or bins.");
    }
    cells *= size;
  }
  return cells;
}

Shape kept_shape(const Shape& shape, const std::vector<bool>& kept) {
  Shape result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (kept[i]) result.push_back(shape[i]);
  }
  return result;
}

std::size_t kept_cell(std::size_t cell, const Shape& shape, const std::vector<bool>& kept) {
  std::size_t kept_index = 0;
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (kept[i]) {
      kept_index += stride * (cell % shape[i]);
      stride *= shape[i];
    }
    cell /= shape[i];
  }
  return kept_index;
}

std::vector<int128_t> margin(const std::vector<int128_t>& counts,
                             const Shape& shape,
                             const std::vector<bool>& kept) {
  std::vector<int128_t> sums(cells_of(kept_shape(shape, kept)), 0);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    sums[kept_cell(cell, shape, kept)] += counts[cell];
  }
  return sums;
}

std::vector<int128_t> scaled_effect(std::vector<int128_t> counts, const Shape& shape) {
  std::size_t inner = counts.size();
  for (const std::size_t size : shape) {
    inner /= size;
    for (std::size_t block = 0; block < counts.size(); block += size * inner) {
      for (std::size_t at = block; at < block + inner; ++at) {
        int128_t sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += counts[at + k * inner];
        for (std::size_t k = 0; k < size; ++k) {
          int128_t& count = counts[at + k * inner];
          count = static_cast<int128_t>(size) * count - sum;
        }
      }
    }
  }
  return counts;
}

EffectNorms effect_norms(const Shape& shape) {
  EffectNorms norms;
  for (const std::size_t size : shape) {
    norms.l1 *= 2 * (Integer(size) - 1);
    norms.l2_squared *= Integer(size) * (Integer(size) - 1);
  }
  if (shape.empty() || norms.l2_squared == 0) return norms;
  const Integer least = *std::min_element(shape.begin(), shape.end());
  norms.replaced_l2_squared = 2 * norms.l2_squared * least / (least - 1);
  return norms;
}

}  // namespace dp::tables

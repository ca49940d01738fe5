#include "core/tables/rebuilt.h"

#include <cmath>

namespace dp::tables {
namespace {

// P_A of a vector: subtracts means along each column.
std::vector<double> centred_along(std::vector<double> numbers, const Shape& shape) {
  std::size_t inner = numbers.size();
  for (const std::size_t size : shape) {
    inner /= size;
    for (std::size_t block = 0; block < numbers.size(); block += size * inner) {
      for (std::size_t at = block; at < block + inner; ++at) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += numbers[at + k * inner];
        const double mean = sum / static_cast<double>(size);
        for (std::size_t k = 0; k < size; ++k) numbers[at + k * inner] -= mean;
      }
    }
  }
  return numbers;
}

// Adds an effect to all cells of the table whose kept columns agree with its cell.
void add_spread(std::vector<double>& cells,
                const Shape& shape,
                const std::vector<bool>& kept,
                const std::vector<double>& numbers,
                double factor) {
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    cells[cell] += factor * numbers[kept_cell(cell, shape, kept)];
  }
}

}  // namespace

RebuiltTable rebuilt_table(const Shape& shape, const std::vector<NoisyEffect>& effects) {
  RebuiltTable table{std::vector<double>(cells_of(shape), 0), 0};
  double variance = 0;
  for (const NoisyEffect& effect : effects) {
    double scale = 1;   // f_A
    double others = 1;  // product of the other columns
    double kept = 1;    // prod (1 - 1 / n_i)
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const double size = static_cast<double>(shape[i]);
      (effect.kept[i] ? scale : others) *= size;
      if (effect.kept[i]) kept *= 1 - 1 / size;
    }
    const std::vector<double> numbers =
        centred_along(effect.numbers, kept_shape(shape, effect.kept));
    add_spread(table.estimates, shape, effect.kept, numbers, 1 / (scale * others));
    const double sigma = effect.deviation / scale;
    variance += sigma * sigma * kept / (others * others);
  }
  table.deviation = std::sqrt(variance);
  return table;
}

}  // namespace dp::tables

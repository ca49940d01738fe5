// Tables rebuilt from noisy effects: postprocessing of a release, which reads no data.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tables/effects.h"

namespace dp::tables {

// A noisy scaled effect of a table: its columns, and the deviation of the noise in each cell.
struct NoisyEffect {
  std::vector<bool> kept;  // columns of the table that the effect has
  std::vector<double> numbers;
  double deviation;
};

struct RebuiltTable {
  std::vector<double> estimates;  // unbiased and real; sums agree with every other table
  double deviation;               // the same for each cell
};

// `effects`: one for each set of columns with several cells, the total included. Estimates are
// sums of P_A / f_A of the numbers, spread evenly over the other columns. Rounding is to nearest.
RebuiltTable rebuilt_table(const Shape& shape, const std::vector<NoisyEffect>& effects);

}  // namespace dp::tables

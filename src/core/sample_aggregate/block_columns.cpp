#include "core/sample_aggregate/block_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/measurements/member_rows.h"
#include "core/numeric/lattice.h"
#include "core/random/uniform.h"
#include "core/transformations/arrange.h"

namespace dp {
namespace {

double draw(const BoundedColumn& column, BitSource& bits) {
  const Lattice lattice =
      column.whole ? Lattice{0} : lattice_for(column.impute_lower, column.impute_upper);
  const auto place = [&](double x) {
    return column.whole ? static_cast<std::int64_t>(x) : lattice.index(x);
  };
  const std::int64_t first = place(column.impute_lower);
  const auto count = static_cast<std::uint64_t>(place(column.impute_upper) - first) + 1;
  const auto steps = first + static_cast<std::int64_t>(uniform_below(count, bits));
  return column.whole ? static_cast<double>(steps) : lattice.value(int128_t{steps});
}

double cell(double x, const BoundedColumn& column, BitSource& bits) {
  if (std::isnan(x) || (column.whole && std::isinf(x))) x = draw(column, bits);
  return std::clamp(column.whole ? std::trunc(x) : x, column.lower, column.upper);
}

}  // namespace

std::vector<std::vector<double>> block_columns(const Frame& frame,
                                               const std::vector<BoundedColumn>& columns,
                                               std::optional<std::size_t> rows,
                                               BitSource& bits) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> all;
  std::vector<std::size_t> places;
  for (const BoundedColumn& column : columns) {
    const RowsPtr given = frame.column(Scalar(column.name), AtomType::f64);
    const std::size_t size = rows.value_or(given->size());
    if (places.empty()) places = places_at_random(std::max(given->size(), size));
    if (places.size() != std::max(given->size(), size)) refuse_nonmember();
    const RowsPtr arranged = arrange(*given, places, size, Scalar(missing));
    std::vector<double>& cells = all.emplace_back(size);
    each_cell<double>(*arranged,
                      [&](double x, std::size_t i) { cells[i] = cell(x, column, bits); });
  }
  return all;
}

}  // namespace dp

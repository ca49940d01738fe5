#include "core/table/prepared_cell.h"

#include <algorithm>
#include <cmath>

#include "core/random/uniform.h"

namespace dp {

PreparedCell::PreparedCell(const ColumnSpec& column, Lattice lattice)
    : lower_(column.lower), upper_(column.upper), whole_(column.whole), lattice_(lattice) {
  first_ = place(column.impute_lower);
  count_ = static_cast<std::uint64_t>(place(column.impute_upper) - first_) + 1;
}

bool PreparedCell::is_missing(double x) const { return std::isnan(x) || (whole_ && std::isinf(x)); }

double PreparedCell::value_of(double x) const {
  return std::clamp(whole_ ? std::trunc(x) : x, lower_, upper_);
}

double PreparedCell::operator()(double x, BitSource& bits) const {
  return value_of(is_missing(x) ? draw(bits) : x);
}

std::int64_t PreparedCell::place(double x) const {
  return whole_ ? static_cast<std::int64_t>(x) : lattice_.index(x);
}

double PreparedCell::draw(BitSource& bits) const {
  const std::int64_t drawn = first_ + static_cast<std::int64_t>(uniform_below(count_, bits));
  return whole_ ? static_cast<double>(drawn) : lattice_.value(int128_t{drawn});
}

}  // namespace dp

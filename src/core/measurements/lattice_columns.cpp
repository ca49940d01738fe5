#include "core/measurements/lattice_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/measurements/refuse.h"
#include "core/random/uniform.h"
#include "core/transformations/arrange.h"

namespace dp {
namespace {

// The finest lattice has 51 bits; sums of 2^40 products of 40 bits fit 128.
constexpr int kDroppedBits = 11;

std::vector<std::int64_t> read_column(const ColumnRule& rule, const Rows& rows, BitSource& bits) {
  std::vector<std::int64_t> integers;
  integers.reserve(rows.size());
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    const std::size_t size = std::min(kBlockRows, rows.size() - begin);
    const Block block = rows.read(begin, size, buffer);
    for (std::size_t i = 0; i < size; ++i) integers.push_back(rule(block.as<double>()[i], bits));
  }
  return integers;
}

}  // namespace

ColumnRule::ColumnRule(const BoundedColumn& column) : column_(column) {
  lattice_ = {lattice_for(column.lower, column.upper).exponent + kDroppedBits};
  if (column.whole) lattice_.exponent = std::max(lattice_.exponent, 0);
  lowest_ = lattice_.index(column.lower);
  width_ = lattice_.index(column.upper) - lowest_;
  impute_from_ = draw_place(column.impute_lower);
  impute_count_ = static_cast<std::uint64_t>(draw_place(column.impute_upper) - impute_from_) + 1;
  if (width_ <= 0 || lattice_.exponent < -500 || lattice_.exponent > 450) {
    refuse_measurement(
        "bounds must have room for different values, of a magnitude whose square is a double.");
  }
}

std::int64_t ColumnRule::operator()(double x, BitSource& bits) const {
  if (std::isnan(x) || (column_.whole && std::isinf(x))) return place(draw(bits));
  return place(column_.whole ? std::trunc(x) : x);
}

std::int64_t ColumnRule::place(double x) const {
  return lattice_.index(std::clamp(x, column_.lower, column_.upper)) - lowest_;
}

// Imputed values lie on the lattice, or among the whole numbers where that is coarser than they.
std::int64_t ColumnRule::draw_place(double x) const {
  return column_.whole ? static_cast<std::int64_t>(x) : lattice_.index(x);
}

double ColumnRule::draw(BitSource& bits) const {
  const auto drawn = impute_from_ + static_cast<std::int64_t>(uniform_below(impute_count_, bits));
  return column_.whole ? static_cast<double>(drawn) : lattice_.value(int128_t{drawn});
}

std::vector<ColumnRule> column_rules(const std::vector<BoundedColumn>& columns) {
  check_bounded_columns(columns);
  return std::vector<ColumnRule>(columns.begin(), columns.end());
}

std::vector<std::vector<std::int64_t>> integer_columns(const std::vector<ColumnRule>& rules,
                                                       const Frame& frame,
                                                       std::size_t n,
                                                       BitSource& bits) {
  std::vector<std::vector<std::int64_t>> columns;
  std::vector<std::size_t> places;
  const double missing = std::numeric_limits<double>::quiet_NaN();
  for (const ColumnRule& rule : rules) {
    RowsPtr rows = frame.column(Scalar(rule.name()), AtomType::f64);
    if (rows->size() != n) {
      if (places.empty()) places = places_at_random(std::max<std::size_t>(rows->size(), n));
      rows = arrange(*rows, places, n, Scalar(missing));
    }
    columns.push_back(read_column(rule, *rows, bits));
  }
  return columns;
}

}  // namespace dp

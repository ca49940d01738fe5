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

// Calls `visit(row, x)` for each cell.
template <typename Visit>
void visit_cells(const Rows& rows, Visit visit) {
  BlockBuffer buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    const std::size_t size = std::min(kBlockRows, rows.size() - begin);
    const Block block = rows.read(begin, size, buffer);
    for (std::size_t i = 0; i < size; ++i) visit(begin + i, block.as<double>()[i]);
  }
}

// The columns of the rules, of `n` rows each: superfluous rows are dropped at random, lacking ones
// are missing, in all columns alike.
std::vector<RowsPtr> sized_columns(const std::vector<ColumnRule>& rules,
                                   const Frame& frame,
                                   std::size_t n) {
  std::vector<RowsPtr> columns;
  std::vector<std::size_t> places;
  const double missing = std::numeric_limits<double>::quiet_NaN();
  for (const ColumnRule& rule : rules) {
    RowsPtr rows = frame.column(Scalar(rule.name()), AtomType::f64);
    if (rows->size() != n) {
      if (places.empty()) places = places_at_random(std::max<std::size_t>(rows->size(), n));
      rows = arrange(*rows, places, n, Scalar(missing));
    }
    columns.push_back(rows);
  }
  return columns;
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
  return is_missing(x) ? place(draw(bits)) : place_of(x);
}

bool ColumnRule::is_missing(double x) const {
  return std::isnan(x) || (column_.whole && std::isinf(x));
}

std::int64_t ColumnRule::place_of(double x) const {
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
  const std::vector<RowsPtr> sized = sized_columns(rules, frame, n);
  std::vector<std::vector<std::int64_t>> columns;
  for (std::size_t c = 0; c < rules.size(); ++c) {
    columns.emplace_back(n);
    visit_cells(*sized[c], [&](std::size_t row, double x) { columns[c][row] = rules[c](x, bits); });
  }
  return columns;
}

PresentRows present_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n) {
  const std::vector<RowsPtr> sized = sized_columns(rules, frame, n);
  PresentRows all{{}, std::vector<std::uint8_t>(n, 1)};
  for (std::size_t c = 0; c < rules.size(); ++c) {
    all.columns.emplace_back(n);
    visit_cells(*sized[c], [&](std::size_t row, double x) {
      if (rules[c].is_missing(x)) {
        all.present[row] = 0;
      } else {
        all.columns[c][row] = 2 * rules[c].place_of(x) - rules[c].width();
      }
    });
  }
  return all;
}

}  // namespace dp

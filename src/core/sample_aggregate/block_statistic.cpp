#include "core/sample_aggregate/block_statistic.h"

#include <utility>

#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/sample_aggregate/select.h"

namespace dp {
namespace {

constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;

std::int64_t to_int64(const Integer& i) { return static_cast<std::int64_t>(to_int128(i)); }

// floor(numerator / denominator * 2^shift + 1/2), in int128_t or Integer; nothing may overflow.
template <class I>
I rounded_quotient(I numerator, I denominator, int shift) {
  if (shift >= 0) {
    numerator *= I(1) << shift;
  } else {
    denominator *= I(1) << -shift;
  }
  numerator = 2 * numerator + denominator;
  denominator *= 2;
  const I quotient = numerator / denominator;
  const I remainder = numerator % denominator;
  return remainder < 0 ? I(quotient - 1) : quotient;
}

// The largest variance of `size` numbers in [0, 1], with divisor size - 1.
Rational largest_variance(std::size_t size) {
  const Rational m = size;
  return size % 2 == 0 ? Rational(m / (4 * (m - 1))) : Rational((m + 1) / (4 * m));
}

// The range of results between the bounds of the rows, on the lattice of these bounds or, if that
// is finer, the lattice of the rows: means of whole numbers are not whole.
LatticeRange range_like(const LatticeRange& rows) {
  const Lattice lattice = lattice_for(rows.lattice.value(int128_t{rows.lower}),
                                      rows.lattice.value(int128_t{rows.upper}));
  if (lattice.exponent >= rows.lattice.exponent || rows.width() == 0) return rows;
  const std::int64_t ratio = std::int64_t{1} << (rows.lattice.exponent - lattice.exponent);
  return {lattice, rows.lower * ratio, rows.upper * ratio};
}

// Results from 0 to `upper`, on the lattice of these bounds.
LatticeRange range_up_to(const Rational& upper) {
  const Lattice lattice = lattice_for(0, to_double_up(upper));
  return {lattice, 0, to_int64(ceil(upper / power_of_two(lattice.exponent)))};
}

}  // namespace

BlockFunction parse_block_function(const std::string& name) {
  if (name == "mean") return BlockFunction::mean;
  if (name == "median") return BlockFunction::median;
  if (name == "var") return BlockFunction::variance;
  throw Error(ErrorKind::type_parse, "a function of blocks must be mean, median or var.");
}

LatticeRange range_of_rows(const AtomDomain& atom) {
  if (atom.type != AtomType::f64 && atom.type != AtomType::i64) {
    throw Error(ErrorKind::type, "rows must be of type f64 or i64.");
  }
  if (!atom.bounds) {
    throw Error(ErrorKind::make_transformation, "input_domain must have bounds.");
  }
  if (atom.type == AtomType::f64) {
    const double lower = std::get<double>(atom.bounds->lower);
    const double upper = std::get<double>(atom.bounds->upper);
    const Lattice lattice = lattice_for(lower, upper);
    return {lattice, lattice.index(lower), lattice.index(upper)};
  }
  const auto lower = std::get<std::int64_t>(atom.bounds->lower);
  const auto upper = std::get<std::int64_t>(atom.bounds->upper);
  if (lower < -kLargestInteger || upper > kLargestInteger) {
    throw Error(ErrorKind::make_transformation,
                "bounds of integers must be between -2^53 and 2^53.");
  }
  return {{0}, lower, upper};
}

BlockStatistic::BlockStatistic(BlockFunction function,
                               const LatticeRange& rows,
                               const BlockShape& shape)
    : function_(function), rows_(rows), range_(rows) {
  if (function == BlockFunction::variance) {
    if (shape.smallest() < 2) {
      throw Error(ErrorKind::make_transformation, "a variance needs blocks of at least two rows.");
    }
    const Rational width = Rational(rows.width()) * power_of_two(rows.lattice.exponent);
    range_ = range_up_to(Rational(width * width) * largest_variance(shape.smallest()));
  } else {
    range_ = range_like(rows);
  }
  const Integer width = rows.width();
  const Integer m = function == BlockFunction::median ? 1 : shape.smallest();
  const int power = function == BlockFunction::variance ? 2 : 1;
  const Rational moves = Rational(power == 2 ? Integer(width * width) : width) / Rational(m);
  const Integer steps = ceil(Rational(moves * power_of_two(shift(power))));
  sensitivity_ = steps < range_.width() ? to_int64(steps) : range_.width();
}

std::int64_t BlockStatistic::operator()(std::int64_t* rows, std::size_t size) const {
  if (function_ == BlockFunction::median) return median(rows, size);
  const auto all = [&](auto sums) {
    for (std::size_t i = 0; i < size; ++i) {
      sums.add(static_cast<std::uint64_t>(rows[i] - rows_.lower));
    }
    return (*this)(sums);
  };
  return function_ == BlockFunction::mean ? all(BlockSum()) : all(BlockSquares());
}

std::int64_t BlockStatistic::operator()(const BlockSum& above) const {
  const int128_t origin = static_cast<int128_t>(above.count) * rows_.lower;
  return mean(static_cast<int128_t>(above.sum) + origin, above.count);
}

std::int64_t BlockStatistic::operator()(const BlockSquares& above) const {
  const Integer squares = (Integer(above.carries) << 128) + Integer(above.squares);
  return variance(Integer(above.sum), squares, above.count);
}

std::int64_t BlockStatistic::operator()(const BlockMoments& moments) const {
  if (function_ == BlockFunction::mean) return mean(moments.sum, moments.count);
  return variance(to_integer(moments.sum), moments.squares, moments.count);
}

// |sum| < 2^115: below 2^53 steps in each of fewer than 2^62 rows; with the shift, as much again.
std::int64_t BlockStatistic::mean(int128_t sum, std::size_t count) const {
  return static_cast<std::int64_t>(
      rounded_quotient<int128_t>(sum, static_cast<int128_t>(count), shift(1)));
}

// (m Q - S^2) / (m (m - 1)), S and Q the sums of the rows and of their squares, whatever all rows
// are counted from.
std::int64_t BlockStatistic::variance(const Integer& sum,
                                      const Integer& squares,
                                      std::size_t count) const {
  const Integer m = count;
  return to_int64(rounded_quotient<Integer>(m * squares - sum * sum, m * (m - 1), shift(2)));
}

std::int64_t BlockStatistic::median(std::int64_t* rows, std::size_t size) const {
  auto middle = std::make_pair(rows[0], rows[0]);
  if (size > 1) middle = select_neighbours(rows, size, size / 2);
  const auto [lower, upper] = middle;
  const int128_t twice = int128_t{size % 2 == 1 ? upper : lower} + upper;
  return static_cast<std::int64_t>(rounded_quotient<int128_t>(twice, 2, shift(1)));
}

// From steps of the rows' lattice, to this power, to steps of the results'.
int BlockStatistic::shift(int power) const {
  return power * rows_.lattice.exponent - range_.lattice.exponent;
}

}  // namespace dp

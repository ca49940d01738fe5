#include "core/query/quantise.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/numeric/lattice.h"

namespace dp::query {
namespace {

// Lattice::index(), with its factor.
std::int64_t index_at(double x, double factor) {
  const double shifted = x * factor + kLatticeShift;
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  return static_cast<std::int64_t>(bits - kLatticeShiftBits);
}

// Whole numbers on the lattice of whole numbers need no doubles.
bool stays_whole(const Quantiser& quantiser) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return quantiser.exponent == 0 && std::fabs(quantiser.lower) <= kExact &&
         std::fabs(quantiser.upper) <= kExact;
}

}  // namespace

std::vector<std::int64_t> quantised(const Quantiser& quantiser, const Cells& cells, bool real) {
  // By value, and without references: so that all of it stays in registers.
  const std::int64_t missing = quantiser.fill.value_or(kNone);
  const double factor = Lattice{quantiser.exponent}.reciprocal();
  const auto held = [offset = quantiser.offset, least = quantiser.least, most = quantiser.most](
                        std::int64_t index) {
    const std::int64_t z = index - offset;
    const std::int64_t raised = z < least ? least : z;
    return raised > most ? most : raised;
  };
  const auto of_real = [=, least = quantiser.lower, most = quantiser.upper](double x) {
    const double raised = x < least ? least : x;
    const std::int64_t z = held(index_at(raised > most ? most : raised, factor));
    return x == x ? z : missing;
  };
  const std::size_t rows = real ? cells.reals.size() : cells.wholes.size();
  std::vector<std::int64_t> z(rows);
  if (real) {
    for (std::size_t i = 0; i < rows; ++i) z[i] = of_real(cells.reals[i]);
  } else if (stays_whole(quantiser)) {
    const auto lower = static_cast<std::int64_t>(std::ceil(quantiser.lower));
    const auto upper = static_cast<std::int64_t>(std::floor(quantiser.upper));
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t x = cells.wholes[i];
      z[i] = x == kNone ? missing : held(std::min(std::max(x, lower), upper));
    }
  } else {
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t x = cells.wholes[i];
      z[i] = x == kNone ? missing : of_real(static_cast<double>(x));
    }
  }
  return z;
}

}  // namespace dp::query

#include "core/query/quantise.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/numeric/lattice.h"
#include "core/transformations/sums/lattice_kernels.h"

namespace dp::query {
namespace {

// Lattice::index(), with a precomputed factor.
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

// Whether clamping the values to their bounds makes clamping the points unnecessary.
bool ends_at_bounds(const Quantiser& quantiser, double factor) {
  return index_at(quantiser.lower, factor) - quantiser.offset == quantiser.least &&
         index_at(quantiser.upper, factor) - quantiser.offset == quantiser.most;
}

void quantise_reals(const Quantiser& quantiser,
                    double factor,
                    const std::vector<double>& reals,
                    std::vector<std::int64_t>& z) {
  const LatticeRule rule{quantiser.lower, quantiser.upper, factor};
  lattice_kernels().index(reals.data(), reals.size(), rule, z.data());
  const std::int64_t missing = quantiser.fill.value_or(kNone);
  const std::int64_t offset = quantiser.offset;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const std::int64_t found = z[i] - offset;
    z[i] = reals[i] == reals[i] ? found : missing;
  }
}

}  // namespace

std::vector<std::int64_t> quantised(const Quantiser& quantiser, const Cells& cells, bool real) {
  // Copies by value, so that all of it stays in registers.
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
  if (real && ends_at_bounds(quantiser, factor)) {
    quantise_reals(quantiser, factor, cells.reals, z);
  } else if (real) {
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

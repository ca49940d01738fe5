#include "core/sample_aggregate/block_output.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

LatticeRange range_between(double lower, double upper) {
  const Lattice lattice = lattice_for(lower, upper);
  return {lattice, lattice.index(lower), lattice.index(upper)};
}

// Two numbers d steps apart may round, ties to even, to floor(d) + 1 steps apart: 0.5 and 1.5 to 0
// and 2. A failure goes to the middle, from wherever the number was.
std::int64_t steps_of(const std::optional<double>& sensitivity, const LatticeRange& range) {
  if (!sensitivity) return range.width();
  if (!(*sensitivity >= 0)) {
    throw Error(ErrorKind::make_transformation, "sensitivity must not be negative.");
  }
  if (std::isinf(*sensitivity)) return range.width();
  const Integer steps =
      floor(exact_rational(*sensitivity) / power_of_two(range.lattice.exponent)) + 1;
  if (steps >= range.width()) return range.width();
  return std::max(static_cast<std::int64_t>(steps), range.width() - range.width() / 2);
}

}  // namespace

BlockOutput::BlockOutput(double lower, double upper, std::optional<double> promised)
    : range(range_between(lower, upper)),
      sensitivity(steps_of(promised, range)),
      lower_(lower),
      upper_(upper) {}

BlockOutput::BlockOutput(const LatticeRange& given, std::int64_t steps)
    : range(given),
      sensitivity(std::min(steps, given.width())),
      lower_(given.lattice.value(int128_t{given.lower})),
      upper_(given.lattice.value(int128_t{given.upper})) {}

double BlockOutput::move(std::uint32_t blocks) const {
  return to_double_up(Rational(Integer(Integer(blocks) * sensitivity)));
}

std::int64_t BlockOutput::steps(double x) const {
  if (std::isnan(x)) return range.lower + range.width() / 2;
  return range.lattice.index(std::min(std::max(x, lower_), upper_));
}

}  // namespace dp

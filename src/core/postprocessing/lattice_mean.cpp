#include "core/postprocessing/lattice_mean.h"

#include <algorithm>
#include <limits>

#include "core/numeric/rational.h"

namespace dp {

Function lattice_mean(Lattice total, std::uint64_t count, Lattice mean) {
  const Rational ratio = power_of_two(total.exponent - mean.exponent) / Rational(count);
  const Integer largest =
      floor(exact_rational(std::numeric_limits<double>::max()) / power_of_two(mean.exponent));
  return whole_function([ratio, largest, mean](const Value& value) -> Value {
    const Integer sum = to_integer(element_in<int128_t>(value));
    const Integer steps = round_half_up(Rational(sum) * ratio);
    return Scalar(mean.value(std::clamp<Integer>(steps, -largest, largest)));
  });
}

}  // namespace dp

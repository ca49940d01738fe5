#include "core/random/discrete_laplace.h"

#include <limits>

#include "core/error.h"
#include "core/random/geometric.h"

namespace dp {

Integer discrete_laplace(const Rational& scale, BitSource& bits) {
  if (scale < 0) throw Error(ErrorKind::failed_function, "`scale` must not be negative.");
  if (scale == 0) return 0;
  const Rational rate = 1 / scale;
  for (;;) {
    const bool negative = bits.bit();
    const Integer magnitude = geometric(rate, bits);
    if (!negative) return magnitude;
    if (magnitude != 0) return -magnitude;  // a second zero would double its mass
  }
}

DiscreteLaplace::DiscreteLaplace(const Rational& scale)
    : scale_(scale), fits_int64_(scale <= Rational(std::int64_t{1} << 55)) {
  if (scale < 0) throw Error(ErrorKind::failed_function, "`scale` must not be negative.");
}

Integer DiscreteLaplace::draw(BitSource& bits) const { return discrete_laplace(scale_, bits); }

void DiscreteLaplace::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  for (std::size_t i = 0; i < size; ++i) {
    const Integer drawn = draw(bits);
    if (abs(drawn) > std::numeric_limits<std::int64_t>::max()) {
      throw Error(ErrorKind::overflow, "A noise draw exceeds 64 bits.");
    }
    out[i] = static_cast<std::int64_t>(drawn);
  }
}

}  // namespace dp

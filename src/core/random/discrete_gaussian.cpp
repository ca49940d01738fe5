#include "core/random/discrete_gaussian.h"

#include <limits>

#include "core/error.h"
#include "core/random/bernoulli.h"
#include "core/random/discrete_laplace.h"

namespace dp {

Integer discrete_gaussian(const Rational& sigma, BitSource& bits) {
  if (sigma < 0) throw Error(ErrorKind::failed_function, "`sigma` must not be negative.");
  if (sigma == 0) return 0;
  const Integer a = numerator(sigma);
  const Integer b = denominator(sigma);
  const Integer t = a / b + 1;
  for (;;) {
    const Integer y = discrete_laplace(t, bits);
    // (|y| - sigma^2 / t)^2 / (2 sigma^2) over a common denominator
    const Integer gap = abs(y) * b * b * t - a * a;
    const Integer spread = a * b * t;
    if (bernoulli_exp(gap * gap, 2 * spread * spread, bits)) return y;
  }
}

DiscreteGaussian::DiscreteGaussian(const Rational& sigma)
    : sigma_(sigma), fits_int64_(sigma <= Rational(std::int64_t{1} << 58)) {
  if (sigma < 0) throw Error(ErrorKind::failed_function, "`sigma` must not be negative.");
}

Integer DiscreteGaussian::draw(BitSource& bits) const { return discrete_gaussian(sigma_, bits); }

void DiscreteGaussian::fill(std::int64_t* out, std::size_t size, BitSource& bits) const {
  for (std::size_t i = 0; i < size; ++i) {
    const Integer drawn = draw(bits);
    if (abs(drawn) > std::numeric_limits<std::int64_t>::max()) {
      throw Error(ErrorKind::overflow, "A noise draw exceeds 64 bits.");
    }
    out[i] = static_cast<std::int64_t>(drawn);
  }
}

}  // namespace dp

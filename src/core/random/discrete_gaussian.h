// Discrete Gaussian noise: P[X = x] proportional to exp(-x^2 / (2 sigma^2)).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// One draw by the shortest exact algorithm, for any rational sigma >= 0; sigma 0 gives 0. Throws if
// the sigma is negative. The yardstick of DiscreteGaussian, which has the same law and is faster.
// Source: Canonne, Kamath, Steinke (2020), Algorithm 3.
Integer discrete_gaussian(const Rational& sigma, BitSource& bits);

class DiscreteGaussian {
 public:
  // Throws if `sigma` is negative.
  explicit DiscreteGaussian(const Rational& sigma);

  Integer draw(BitSource& bits) const;

  // True if the sigma is at most 2^58: then a draw leaves the range of int64 with a probability
  // below 2^-700.
  bool fits_int64() const { return fits_int64_; }

  // `size` draws. Needs fits_int64(); throws ErrorKind::overflow in the event excluded there.
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

 private:
  Rational sigma_;
  bool fits_int64_;
};

}  // namespace dp

// Discrete Laplace noise: P[X = x] = (1 - p) / (1 + p) * p^|x| with p = exp(-1 / scale).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// One draw by the shortest exact algorithm, for any rational scale >= 0; scale 0 gives 0. Throws if
// the scale is negative. The yardstick of DiscreteLaplace, which has the same law and is faster.
// Source: Canonne, Kamath, Steinke (2020), Algorithm 2.
Integer discrete_laplace(const Rational& scale, BitSource& bits);

class DiscreteLaplace {
 public:
  // Throws if `scale` is negative.
  explicit DiscreteLaplace(const Rational& scale);

  Integer draw(BitSource& bits) const;

  // True if the scale is at most 2^55: then a draw leaves the range of int64 with a probability
  // below 2^-360.
  bool fits_int64() const { return fits_int64_; }

  // `size` draws. Needs fits_int64(); throws ErrorKind::overflow in the event excluded there.
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

 private:
  Rational scale_;
  bool fits_int64_;
};

}  // namespace dp

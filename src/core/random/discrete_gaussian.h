// Discrete Gaussian noise: P[X = x] proportional to exp(-x^2 / (2 sigma^2)).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"

namespace dp {

// One draw by the shortest exact algorithm, for any rational sigma >= 0; sigma 0 gives 0. Throws if
// sigma is negative. The yardstick of DiscreteGaussian, which has the same law and is faster.
// Source: Canonne, Kamath, Steinke (2020), Algorithm 3.
Integer discrete_gaussian(const Rational& sigma, BitSource& bits);

// The law of discrete_gaussian(), fast, at any sigma and for one draw or many. One: the same
// rejection; a proposal y from the discrete Laplace at t = floor(sigma) + 1 is kept with
// probability exp(-(|y| - sigma^2 / t)^2 / (2 sigma^2)), decided by certified intervals. Many: a
// ziggurat.
class DiscreteGaussian {
 public:
  // Throws if `sigma` is negative.
  explicit DiscreteGaussian(const Rational& sigma);

  Integer draw(BitSource& bits) const;

  // True if sigma is below 2^55: then a draw, or the proposal of one, leaves the range of int64
  // with a probability below 2^-360.
  bool fits_int64() const { return proposal_.fits_int64(); }

  // `size` draws. Throws if fits_int64() is false, and ErrorKind::overflow in the event that it
  // excludes.
  void fill(std::int64_t* out, std::size_t size, BitSource& bits) const;

  // One draw, under the conditions of fill().
  std::int64_t draw_int64(BitSource& bits) const;

 private:
  double standardize(std::uint64_t digits, std::int64_t exponent) const;
  double standardize(std::uint64_t y) const {
    return std::min(static_cast<double>(y) * unit_, kFar);
  }
  template <class I>
  bool keeps(double x, const I& y, BitSource& bits) const;
  std::optional<bool> compare(double x, std::uint64_t word) const;
  bool decide(const Integer& y, std::uint64_t word, BitSource& bits) const;

  // Where |y| / sigma is capped: there the penalty exceeds 2^38, more than -ln U can be while 64
  // bits of U are not all zero.
  static constexpr double kFar = 0x1p20;

  Integer a_;  // sigma = a_ / b_
  Integer b_;
  Integer t_;
  DiscreteLaplace proposal_;
  // 1 / sigma is inverse_ * 2^inverse_exponent_ to a relative 2^-51, inverse_ in [1, 2]
  double inverse_ = 0;
  std::int64_t inverse_exponent_ = 0;
  double unit_ = 0;   // that product, or an end of the range of double
  double shift_ = 0;  // sigma / t to 2^-50
};

}  // namespace dp

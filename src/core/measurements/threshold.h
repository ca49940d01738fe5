// Decides which noisy values are large enough to be released, and bounds the probability for a key
// that a neighbour does not have.
#pragma once

#include <cstdint>

#include "core/numeric/integer.h"

namespace dp {

// A threshold on the grid. Only this class decides which values are kept; mechanism and map use it.
class Threshold {
 public:
  explicit Threshold(Integer at) : at_(std::move(at)) {}

  // At least the threshold; at most, if that is negative.
  bool keeps(const Integer& noisy) const { return at_ < 0 ? noisy <= at_ : noisy >= at_; }

  Integer magnitude() const { return abs(at_); }

  // The least z such that noise of z or more (of -z or less, if the threshold is negative) makes a
  // value of magnitude `linf` be kept; negative if it is kept without.
  Integer reach(const Integer& linf) const { return magnitude() - linf; }

 private:
  Integer at_;
};

// Upper bound of P[Z >= t] for t >= 0 and discrete Laplace noise Z of scale > 0: exp(-t / scale) /
// (1 + exp(-1 / scale)), rounded up.
double laplace_tail(const Integer& t, const Rational& scale);

// At least P[Z >= t] for t >= 0 and discrete Gaussian noise Z of parameter sigma > 0: the lesser of
// two bounds of (sum over z >= t of w(z)) / (sum over all z), w(z) = exp(-z^2 / (2 sigma^2)). The
// denominator is at least 1 and, by Poisson's summation formula, at least sigma sqrt(2 pi).
//
//   w(t) / (1 - w(t + 1) / w(t)) / max(1, sigma sqrt(2 pi))   as w shrinks ever faster
//   density(t / sigma) / sigma + P[N >= t / sigma]            w(t), and the integral from t on
//
// (The reference bounds P[Z > t] where the mechanism keeps Z = t.)
double gaussian_tail(const Integer& t, const Rational& sigma);

// At least the probability that one of n independent events of probability at most `delta` happens,
// 1 - (1 - delta)^n; a multiple of 2^-53, as its last step is a difference from 1.
double any_of(double delta, std::uint32_t n);

}  // namespace dp

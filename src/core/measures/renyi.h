// Renyi differential privacy: a loss for each order alpha > 1, and what follows from it.
#pragma once

#include <functional>

#include "core/numeric/parameters.h"

namespace dp {

// Order of a Renyi divergence: above 1, and maybe infinite. NaN and others are refused with
// invalid_distance.
class RenyiOrder {
 public:
  explicit RenyiOrder(double value)
      : value_(parameters::require(value > 1, value, "`alpha` must be above 1.")) {}
  double value() const { return value_; }

 private:
  double value_;
};

// The largest Renyi divergence of (epsilon, 0)-differentially private releases. Randomized response
// attains it, which tells the truth with probability p = e^epsilon / (1 + e^epsilon), because all
// others are its postprocessing (Kairouz, Oh and Viswanath, 2015). Rounded up:
//
//   ln((sinh(alpha epsilon) - sinh((alpha - 1) epsilon)) / sinh(epsilon)) / (alpha - 1)
//     = ln(p e^t + (1 - p) e^-t) / (alpha - 1)  =  ln(1 + x) / (alpha - 1),
//
//   t = (alpha - 1) epsilon,  x = (e^t - 1) (1 - e^-(t + epsilon)) / (1 + e^-epsilon).
//
// No factor of x loses digits, even for small epsilon, where the divergence is near alpha epsilon^2
// / 2. It is never above epsilon, its value at an infinite order.
//
// Source: Bun and Steinke (2016), Proposition 3.3.
double pure_renyi(Epsilon epsilon, RenyiOrder alpha);

// alpha rho, rounded up. Infinite if it is beyond the doubles.
// Source: Bun and Steinke (2016), Definition 1.1.
double concentrated_renyi(Rho rho, RenyiOrder alpha);

// A delta such that whatever has a Renyi divergence of at most `loss` at the finite order alpha is
// (epsilon, delta)-differentially private, rounded up, in [0, 1]:
//
//   exp((alpha - 1) (loss - epsilon) + alpha ln(1 - 1 / alpha)) / (alpha - 1).
//
// Source: Canonne, Kamath and Steinke (2020), Proposition 12.
double order_delta(RenyiOrder alpha, double loss, Epsilon epsilon);

// order_delta() at the order that makes it smallest, for a curve from alpha to a loss that holds at
// every order. The logarithm of delta is convex in alpha where (alpha - 1) loss is, as it is for
// each Renyi divergence and each sum of such, but not where a caller's curve is none. Every order
// gives a valid delta, so the search is in ordinary floating point, among those with alpha - 1 from
// 2^-30 to 2^60. It starts at 2, and does not go further out than delta falls. A loss of 0 at order
// 2 is none at all, because both laws are the same.
double renyi_delta(const std::function<double(double)>& curve, Epsilon epsilon);

}  // namespace dp

// The optimal loss of composed (epsilon_i, 0)-differentially private releases, from one table of
// probabilities.
//
// The worst (epsilon, 0) release is randomized response: it tells the truth with probability
// e^epsilon / (1 + e^epsilon), and every other release is a postprocessing of it. So a composition
// of releases is a postprocessing of one response per release. Their log-likelihood ratio L is the
// sum of independent +-epsilon_i. The composition is (e, d)-differentially private for every choice
// of the mechanisms if and only if
//
//   d >= E max(0, 1 - exp(e - L))  =  sum over outcomes j of max(0, P_j - e^e Q_j),
//
// where P and Q are the probabilities of j under the two datasets. Outcomes are numbered such that
// flipping all responses reverses their order: Q_j = P_(size - 1 - j), so only P is stored.
//
// Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; Murtagh and Vadhan (2016), Theorem 1.5.
//
// Equal epsilons give a binomial number of truths, and a few distinct epsilons a product of these:
// that table is exact. If it would be too long, losses are put on a grid of step h. The grid
// replaces randomized response by this mechanism: draw one of the two grid points around epsilon
// with public probabilities that keep the mean of tanh(epsilon / 2), then respond at that point.
// Forgetting the drawn point gives the original response, so the mechanism on the grid loses at
// least as much. The excess is of second order in h.
#pragma once

#include <vector>

#include "core/numeric/parameters.h"

namespace dp {

// Up to here e^-epsilon is a normal number. Beyond, it counts as 0.
constexpr double kLargestExponent = 700;

class ComposedLoss {
 public:
  // Throws invalid_distance if one of the epsilons is infinite.
  explicit ComposedLoss(std::vector<double> epsilons);

  // An upper bound of the least delta that makes the composition (epsilon, delta)-private, at
  // most 1. It decreases in epsilon. It is valid but trivial if e^epsilon is not a finite double.
  double delta(Epsilon epsilon) const;

  // Whether the table is exact up to rounding, not on a grid.
  bool is_exact() const { return is_exact_; }

 private:
  void multiply_binomial(double epsilon, std::size_t count);
  void add_on_grid(double epsilon, double step);

  std::vector<double> masses_;  // P, each within a factor of 1 +- roundings_ 2^-52 of the truth
  double roundings_ = 0;
  bool is_exact_ = true;
};

}  // namespace dp

// The loss of releases that are each (epsilon_i, 0)-differentially private, as exactly as
// composition allows: as one table of probabilities.
//
// The worst (epsilon, 0) release is randomized response: it tells the truth with probability
// e^epsilon / (1 + e^epsilon), and every other is a postprocessing of it. So is a composition of
// releases a postprocessing of that many responses, whose log-likelihood ratio L is the sum of
// independent +-epsilon_i, and the composition is (e, d)-differentially private for every choice of
// the mechanisms if and only if
//
//   d >= E max(0, 1 - exp(e - L))  =  sum over outcomes j of max(0, P_j - e^e Q_j),
//
// where P and Q are the probabilities of j under the two datasets. Outcomes are numbered such that
// turning all responses around reverses their order: Q_j = P_(size - 1 - j), so P is all there is.
// Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; Murtagh and Vadhan (2016), Theorem 1.5.
//
// Equal epsilons make a binomial number of truths, and a few different ones a product of these:
// that table is exact. Where it would be too long, losses are put on a grid of step h: randomized
// response is what is left of "draw one of the two grid points around epsilon with public
// probabilities, then respond at that one", if the draw is forgotten and its probabilities keep the
// mean of tanh(epsilon / 2), the advantage of the truth. So the latter loses at least as much, and
// more by terms of second order in h only.
#pragma once

#include <vector>

#include "core/numeric/parameters.h"

namespace dp {

// Up to here e^-epsilon is a normal number; beyond, it is taken for nothing.
constexpr double kLargestExponent = 700;

class ComposedLoss {
 public:
  // Throws invalid_distance if one of the epsilons is infinite.
  explicit ComposedLoss(std::vector<double> epsilons);

  // A delta at or above the least one with which the composition is (epsilon, delta)-private, at
  // most 1. Falls with epsilon; useless, but not wrong, where e^epsilon is no finite double.
  double delta(Epsilon epsilon) const;

  // Whether the table is exact but for rounding, rather than on a grid.
  bool is_exact() const { return is_exact_; }

 private:
  void multiply_binomial(double epsilon, std::size_t count);
  void add_on_grid(double epsilon, double step);

  std::vector<double> masses_;  // P, each within a factor of 1 +- roundings_ 2^-52 of the truth
  double roundings_ = 0;
  bool is_exact_ = true;
};

}  // namespace dp

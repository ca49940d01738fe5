// Selects groups to release by the exact number of people (or rows) in them, with the largest
// probabilities that a loss allows.
//
// Let one person move the number of a group by 1, and let p(n) be the probability to release a
// group of n, p(0) = 0. One step costs (epsilon, delta) if and only if, for each n,
//
//   p(n + 1) <= e^epsilon p(n) + delta,   1 - p(n) <= e^epsilon (1 - p(n + 1)) + delta,
//
// and the same with both sides exchanged, which holds automatically if p does not fall. The optimal
// p has, step by step, the largest p(n + 1) that both allow. It is the truncated geometric law of
// the source.
//
// Here p(n + 1) is that number rounded down. Up to 1/2 it is stored as a double; beyond, 1 - p(n)
// is stored, rounded up. A coin has exactly either probability (random/bernoulli.h). Both
// inequalities hold for these numbers. The first holds because e^epsilon is rounded down. The
// second is p(n + 1) <= 1 - e^-epsilon (1 - p(n) - delta); its right side is rounded down, with
// e^-epsilon rounded up. From p(n) >= (1 - delta) / (e^epsilon + 1) on, and so from 1/2, the second
// implies the first. So the law of the table itself is within (epsilon, delta), without any
// approximation.
//
// A group that moves by s loses (s epsilon, delta (e^(s epsilon) - 1) / (e^epsilon - 1)), by s
// successive steps. Groups are independent, so both add up over groups: epsilon l1 in total. Delta
// is largest if groups move as far as they can, because it is convex in s and 0 at 0. By Bun and
// Steinke (2016), Proposition 1.4 and Section 8, the release of one group is delta-approximately (s
// epsilon)^2 / 2 concentrated; all groups together, epsilon^2 L2^2 / 2.
// Source: Desfontaines, Voss, Gipson and Mandayam (2022), "Differentially Private Partition
// Selection", Theorem 1.
#pragma once

#include <vector>

#include "core/numeric/integer.h"
#include "core/numeric/parameters.h"
#include "core/query/contributions.h"
#include "core/random/bit_source.h"

namespace dp::query {

class KeySelection {
 public:
  // Takes the loss of one step. Throws budget if the table would have more than 2^22 numbers.
  KeySelection(Epsilon epsilon, Delta delta);

  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }

  Rational probability(int128_t n) const;
  bool selects(int128_t n, BitSource& bits) const;

  // The least number of people that is always released.
  std::size_t certain() const { return rises_.size() + falls_.size(); }

  // Loss of all groups together, rounded up.
  double loss(const ContributionBound& bound, bool concentrated) const;
  double delta_of(const ContributionBound& bound) const;

 private:
  void tabulate();

  double epsilon_;
  double delta_;
  std::vector<double> rises_;  // p(n) for n from 0 on, below 1/2
  std::vector<double> falls_;  // 1 - p(n) for those that follow, above 0
};

// The selection whose steps spend the whole loss over all groups together.
KeySelection selection_for(double loss,
                           bool concentrated,
                           Delta delta,
                           const ContributionBound& bound);

}  // namespace dp::query

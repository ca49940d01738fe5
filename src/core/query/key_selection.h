// Groups whose keys are released by the exact number of people (or rows) in them, with the largest
// probabilities that a loss allows.
//
// Let one person move the number of a group by 1, and p(n) be the probability to release a group
// of n, p(0) = 0. What one step costs is (epsilon, delta) if and only if, for each n,
//
//   p(n + 1) <= e^epsilon p(n) + delta,   1 - p(n) <= e^epsilon (1 - p(n + 1)) + delta,
//
// and the same the other way round, which holds by itself if p does not fall. The optimal p has the
// largest p(n + 1) that both allow, step by step; it is the truncated geometric law of its source.
//
// Here p(n + 1) is that number rounded down. Up to 1/2 it is a double; beyond, 1 - p(n) is one,
// rounded up; of both a coin has exactly the probability (random/bernoulli.h). Both inequalities
// hold for these numbers: the first since e^epsilon is taken from below; the second is p(n + 1) <=
// 1 - e^-epsilon (1 - p(n) - delta), of which the right side is computed from below, with
// e^-epsilon from above. From p(n) >= (1 - delta) / (e^epsilon + 1) on, and so from 1/2, the second
// implies the first. So the law of the table itself is within (epsilon, delta), and nothing is
// approximate.
//
// A group that moves by s loses (s epsilon, delta (e^(s epsilon) - 1) / (e^epsilon - 1)), s steps
// one after the other; groups are independent, so both add up over groups: epsilon l1 in all, and
// delta is largest where groups move as far as they can, since it is convex in s and 0 at 0. By
// Bun and Steinke (2016), Proposition 1.4 and Section 8, the release of one group is
// delta-approximately (s epsilon)^2 / 2 concentrated; in all epsilon^2 L2^2 / 2.
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
  // The loss of one step. Throws budget if the table would have more than 2^22 numbers.
  KeySelection(Epsilon epsilon, Delta delta);

  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }

  Rational probability(int128_t n) const;
  bool selects(int128_t n, BitSource& bits) const;

  // The least number that is always released.
  std::size_t certain() const { return rises_.size() + falls_.size(); }

  // Of all groups, rounded up.
  double loss(const Triple& triple, bool concentrated) const;
  double delta_of(const Triple& triple) const;

 private:
  void tabulate();

  double epsilon_;
  double delta_;
  std::vector<double> rises_;  // p(n) for n from 0 on, below 1/2
  std::vector<double> falls_;  // 1 - p(n) for those that follow, above 0
};

// The selection whose steps lose as much as all groups together may.
KeySelection selection_for(double loss, bool concentrated, Delta delta, const Triple& triple);

}  // namespace dp::query

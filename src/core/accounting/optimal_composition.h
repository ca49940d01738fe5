// The joint loss of (epsilon_i, delta_i) releases from the same data, by optimal composition, and
// the split of a budget among them.
//
// For every choice of mechanisms with these parameters, k releases are together (e,
// d)-differentially private if and only if their pure parts are (e, r)-private (composed_loss.h)
// with r = 1 - (1 - d) / prod (1 - delta_i). Later releases may depend on the results of earlier
// ones if the parameters do not. Basic composition, sums of both, is always allowed too.
//
// Source: Murtagh and Vadhan (2016), Theorem 1.5.
//
// All results are rounded toward more loss. Bisections return the certified end.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numeric/parameters.h"

namespace dp {

struct ReleaseLoss {
  Epsilon epsilon;
  Delta delta;
};

// An upper bound of the least epsilon. With a table on a grid, it is too large by at most about one
// percent of the standard deviation of the loss. Throws invalid_distance if no epsilon suffices:
// `target` is below 1 - prod (1 - delta_i).
double optimal_epsilon(const std::vector<ReleaseLoss>& losses, Delta target);

// The least of three formulas, for any number of releases at no cost: with s the sum of squared
// epsilons and m the sum of epsilon tanh(epsilon / 2),
//
//   sum of epsilons,   m + sqrt(2 s ln(e + sqrt(s) / r)),   m + sqrt(2 s ln(1 / r)).
//
// Source: Kairouz, Oh and Viswanath (2015), Theorem 3.5.
double closed_form_epsilon(const std::vector<ReleaseLoss>& losses, Delta target);

// sqrt(2 k ln(1 / slack)) epsilon + k epsilon (exp(epsilon) - 1), rounded up: what `count` releases
// of `epsilon` lose together with a delta of `slack`. Infinite where the exponential is no double.
// Source: Dwork, Rothblum and Vadhan (2010), Theorem III.3.
double advanced_composition(std::uint64_t count, Epsilon epsilon, Delta slack);

// A delta at or above the least one at `epsilon`, at most 1.
double optimal_delta(const std::vector<ReleaseLoss>& losses, Epsilon epsilon);

// Whether the releases together are shown to be (epsilon, delta)-private. Never true if they are
// not.
bool composes_within(const std::vector<ReleaseLoss>& losses, const ReleaseLoss& budget);

// Scales the epsilons of `free` by the largest factor that lets them and `held` compose within
// the
// budget. Deltas do not change. Throws invalid_distance if no positive factor is found.
std::vector<double> scale_to_budget(const std::vector<ReleaseLoss>& free,
                                    const std::vector<ReleaseLoss>& held,
                                    const ReleaseLoss& budget);

}  // namespace dp

// Bounds the error of a query's quantiles, from public facts and noisy counts.
//
//   scores   with probability 1 - alpha, the score of the chosen candidate is at most scale log((m
//            - 1) / alpha) above the least score. Proof: each of the m - 1 other candidates is
//            chosen with probability at most exp(-gap / scale), and permute-and-flip is never worse
//            (McKenna and Sheldon 2020, theorem 2). A score is the fraction's denominator times the
//            distance of ranks. So the rank can be off by the gap over the denominator more than
//            the best candidate's rank.
//   trees    the number of rows below a place, less the probability times the number of all rows,
//            is a weighted sum of the nodes of the consistent tree. At the quantile of a release
//            without noise this sum is 0, so only noise moves it there. Let L be the sum plus the
//            reach of the noise, and H the sum minus it. Pointwise, L >= 0 and H <= 0 at the
//            quantile with probability 1 - alpha. Without noise both increase, so both are
//            rearranged to increase. All cells whose end has L < 0 are below the quantile, and all
//            cells whose beginning has H > 0 are above. No count locates the quantile within its
//            cell, so the interval consists of whole cells.
//            Source: Chernozhukov, Fernandez-Val and Galichon (2009), "Improving point and interval
//            estimators of monotone functions by rearrangement", Biometrika 96.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numeric/parameters.h"
#include "core/query/combined_noise.h"
#include "core/query/noise_law.h"
#include "core/query/noisy_components.h"

namespace dp::query {

// Error bound in rows, rounded to nearest.
double rank_reach(const NoisyComponent& scores,
                  std::size_t candidates,
                  const NoiseLaw& law,
                  Alpha alpha);

// Noise of the estimated row counts below each place of a consistent tree
// (consistent_b_ary_tree.h), if all nodes have independent noise of variance 1. The count below a
// place is A + w R, where R is the estimate of the root and A is not correlated with it.
struct PlaceNoise {
  double variance;  // of A
  double fourth;    // its fourth cumulant, treating uncorrelated noise as independent
  double weight;    // w
};

class TreeNoise {
 public:
  // `fourth` is the fourth cumulant of a node.
  TreeNoise(std::size_t leaves, double fourth);

  // Noise below leaf `leaf`; index `leaves` is the place after the last leaf.
  PlaceNoise below(std::size_t leaf) const;
  double root_variance() const { return layers_.front().front().variance; }
  double root_fourth() const { return layers_.front().front().fourth; }

 private:
  struct Node {
    double variance;
    double fourth;
  };
  std::vector<std::vector<Node>> layers_;  // estimates from a node and all below, the root first
};

// Confidence intervals of quantiles from a consistent tree over cells, for one probability.
class TreeReach {
 public:
  // `cells`: for each cell the least and the greatest value of its rows. `deviation`: standard
  // deviation of a node's noise, in rows.
  TreeReach(const std::vector<Range>& cells,
            const TreeNoise& noise,
            double probability,
            double deviation,
            const CombinedReach& reach);

  // Takes the number of rows below each cell, and the number of all rows.
  Range interval(const std::vector<double>& below) const;

  // Largest rank error of the quantile, in rows.
  double ranks() const;

 private:
  const std::vector<Range>& cells_;
  double probability_;
  std::vector<double> reaches_;
};

}  // namespace dp::query

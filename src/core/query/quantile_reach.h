// How far quantiles of a query may be off, as public facts and noisy counts tell.
//
//   scores   the candidate that is chosen has a score above the least by no more than
//            scale log((m - 1) / alpha), but with a probability of alpha: of m - 1 others each
//            comes with a probability of at most exp(-gap / scale), and permute-and-flip is never
//            worse (McKenna and Sheldon 2020, theorem 2). A score is the fraction's denominator
//            times the distance of ranks: so the rank is off by so many rows more than that of the
//            best.
//   trees    the number of rows below a place, less the probability times the number of all rows,
//            is a weighted sum of the nodes of the consistent tree. At the quantile that a release
//            without noise gives it is 0, so noise alone moves it there. Let L be the sum and how
//            far noise goes, and H the sum less that: pointwise, L >= 0 and H <= 0 at the quantile
//            with probability 1 - alpha. Without noise both increase, so both are rearranged to
//            increase: cells of which the end has L < 0 are below the quantile, as many as there
//            are, and cells of which the begin has H > 0 are above. Where in its cell the quantile
//            lies no count says, so the interval is of whole cells.
//            Source: Chernozhukov, Fernandez-Val and Galichon (2009), "Improving point and interval
//            estimators of monotone functions by rearrangement", Biometrika 96.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numeric/parameters.h"
#include "core/query/combined_noise.h"
#include "core/query/noise_law.h"
#include "core/query/parts.h"

namespace dp::query {

// In rows. Rounding is to nearest.
double rank_reach(const Part& scores, std::size_t candidates, const NoiseLaw& law, Alpha alpha);

// The noise of estimated rows below each place of a consistent tree (consistent_b_ary_tree.h), if
// all nodes have independent noise of variance 1. What is below a place is A + w R: R is the
// estimate of the root, and A is not correlated with it.
struct PlaceNoise {
  double variance;  // of A
  double fourth;    // its fourth cumulant, as if what is not correlated were independent
  double weight;    // w
};

class TreeNoise {
 public:
  // `fourth` is the fourth cumulant of a node.
  TreeNoise(std::size_t leaves, double fourth);

  // Below leaf `leaf`; `leaves` is behind the last.
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

// Intervals of quantiles from a consistent tree over cells, for one probability.
class TreeReach {
 public:
  // Of each cell the least and the greatest value that a row in it may have. `deviation` is the
  // deviation of a node's noise, in rows.
  TreeReach(const std::vector<Range>& cells,
            const TreeNoise& noise,
            double probability,
            double deviation,
            const CombinedReach& reach);

  // From the numbers of rows below each cell, and all.
  Range interval(const std::vector<double>& below) const;

  // The furthest that the rank of the quantile is off, in rows.
  double ranks() const;

 private:
  const std::vector<Range>& cells_;
  double probability_;
  std::vector<double> reaches_;
};

}  // namespace dp::query

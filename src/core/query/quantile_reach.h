// How far quantiles of a query may be off, as public facts and noisy counts tell.
//
//   scores   the candidate that is chosen has a score above the least by no more than
//            scale log((m - 1) / alpha), but with a probability of alpha: of m - 1 others each
//            comes with a probability of at most exp(-gap / scale), and permute-and-flip is never
//            worse (McKenna and Sheldon 2020, theorem 2). A score is the fraction's denominator
//            times the distance of ranks: so the rank is off by so many rows more than that of the
//            best.
//   trees    all nodes are within `far` of the truth together, with a probability of 1 - alpha if
//            each is with 1 - alpha / nodes. Then the number of rows below each point is known to
//            within `far` times the nodes it is the sum of, and the quantile is between the last
//            point with too few rows below it, and the first with enough.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numeric/parameters.h"
#include "core/query/noise_law.h"
#include "core/query/parts.h"

namespace dp::query {

// In rows. Rounding is to nearest.
double rank_reach(const Part& scores, std::size_t candidates, const NoiseLaw& law, Alpha alpha);

// Places of nodes of a tree over so many leaves (root first, layer by layer) with signs, whose sum
// is what the first `before` leaves hold: the fewest of those from the left, or all but those from
// the right.
struct SignedNode {
  std::size_t place;
  double sign;
};
std::vector<SignedNode> nodes_before(std::size_t leaves, std::size_t before);

// Intervals of quantiles from a noisy tree over the cells between points.
class TreeReach {
 public:
  // `far` is the reach of each node.
  TreeReach(std::vector<double> points, double far);

  // Takes the nodes of a group.
  void read(const std::vector<double>& nodes);

  double lower(double probability) const;
  double upper(double probability) const;

 private:
  std::vector<double> points_;
  double far_;
  std::vector<std::vector<SignedNode>> before_;  // of each point
  std::vector<double> least_, most_;             // rows below each point
  double least_rows_ = 0;
  double most_rows_ = 0;
};

}  // namespace dp::query

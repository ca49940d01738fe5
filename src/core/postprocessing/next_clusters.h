// Lloyd's algorithm for k-means on released moments of clusters (cluster_moments.h). It may compute
// with doubles, as it looks at public numbers alone.
#pragma once

#include <cstddef>
#include <vector>

#include "core/measurements/cluster_moments.h"

namespace dp {

// Boxes that hold all points within the bounds without a nearer centre. A point x is nearer to the
// centre a than to b if 2 (b - a)'x < b'b - a'a: with the other coordinates anywhere in the box,
// that bounds each, and bounds of all pairs narrow each other. Boxes are as narrow as possible if
// centres differ in one column, otherwise slightly wider.
Clusters clusters_around(const std::vector<double>& centres, std::size_t columns);

// The means of clusters; `scale` is the noise scale in cells.
//
// To split a cluster, two centres are placed at the means of the halves of a normal distribution,
// in the column with the largest contribution to the sum of squares of all clusters. The split
// removes 2 / pi of these squares, unless they may be noise. The second centre comes from a cluster
// that is given up:
//
//   - each empty cluster: its number of rows is within three standard deviations of its noise, or
//     below 1. If there is nothing to split, its centre stays;
//   - of the others the one whose rows would add least if they moved to the nearest other centre,
//     if that is less than half of the split's reduction. So clusters that share a dense region of
//     rows leave it for one that covers several.
std::vector<double> next_centres(const Clusters& at,
                                 const std::vector<double>& cells,
                                 std::size_t columns,
                                 double scale);

}  // namespace dp

// Lloyd's algorithm for k-means on released moments of clusters (cluster_moments.h). It may compute
// with doubles, as it looks at public numbers alone.
#pragma once

#include <cstddef>
#include <vector>

#include "core/measurements/cluster_moments.h"

namespace dp {

// Boxes that hold all points within the bounds to which no other centre is nearer. A point x is
// nearer to the centre a than to b if 2 (b - a)'x < b'b - a'a: with the other coordinates anywhere
// in the box, that bounds each, and bounds of all pairs narrow each other. Boxes are as narrow as
// can be if centres differ in one column, else a little wider.
Clusters clusters_around(const std::vector<double>& centres, std::size_t columns);

// The means of clusters; `scale` is that of the noise in cells.
//
// To split a cluster is to place centres at the means of the halves of a normal distribution, in
// the column of which values add most to the sum of squares of all clusters, and of that cluster.
// That takes 2 / pi of these squares away, if noise alone may not have made them. The second centre
// is that of a cluster which is given up:
//
//   - each that is empty: whose number of rows is within three standard deviations of its noise, or
//     below 1. If there is nothing to split, its centre stays;
//   - of the others the one whose rows would add least if they went to the nearest other centre, if
//     that is less than half of what the split takes away. So clusters that share a heap of rows
//     leave it for one that covers several.
std::vector<double> next_centres(const Clusters& at,
                                 const std::vector<double>& cells,
                                 std::size_t columns,
                                 double scale);

}  // namespace dp

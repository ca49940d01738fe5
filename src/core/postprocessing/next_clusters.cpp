#include "core/postprocessing/next_clusters.h"

#include <algorithm>
#include <cmath>

namespace dp {
namespace {

// After this many rounds boxes of centres on a grid no longer change, and others change little.
constexpr int kNarrowings = 4;

// Fraction of the range that exceeds the effect of rounding on a box.
constexpr double kSlack = 0x1p-20;

// The mean of half of a standard normal distribution, the square root of 2 / pi.
constexpr double kHalfMean = 0.79788456080286541;

struct Box {
  std::vector<double> lower;
  std::vector<double> upper;
};

// Leaves of `box` what half-space a'x <= b may hold.
void narrow(const std::vector<double>& a, double b, Box& box) {
  double least = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    least += std::min(a[c] * box.lower[c], a[c] * box.upper[c]);
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double rest = least - std::min(a[c] * box.lower[c], a[c] * box.upper[c]);
    if (a[c] > 0) box.upper[c] = std::min(box.upper[c], (b - rest) / a[c]);
    if (a[c] < 0) box.lower[c] = std::max(box.lower[c], (b - rest) / a[c]);
    least = rest + std::min(a[c] * box.lower[c], a[c] * box.upper[c]);
  }
}

Box box_around(std::size_t k, const std::vector<double>& centres, std::size_t columns) {
  Box box{std::vector<double>(columns, 0), std::vector<double>(columns, 1)};
  const double* own = centres.data() + k * columns;
  for (int round = 0; round < kNarrowings; ++round) {
    for (std::size_t first = 0; first < centres.size(); first += columns) {
      std::vector<double> a(columns);
      double b = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const double other = centres[first + c];
        a[c] = 2 * (other - own[c]);
        b += (other - own[c]) * (other + own[c]);
      }
      narrow(a, b, box);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    box.lower[c] = std::max(std::min(box.lower[c], own[c]) - kSlack, 0.0);
    box.upper[c] = std::min(std::max(box.upper[c], own[c]) + kSlack, 1.0);
  }
  return box;
}

// In shares of the bounds. `squares` are sums of squares about the mean, 0 of those that noise
// alone may have made.
struct Cluster {
  bool is_empty;
  std::vector<double> centre;
  double count;
  std::vector<double> squares;
};

// Cells of a cluster, three for each column, and its box: all from `place` on.
Cluster found_cluster(const Clusters& at,
                      const std::vector<double>& cells,
                      std::size_t place,
                      std::size_t columns,
                      double scale) {
  const double* own = cells.data() + 3 * place;
  double total = 0;
  for (std::size_t i = 0; i < 3 * columns; ++i) total += own[i];
  const auto all = static_cast<double>(columns);
  Cluster found{false, {}, total / all, {}};
  found.is_empty = found.count < std::max(1.0, 3 * scale * std::sqrt(6 / all));
  for (std::size_t c = 0; c < columns; ++c) {
    const double half = (at.upper[place + c] - at.lower[place + c]) / 2;
    const double mean = std::clamp((own[3 * c + 2] - own[3 * c]) / found.count, -1.0, 1.0);
    const double about = own[3 * c] - own[3 * c + 1] + own[3 * c + 2];
    const double squares = about - found.count * mean * mean;
    const bool is_noise = squares < 3 * scale * std::sqrt(6.0);
    found.centre.push_back(found.is_empty ? at.centres[place + c]
                                          : at.lower[place + c] + half * (1 + mean));
    found.squares.push_back(found.is_empty || is_noise ? 0 : squares * half * half);
  }
  return found;
}

// The column of a cluster with the largest contribution to the total sum of squares.
struct Split {
  std::size_t cluster;
  std::size_t column;
  double squares;  // 0 if there is none
};

Split widest(const std::vector<Cluster>& all) {
  Split found{0, 0, 0};
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::size_t c = 0; c < all[k].squares.size(); ++c)
      if (all[k].squares[c] > found.squares) found = {k, c, all[k].squares[c]};
  }
  return found;
}

// Gives half of a cluster to the one that is given up.
void split_into(Cluster& given_up, Cluster& wide, const Split& split) {
  const double apart = kHalfMean * std::sqrt(split.squares / wide.count);
  wide.count /= 2;
  for (double& squares : wide.squares) squares /= 2;
  wide.squares[split.column] *= 1 - kHalfMean * kHalfMean;
  given_up = wide;
  given_up.centre[split.column] += apart;
  wide.centre[split.column] -= apart;
}

// Increase of the sum of squares if the rows of cluster k move to the nearest of the other centres.
double cost_of_giving_up(std::size_t k, const std::vector<Cluster>& all) {
  double nearest = static_cast<double>(all[k].centre.size());
  for (std::size_t other = 0; other < all.size(); ++other) {
    double distance = 0;
    for (std::size_t c = 0; c < all[k].centre.size(); ++c) {
      const double apart = all[other].centre[c] - all[k].centre[c];
      distance += apart * apart;
    }
    if (other != k) nearest = std::min(nearest, distance);
  }
  return all[k].count * nearest;
}

void give_empty_ones_up(std::vector<Cluster>& all) {
  for (Cluster& each : all) {
    const Split split = widest(all);
    if (each.is_empty && split.squares > 0) split_into(each, all[split.cluster], split);
  }
}

void give_cheapest_up(std::vector<Cluster>& all) {
  const Split split = widest(all);
  std::size_t cheapest = split.cluster;
  double least = kHalfMean * kHalfMean * split.squares / 2;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double cost = cost_of_giving_up(k, all);
    if (k == split.cluster || all[k].is_empty || cost >= least) continue;
    cheapest = k;
    least = cost;
  }
  if (cheapest != split.cluster) split_into(all[cheapest], all[split.cluster], split);
}

}  // namespace

Clusters clusters_around(const std::vector<double>& centres, std::size_t columns) {
  Clusters all{centres, {}, {}};
  for (std::size_t k = 0; k < centres.size() / columns; ++k) {
    const Box box = box_around(k, centres, columns);
    all.lower.insert(all.lower.end(), box.lower.begin(), box.lower.end());
    all.upper.insert(all.upper.end(), box.upper.begin(), box.upper.end());
  }
  return all;
}

std::vector<double> next_centres(const Clusters& at,
                                 const std::vector<double>& cells,
                                 std::size_t columns,
                                 double scale) {
  std::vector<Cluster> all;
  for (std::size_t place = 0; place < at.centres.size(); place += columns)
    all.push_back(found_cluster(at, cells, place, columns, scale));
  give_empty_ones_up(all);
  give_cheapest_up(all);
  std::vector<double> centres;
  for (const Cluster& each : all)
    for (const double x : each.centre) centres.push_back(std::clamp(x, 0.0, 1.0));
  return centres;
}

}  // namespace dp

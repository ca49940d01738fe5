// All rows of a grid, and the greatest loss of replacing one by another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/measurements/joint_moments.h"
#include "core/numeric/rational.h"

namespace dp::test {

// (first, u) for u in `grid`^P.
inline std::vector<std::vector<int>> all_places(int first,
                                                std::size_t columns,
                                                const std::vector<int>& grid) {
  std::vector<std::vector<int>> places = {{first}};
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& place : places) {
      for (const int u : grid) {
        longer.push_back(place);
        longer.back().push_back(u);
      }
    }
    places = longer;
  }
  return places;
}

using Scales = std::vector<Rational>;

inline Scales scales_of(std::size_t columns, const JointPlan& plan) {
  Scales scales;
  for (const JointMoment& moment : joint_moments(columns, plan))
    scales.push_back(joint_scale(moment, columns, plan));
  return scales;
}

// Greatest sum over all moments of lost(here, there, m), the loss of moment m when row `there`
// replaces row `here`.
template <class Row, class Lost>
Rational greatest_over_pairs(const std::vector<Row>& rows, std::size_t moments, const Lost& lost) {
  Rational greatest(0);
  for (const Row& here : rows) {
    for (const Row& there : rows) {
      Rational sum(0);
      for (std::size_t m = 0; m < moments; ++m) sum += lost(here, there, m);
      greatest = std::max(greatest, sum);
    }
  }
  return greatest;
}

}  // namespace dp::test

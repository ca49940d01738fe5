// Rows of integers centred at the middles of their ranges.
#pragma once

#include <vector>

namespace dp::test {

// All rows that start with `head` and continue with one number per element of `steps`. An element n
// allows numbers from -n to n in steps of two.
inline std::vector<std::vector<int>> centred_rows(const std::vector<int>& head,
                                                  const std::vector<int>& steps) {
  std::vector<std::vector<int>> rows = {head};
  for (const int n : steps) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& row : rows) {
      for (int v = -n; v <= n; v += 2) {
        longer.push_back(row);
        longer.back().push_back(v);
      }
    }
    rows = longer;
  }
  return rows;
}

}  // namespace dp::test

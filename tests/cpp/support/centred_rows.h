// Rows of whole numbers about the middles of their ranges.
#pragma once

#include <vector>

namespace dp::test {

// All rows that begin with `head` and go on with a number for each of `steps`: n steps of two, from
// -n to n.
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

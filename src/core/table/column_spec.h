// A column of numbers in a data frame, as a statistic reads it.
#pragma once

#include <string>
#include <vector>

namespace dp {

struct ColumnSpec {
  std::string name;
  double lower;  // others are clamped
  double upper;
  double impute_lower;  // missing ones are drawn from here, within the bounds
  double impute_upper;
  bool whole;  // fractions are cut off, and draws are whole; infinities are missing
};

// Throws make_measurement unless there are columns, their names differ, and bounds are finite, in
// order and distinct. Bounds of whole numbers must be whole and at most 2^53 in magnitude.
void check_column_specs(const std::vector<ColumnSpec>& columns);

}  // namespace dp

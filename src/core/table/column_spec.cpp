#include "core/table/column_spec.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/numeric/cast.h"

namespace dp {
namespace {

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorKind::make_measurement, sentence);
}

bool are_whole(const std::vector<double>& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), whole_number);
}

}  // namespace

void check_column_specs(const std::vector<ColumnSpec>& columns) {
  require(!columns.empty(), "there must be at least one column.");
  std::set<std::string> names;
  for (const ColumnSpec& column : columns) {
    require(names.insert(column.name).second, "columns must have different names.");
    require(column.lower <= column.impute_lower && column.impute_lower <= column.impute_upper &&
                column.impute_upper <= column.upper && column.lower < column.upper,
            "bounds must be in order.");
    require(std::isfinite(column.upper - column.lower), "bounds must be finite.");
    require(!column.whole ||
                are_whole({column.lower, column.upper, column.impute_lower, column.impute_upper}),
            "bounds of whole numbers must be whole and at most 2^53 in magnitude.");
  }
}

}  // namespace dp

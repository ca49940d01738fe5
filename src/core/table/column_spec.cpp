#include "core/table/column_spec.h"

#include <cmath>
#include <set>

#include "core/error.h"

namespace dp {
namespace {

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorKind::make_measurement, sentence);
}

bool is_exactly_whole(double x) { return x == std::floor(x) && std::fabs(x) < 0x1p53; }

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
                (is_exactly_whole(column.lower) && is_exactly_whole(column.upper) &&
                 is_exactly_whole(column.impute_lower) && is_exactly_whole(column.impute_upper)),
            "bounds of whole numbers must be whole and below 2^53.");
  }
}

}  // namespace dp

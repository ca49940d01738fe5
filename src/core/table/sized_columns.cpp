#include "core/table/sized_columns.h"

#include <algorithm>
#include <limits>

#include "core/domains/domain.h"
#include "core/transformations/rows/gather.h"

namespace dp {

std::vector<ColumnPtr> sized_columns(const Frame& frame,
                                     const std::vector<std::string>& names,
                                     std::optional<std::size_t> size,
                                     RowOrder order) {
  std::vector<ColumnPtr> given;
  for (const std::string& name : names) {
    given.push_back(frame.column(Scalar(name), AtomType::f64));
    if (given.back()->size() != given.front()->size()) refuse_nonmember();
  }
  if (given.empty()) return given;
  const std::size_t rows = given.front()->size();
  const std::size_t wanted = size.value_or(rows);
  if (order == RowOrder::as_given && rows == wanted) return given;
  const Scalar missing(std::numeric_limits<double>::quiet_NaN());
  const std::vector<std::size_t> places = places_at_random(std::max(rows, wanted));
  for (ColumnPtr& column : given) column = gather(*column, places, wanted, missing);
  return given;
}

}  // namespace dp

#include "core/sample_aggregate/block_results.h"

#include <limits>
#include <utility>

#include "core/engine/frame.h"

namespace dp {

BlockResults::BlockResults(std::vector<BoundedColumn> columns,
                           BlockDesign design,
                           BlocksFunction function,
                           std::size_t numbers)
    : columns_(std::move(columns)),
      design_(std::move(design)),
      function_(std::move(function)),
      numbers_(numbers) {
  check_bounded_columns(columns_);
}

Metric BlockResults::metric() const {
  return design_.rows() ? change_one_distance() : symmetric_distance();
}

BlockCells BlockResults::prepare(const Value& frame, BitSource& bits) const {
  return block_columns(*frame_in(frame), columns_, design_.rows(), bits);
}

std::vector<double> BlockResults::of(const BlockCells& cells, BitSource& bits) const {
  std::vector<double> results = function_(cells, design_.places(cells.front().size(), bits));
  const std::size_t wanted = design_.blocks() * numbers_;
  if (results.size() != wanted) results.assign(wanted, std::numeric_limits<double>::quiet_NaN());
  return results;
}

}  // namespace dp

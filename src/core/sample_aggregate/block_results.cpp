#include "core/sample_aggregate/block_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/data/frame.h"

namespace dp {

BlockResults::BlockResults(const std::vector<ColumnSpec>& columns,
                           BlockDesign design,
                           BlocksFunction function,
                           std::size_t numbers,
                           Gaps gaps)
    : columns_(column_preparations(columns)),
      design_(std::move(design)),
      function_(std::move(function)),
      numbers_(numbers),
      gaps_(gaps) {}

Metric BlockResults::metric() const {
  return design_.rows() ? change_one_distance() : symmetric_distance();
}

BlockCells BlockResults::prepare(const Value& frame) const {
  if (gaps_ == Gaps::dropped) return complete_columns(*frame_in(frame), columns_, design_.rows());
  return prepared_columns(*frame_in(frame), columns_, design_.rows());
}

BlockPlaces BlockResults::places(const BlockCells& cells, BitSource& bits) const {
  BlockPlaces all = design_.places(cells.front().size(), bits);
  if (gaps_ == Gaps::imputed) return all;
  BlockPlaces complete;
  complete.ends.reserve(all.ends.size());
  std::size_t place = 0;
  for (const std::size_t end : all.ends) {
    for (; place < end; ++place) {
      const std::uint32_t row = all.rows[place];
      if (!std::isnan(cells.front()[row])) complete.rows.push_back(row);
    }
    complete.ends.push_back(complete.rows.size());
  }
  return complete;
}

std::vector<double> BlockResults::of(const BlockCells& cells, BitSource& bits) const {
  const auto given = function_(cells, places(cells, bits));
  const std::size_t blocks = design_.blocks();
  std::vector<double> results(blocks * numbers_, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t b = 0; b < std::min(blocks, given.size()); ++b) {
    if (given[b].size() != numbers_) continue;
    for (std::size_t j = 0; j < numbers_; ++j) results[j * blocks + b] = given[b][j];
  }
  return results;
}

}  // namespace dp

// Results of a function on each block of the data.
//
// A row that lacks a value of a column has imputed values, or is in no block. This depends only on
// that row, and the design gives positions to all rows. So a replaced row changes only the blocks
// of its position: at most J, the overlap, as if it had a value.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/data/value.h"
#include "core/metrics/metric.h"
#include "core/random/bit_source.h"
#include "core/sample_aggregate/block_design.h"
#include "core/table/gaps.h"
#include "core/table/prepared_columns.h"

namespace dp {

using BlockCells = std::vector<std::vector<double>>;  // of each column

// The numbers of each block, from columns and the places of blocks. A NaN says that a number
// failed, any other length than is wanted that all numbers of the block did.
using BlocksFunction =
    std::function<std::vector<std::vector<double>>(const BlockCells&, const BlockPlaces&)>;

class BlockResults {
 public:
  // `numbers` are requested for each block. Throws the errors of column_preparations().
  BlockResults(const std::vector<ColumnSpec>& columns,
               BlockDesign design,
               BlocksFunction function,
               std::size_t numbers,
               Gaps gaps = Gaps::imputed);

  const std::vector<ColumnPreparation>& columns() const { return columns_; }
  const BlockDesign& design() const { return design_; }
  std::size_t numbers() const { return numbers_; }
  Gaps gaps() const { return gaps_; }
  Metric metric() const;  // of the data: symmetric distance for labels, else change-one distance

  // The columns of a data frame, prepared, in random order: see prepared_columns(). Where gaps are
  // dropped, all cells of an incomplete row are NaN.
  BlockCells prepare(const Value& frame) const;
  // Number j of block b at j k + b; NaN where it failed.
  std::vector<double> of(const BlockCells& cells, BitSource& bits) const;

 private:
  // The rows of each block, without incomplete rows.
  BlockPlaces places(const BlockCells& cells, BitSource& bits) const;

  std::vector<ColumnPreparation> columns_;
  BlockDesign design_;
  BlocksFunction function_;
  std::size_t numbers_;
  Gaps gaps_;
};

}  // namespace dp

#include "core/sample_aggregate/named_blocks.h"

namespace dp {
namespace {

std::int64_t sensitivity_of(const BlockStatistic& statistic,
                            BlockFunction function,
                            const BlockDesign& design) {
  if (design.rows()) return statistic.sensitivity();
  const std::int64_t width = statistic.range().width();
  return function == BlockFunction::variance ? width : width - width / 2;
}

}  // namespace

NamedBlocks named_blocks(BlockFunction function,
                         const ColumnSpec& column,
                         const BlockDesign& design,
                         std::size_t guess) {
  const LatticeRange rows = range_of_rows(closed_atom(AtomType::f64, column.lower, column.upper));
  const BlockStatistic statistic(function, rows, BlockShape{design.smallest().value_or(guess), 1});
  const std::size_t least = function == BlockFunction::variance ? 2 : 1;
  auto blocks = [statistic, lattice = rows.lattice, least](const BlockCells& cells,
                                                           const BlockPlaces& places) {
    std::vector<std::vector<double>> results(places.ends.size());
    std::vector<std::int64_t> block;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < results.size(); begin = places.ends[b++]) {
      block.clear();
      for (std::size_t i = begin; i < places.ends[b]; ++i) {
        block.push_back(lattice.index(cells.front()[places.rows[i]]));
      }
      if (block.size() < least) continue;
      const int128_t steps = statistic(block.data(), block.size());
      results[b] = {statistic.range().lattice.value(steps)};
    }
    return results;
  };
  return {std::move(blocks),
          BlockOutput(statistic.range(), sensitivity_of(statistic, function, design))};
}

}  // namespace dp

#include "core/sample_aggregate/named_blocks.h"

namespace dp {
namespace {

std::int64_t sensitivity_of(const BlockStatistic& statistic,
                            BlockFunction function,
                            const BlockDesign& design,
                            Gaps gaps) {
  const bool varies = gaps == Gaps::dropped && function == BlockFunction::variance;
  if (design.rows() && !varies) return statistic.sensitivity();
  const std::int64_t width = statistic.range().width();
  return function == BlockFunction::variance ? width : width - width / 2;
}

// Least number of rows that a mean counts, including replacements by the middle; 0 if it does not
// replace.
std::size_t filled_up_to(BlockFunction function, const BlockDesign& design, Gaps gaps) {
  const bool fills = gaps == Gaps::dropped && function == BlockFunction::mean && design.rows();
  return fills ? (*design.smallest() + 1) / 2 : 0;
}

}  // namespace

NamedBlocks named_blocks(BlockFunction function,
                         const ColumnSpec& column,
                         const BlockDesign& design,
                         std::size_t guess,
                         Gaps gaps) {
  const LatticeRange rows = range_of_rows(closed_atom(AtomType::f64, column.lower, column.upper));
  const std::size_t filled = filled_up_to(function, design, gaps);
  const std::size_t smallest = filled > 0 ? filled : design.smallest().value_or(guess);
  const BlockStatistic statistic(function, rows, BlockShape{smallest, 1});
  const std::int64_t middle = rows.lower + rows.width() / 2;
  const std::size_t least = function == BlockFunction::variance ? 2 : 1;
  auto blocks = [statistic, lattice = rows.lattice, least, filled, middle](
                    const BlockCells& cells, const BlockPlaces& places) {
    std::vector<std::vector<double>> results(places.ends.size());
    std::vector<std::int64_t> block;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < results.size(); begin = places.ends[b++]) {
      block.clear();
      for (std::size_t i = begin; i < places.ends[b]; ++i) {
        block.push_back(lattice.index(cells.front()[places.rows[i]]));
      }
      while (block.size() < filled) block.push_back(middle);
      if (block.size() < least) continue;
      const int128_t steps = statistic(block.data(), block.size());
      results[b] = {statistic.range().lattice.value(steps)};
    }
    return results;
  };
  return {std::move(blocks),
          BlockOutput(statistic.range(), sensitivity_of(statistic, function, design, gaps))};
}

}  // namespace dp

#include "core/sample_aggregate/block_design.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/numeric/limits.h"
#include "core/random/uniform.h"
#include "core/shuffle/random_partition.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostRows = kMax<std::uint32_t>;
constexpr std::uint64_t kMostOverlap = kMax<std::int32_t>;

void require_design(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorKind::make_transformation, sentence);
}

void check_blocks(std::uint64_t rows, std::uint64_t blocks) {
  require_design(rows <= kMostRows, "the number of rows must be below 2^32.");
  require_design(blocks >= 1, "there must be at least one block.");
}

// `size` of the places below `rows`, each set equally likely: where a shuffle would begin.
void append_subset(std::vector<std::uint32_t>& order,
                   std::size_t size,
                   BlockPlaces& places,
                   BitSource& bits) {
  for (std::size_t i = 0; i < size; ++i) {
    std::swap(order[i], order[i + uniform_below(order.size() - i, bits)]);
  }
  places.rows.insert(places.rows.end(), order.begin(), order.begin() + size);
  places.ends.push_back(places.rows.size());
}

BlockPlaces partitioned(std::size_t rows,
                        std::size_t blocks,
                        std::size_t repeats,
                        BitSource& bits) {
  BlockPlaces places;
  places.rows.resize(rows * repeats);
  for (std::size_t g = 0; g < repeats; ++g) {
    random_order(places.rows.data() + g * rows, rows, bits);
    for (std::size_t b = 1; b <= blocks; ++b) {
      places.ends.push_back(g * rows + BlockShape{rows, blocks}.begin(b));
    }
  }
  return places;
}

BlockPlaces labelled(std::size_t rows, std::size_t blocks, BitSource& bits) {
  std::vector<std::uint32_t> label(rows);
  BlockPlaces places;
  places.rows.resize(rows);
  places.ends.assign(blocks, 0);
  for (auto& each : label) {
    each = static_cast<std::uint32_t>(uniform_below(blocks, bits));
    ++places.ends[each];
  }
  std::partial_sum(places.ends.begin(), places.ends.end(), places.ends.begin());
  std::vector<std::size_t> next = places.ends;
  for (std::size_t i = rows; i-- > 0;)
    places.rows[--next[label[i]]] = static_cast<std::uint32_t>(i);
  return places;
}

}  // namespace

BlockDesign BlockDesign::partitions(std::uint64_t rows,
                                    std::uint64_t blocks,
                                    std::uint64_t repeats) {
  check_blocks(rows, blocks);
  require_design(blocks <= rows, "there must not be more blocks than rows.");
  require_design(repeats >= 1 && repeats <= kMostOverlap && repeats <= kMostRows / blocks,
                 "the number of partitions must be at least 1, and not too large.");
  return BlockDesign(rows, blocks * repeats, static_cast<std::uint32_t>(repeats));
}

BlockDesign BlockDesign::subsets(std::uint64_t rows,
                                 std::uint64_t blocks,
                                 std::uint64_t size,
                                 BitSource& bits) {
  check_blocks(rows, blocks);
  require_design(size >= 1 && size <= rows, "subsets must have at least 1 row, and at most all.");
  require_design(blocks <= kMostOverlap, "there must be fewer than 2^31 blocks.");
  BlockDesign design(rows, blocks, 0);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint64_t b = 0; b < blocks; ++b) append_subset(order, size, design.drawn_, bits);
  std::vector<std::uint32_t> uses(rows);
  for (const std::uint32_t place : design.drawn_.rows) ++uses[place];
  design.overlap_ = *std::max_element(uses.begin(), uses.end());
  return design;
}

BlockDesign BlockDesign::labels(std::uint64_t blocks) {
  check_blocks(0, blocks);
  require_design(blocks <= kMostRows, "there must be fewer than 2^32 blocks.");
  return BlockDesign(std::nullopt, blocks, 1);
}

std::optional<std::size_t> BlockDesign::smallest() const {
  if (!rows_) return std::nullopt;
  if (!drawn_.rows.empty()) return drawn_.ends.front();
  return BlockShape{*rows_, blocks_ / overlap_}.smallest();
}

BlockPlaces BlockDesign::places(std::size_t rows, BitSource& bits) const {
  if (!rows_) return labelled(rows, blocks_, bits);
  if (!drawn_.rows.empty()) return drawn_;
  return partitioned(rows, blocks_ / overlap_, overlap_, bits);
}

}  // namespace dp

// Candidates of quantiles and cells of histograms, as points of a column's lattice.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/parts.h"
#include "core/query/statement.h"
#include "core/query/tally.h"

namespace dp::query {

struct Grid {
  std::vector<std::int64_t> points;  // strictly increasing
  std::vector<double> values;        // of each
};

// The bounds that an aggregate brings for its column. Points bound a column that has no bounds:
// from the first to the last, and as far again on both sides, so that values beyond them stay
// beyond.
std::optional<std::pair<double, double>> own_bounds(const Aggregate& aggregate, const Field& field);

// Those that were given, within the bounds; else all whole numbers of the bounds, if there are at
// most 1025, or as many points at equal distances. Throws domain if those given are not finite and
// increasing, or if none is within the bounds.
Grid quantile_grid(const Aggregate& aggregate, const Quantiser& quantiser);

// Whole numbers get a cell each: the last one has an end of its own, which is no candidate.
Grid tree_grid(const Aggregate& aggregate, const Quantiser& quantiser, bool is_whole);

// The values that rows in each cell of a tree may have; the outer cells have all that lies outside.
std::vector<Range> tree_cells(const Grid& grid, const Quantiser& quantiser, bool is_whole);

struct HistogramCells {
  Quantiser quantiser;
  Grid grid;
  CellRule rule;
};

// Of levels and logicals, and of wholes without breaks, a cell for each value (at most 2^16); else
// those between the breaks. Throws domain if there are no breaks, or no two within the bounds.
HistogramCells histogram_cells(const Aggregate& aggregate, const Field& field);

}  // namespace dp::query

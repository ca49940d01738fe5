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

// The candidates of a quantile by ranks: as above, but of columns without `at` more of them. They
// are all whole numbers of the bounds, if there are at most 4097, else as many points at equal
// distances, and of numbers other than dates also those of two decimal digits, from the largest
// in eight decades. So bounds that are much too wide leave candidates near every value but
// 0, and round values are candidates.
Grid rank_grid(const Aggregate& aggregate, const Quantiser& quantiser, const Field& field);

// What parts the cells of these candidates, for CellRule::covering: each has the points that are
// nearest to it. Half-way points go up.
std::vector<std::int64_t> nearest_cells(const std::vector<std::int64_t>& candidates);

// Whether each candidate says little more than in which cell a value is: half of the cell is longer
// than a tenth of the distance to the nearer bound, and to 0 unless values are dates, and than
// 1e-7 of the bounds.
std::vector<bool> coarse_candidates(const Grid& candidates,
                                    const std::vector<std::int64_t>& edges,
                                    const Quantiser& quantiser,
                                    const Field& field);

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

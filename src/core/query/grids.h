// Candidates of quantiles and cells of histograms, as points of a column's lattice.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/exact_aggregate.h"
#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

struct Grid {
  std::vector<std::int64_t> points;  // strictly increasing
  std::vector<double> values;        // of each
};

// Bounds that an aggregate supplies for its column. If the column has no bounds, they follow from
// the aggregate's points: from the first to the last, widened by that distance on both sides. So
// values beyond the points stay beyond them.
std::optional<std::pair<double, double>> own_bounds(const Aggregate& aggregate, const Field& field);

// The given candidates within the bounds. Without any, all whole numbers within the bounds if there
// are at most 1025; else 1025 points at equal distances. Throws domain if given candidates are not
// finite and increasing, or if none is within the bounds.
Grid quantile_grid(const Aggregate& aggregate, const Quantiser& quantiser);

// Candidates of a quantile by ranks: the given candidates, as above. Without `at`, all whole
// numbers within the bounds if there are at most 4097; else 4097 points at equal distances. For
// numbers other than dates, all numbers of two decimal digits are added, in eight decades from the
// largest. So bounds that are much too wide still leave candidates near every value but 0, and
// round values are candidates.
Grid rank_grid(const Aggregate& aggregate, const Quantiser& quantiser, const Field& field);

// Boundaries of the candidates' cells, for CellRule::covering: each cell has the points nearest to
// its candidate. Half-way points go up.
std::vector<std::int64_t> nearest_cells(const std::vector<std::int64_t>& candidates);

// Whether each candidate is hardly more informative than its cell. This holds if half of the cell
// is longer than a tenth of the distance to the nearer bound, and to 0 unless values are dates. It
// must also be longer than 1e-7 of the bounds.
std::vector<bool> coarse_candidates(const Grid& candidates,
                                    const std::vector<std::int64_t>& edges,
                                    const Quantiser& quantiser,
                                    const Field& field);

// Gives each whole number a cell. The last cell ends at a point that is not a candidate.
Grid tree_grid(const Aggregate& aggregate, const Quantiser& quantiser, bool is_whole);

// Ranges of the values in each cell of a tree; the outer cells include all values outside.
std::vector<Range> tree_cells(const Grid& grid, const Quantiser& quantiser, bool is_whole);

struct HistogramCells {
  Quantiser quantiser;
  Grid grid;
  CellRule rule;
};

// One cell per value (at most 2^16) for levels, logicals, and whole numbers without breaks; else
// one cell between consecutive breaks. A break between two whole numbers is placed between them.
// Throws domain without breaks, or with fewer than two breaks within the bounds.
HistogramCells histogram_cells(const Aggregate& aggregate, const Field& field);

}  // namespace dp::query

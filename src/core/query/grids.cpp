#include "core/query/grids.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/query/columns.h"

namespace dp::query {
namespace {

constexpr std::int64_t kMostCandidates = 1025;
constexpr std::int64_t kMostCells = 65536;
constexpr double kMostBreak = 0x1p51;

double value_near(const Quantiser& quantiser, std::int64_t z) {
  return to_double_nearest(value_of(quantiser, Integer(z)));
}

Grid whole_grid(const Quantiser& quantiser) {
  Grid grid;
  for (std::int64_t z = quantiser.least; z <= quantiser.most; ++z) {
    grid.points.push_back(z);
    grid.values.push_back(value_near(quantiser, z));
  }
  return grid;
}

// Of the places that the field may have.
Grid place_grid(const Quantiser& quantiser, const Field& field) {
  if (!field.places) return whole_grid(quantiser);
  Grid grid;
  for (const std::int64_t place : *field.places) {
    grid.points.push_back(place);
    grid.values.push_back(static_cast<double>(place));
  }
  return grid;
}

// `filter()` may leave cells without a value; breaks may stand there.
Field covering(Field field, const std::vector<double>& breaks) {
  if (breaks.empty() || !std::isfinite(breaks.front()) || !std::isfinite(breaks.back())) {
    return field;
  }
  if (field.reals) {
    field.reals = {std::min(field.reals->first, breaks.front()),
                   std::max(field.reals->second, breaks.back())};
  } else if (field.wholes && std::fabs(breaks.front()) <= kMostBreak &&
             std::fabs(breaks.back()) <= kMostBreak) {
    const auto first = static_cast<std::int64_t>(std::floor(breaks.front()));
    const auto last = static_cast<std::int64_t>(std::ceil(breaks.back()));
    field.wholes = {std::min(field.wholes->first, first), std::max(field.wholes->second, last)};
  }
  return field;
}

// Equal points of the lattice count once.
Grid given_grid(const Aggregate& aggregate, const Quantiser& quantiser) {
  Grid grid;
  const std::vector<double>& given = aggregate.grid;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!std::isfinite(given[i]) || (i > 0 && !(given[i] > given[i - 1]))) {
      throw Error(ErrorKind::domain,
                  "the points of `" + aggregate.name + "` must be finite and increasing.");
    }
    if (given[i] < quantiser.lower || given[i] > quantiser.upper) continue;
    const std::int64_t z = point_of(quantiser, given[i]);
    if (!grid.points.empty() && z == grid.points.back()) continue;
    grid.points.push_back(z);
    grid.values.push_back(given[i]);
  }
  return grid;
}

Quantiser places_of(std::int64_t least, std::int64_t most) {
  Quantiser places;
  places.lower = static_cast<double>(least);
  places.upper = static_cast<double>(most);
  places.least = least;
  places.most = most;
  return places;
}

bool fits_cells(const std::pair<std::int64_t, std::int64_t>& range) {
  return static_cast<int128_t>(range.second) - range.first < kMostCells;
}

}  // namespace

std::optional<std::pair<double, double>> own_bounds(const Aggregate& aggregate,
                                                    const Field& field) {
  if (aggregate.bounds || aggregate.grid.empty() || has_bounds(field)) return aggregate.bounds;
  const double first = aggregate.grid.front();
  const double last = aggregate.grid.back();
  const double range = std::max(last - first, 1.0);
  return std::pair{first - range, last + range};
}

Grid quantile_grid(const Aggregate& aggregate, const Quantiser& quantiser) {
  if (!aggregate.grid.empty()) {
    Grid grid = given_grid(aggregate, quantiser);
    if (grid.points.empty()) {
      throw Error(ErrorKind::domain, "no candidate of `" + aggregate.name + "` is within bounds.");
    }
    return grid;
  }
  const int128_t range = static_cast<int128_t>(quantiser.most) - quantiser.least;
  if (quantiser.exponent == 0 && range < kMostCandidates) return whole_grid(quantiser);
  Grid grid;
  for (std::int64_t i = 0; i < kMostCandidates; ++i) {
    const auto z = static_cast<std::int64_t>(quantiser.least + range * i / (kMostCandidates - 1));
    if (!grid.points.empty() && z == grid.points.back()) continue;
    grid.points.push_back(z);
    grid.values.push_back(value_near(quantiser, z));
  }
  return grid;
}

Grid tree_grid(const Aggregate& aggregate, const Quantiser& quantiser, bool is_whole) {
  Grid grid = quantile_grid(aggregate, quantiser);
  const bool has_each = grid.points.size() >= 2 && grid.points.back() == quantiser.most &&
                        grid.points[grid.points.size() - 2] == quantiser.most - 1;
  if (is_whole && quantiser.exponent == 0 && has_each) {
    grid.points.push_back(quantiser.most + 1);
    grid.values.push_back(value_near(quantiser, quantiser.most + 1));
  }
  return grid;
}

std::vector<Range> tree_cells(const Grid& grid, const Quantiser& quantiser, bool is_whole) {
  std::vector<Range> cells;
  for (std::size_t j = 0; j + 1 < grid.values.size(); ++j) {
    const double end = grid.values[j + 1];
    cells.push_back({grid.values[j], is_whole ? std::ceil(end) - 1 : end});
  }
  if (!cells.empty()) {
    cells.front().lower = std::min(cells.front().lower, quantiser.lower);
    cells.back().upper = quantiser.upper;
  }
  return cells;
}

HistogramCells histogram_cells(const Aggregate& aggregate, const Field& field) {
  const bool has_places = field.type == FieldType::levels || field.type == FieldType::logical;
  const bool is_whole = has_places || field.type == FieldType::integer;
  const auto range = places_in(field);
  if (aggregate.grid.empty() && is_whole && range && fits_cells(*range)) {
    const Quantiser places = places_of(range->first, range->second);
    return {places, place_grid(places, field), CellRule::points};
  }
  if (has_places) {
    throw Error(ErrorKind::domain,
                "`" + aggregate.name + "` has a cell for each value: no breaks.");
  }
  const Quantiser quantiser = quantiser_of(
      covering(field, aggregate.grid), own_bounds(aggregate, field), Origin::zero, aggregate.name);
  Grid grid = given_grid(aggregate, quantiser);
  if (grid.points.size() < 2 || grid.points.size() != aggregate.grid.size()) {
    throw Error(ErrorKind::domain,
                "`" + aggregate.name +
                    "` needs two breaks at least, each another value within the bounds.");
  }
  return {quantiser, std::move(grid), CellRule::between};
}

}  // namespace dp::query

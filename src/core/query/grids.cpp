#include "core/query/grids.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/query/columns.h"

namespace dp::query {
namespace {

constexpr std::int64_t kMostCandidates = 1025;
constexpr std::int64_t kMostOfRanks = 4097;
constexpr int kDecades = 8;  // of candidates with two digits
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

Grid spread_grid(const Quantiser& quantiser, std::int64_t most) {
  const int128_t range = static_cast<int128_t>(quantiser.most) - quantiser.least;
  if (quantiser.exponent == 0 && range < most) return whole_grid(quantiser);
  Grid grid;
  for (std::int64_t i = 0; i < most; ++i) {
    const auto z = static_cast<std::int64_t>(quantiser.least + range * i / (most - 1));
    if (!grid.points.empty() && z == grid.points.back()) continue;
    grid.points.push_back(z);
    grid.values.push_back(value_near(quantiser, z));
  }
  return grid;
}

// Multiplies or divides by exact powers of ten, so decimals round as a parser of text rounds them.
double with_digits(int digits, int power) {
  double ten = 1;
  for (int i = std::abs(power); i-- > 0;) ten *= 10;
  return power < 0 ? digits / ten : digits * ten;
}

// Numbers of two digits between the bounds, of both signs, from the largest decade down.
std::vector<double> round_numbers(const Quantiser& quantiser) {
  const double largest = std::max(std::fabs(quantiser.lower), std::fabs(quantiser.upper));
  int power = -330;
  while (power < 300 && with_digits(10, power + 1) <= largest) ++power;
  std::vector<double> numbers;
  for (int each = power; each > power - kDecades; --each) {
    for (int digits = 10; digits < 100; ++digits) {
      for (const double number : {with_digits(digits, each), -with_digits(digits, each)}) {
        const bool fits = quantiser.exponent < 0 || number == std::floor(number);
        if (fits && quantiser.lower <= number && number <= quantiser.upper) {
          numbers.push_back(number);
        }
      }
    }
  }
  return numbers;
}

// Merges both, in order. A number that has the same lattice point as a candidate replaces it.
Grid with_numbers(const Grid& grid,
                  const std::vector<double>& numbers,
                  const Quantiser& quantiser) {
  std::map<std::int64_t, double> values;
  for (const double number : numbers) values.emplace(point_of(quantiser, number), number);
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    values.emplace(grid.points[i], grid.values[i]);
  }
  Grid both;
  for (const auto& [point, value] : values) {
    both.points.push_back(point);
    both.values.push_back(value);
  }
  return both;
}

// A grid of the places that the field can have. If all values are missing, the places of its
// bounds.
Grid place_grid(const Quantiser& quantiser, const Field& field) {
  const bool has_all = field.places ? field.places->empty() : !field.steps;
  if (has_all) return whole_grid(quantiser);
  Grid grid;
  for (const std::int64_t place : values_of(field)) {
    grid.points.push_back(place);
    grid.values.push_back(static_cast<double>(place));
  }
  return grid;
}

// After `filter()`, breaks can be at values that no cell can have.
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

// Equal points of the lattice count once. `place` gives the point of a number.
template <class Place>
Grid given_grid(const Aggregate& aggregate, const Quantiser& quantiser, Place&& place) {
  Grid grid;
  const std::vector<double>& given = aggregate.grid;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!std::isfinite(given[i]) || (i > 0 && !(given[i] > given[i - 1]))) {
      throw Error(ErrorKind::domain,
                  "the points of `" + aggregate.name + "` must be finite and increasing.");
    }
    if (given[i] < quantiser.lower || given[i] > quantiser.upper) continue;
    const std::int64_t z = place(given[i]);
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

bool fits_cells(const Field& field) {
  return places_in(field) && number_of_values(field) <= static_cast<uint128_t>(kMostCells);
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
    Grid grid = given_grid(
        aggregate, quantiser, [&](double number) { return point_of(quantiser, number); });
    if (grid.points.empty()) {
      throw Error(
          ErrorKind::domain,
          "no candidate of `" + aggregate.name + "` is within the bounds. Give others in `at`.");
    }
    return grid;
  }
  return spread_grid(quantiser, kMostCandidates);
}

Grid rank_grid(const Aggregate& aggregate, const Quantiser& quantiser, const Field& field) {
  if (!aggregate.grid.empty()) return quantile_grid(aggregate, quantiser);
  const Grid grid = spread_grid(quantiser, kMostOfRanks);
  if (field.type == FieldType::date) return grid;
  return with_numbers(grid, round_numbers(quantiser), quantiser);
}

std::vector<std::int64_t> nearest_cells(const std::vector<std::int64_t>& candidates) {
  std::vector<std::int64_t> edges{candidates.front()};
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const std::int64_t apart = candidates[i] - candidates[i - 1];
    edges.push_back(candidates[i - 1] + apart / 2 + apart % 2);
  }
  edges.push_back(candidates.back() + 1);
  return edges;
}

std::vector<bool> coarse_candidates(const Grid& candidates,
                                    const std::vector<std::int64_t>& edges,
                                    const Quantiser& quantiser,
                                    const Field& field) {
  constexpr double kShareOfValue = 0.1;
  constexpr double kShareOfBounds = 1e-7;
  const bool is_date = field.type == FieldType::date;
  const bool is_whole = is_date || field.type == FieldType::integer;
  const bool has_zero = !is_date && quantiser.lower <= 0 && 0 <= quantiser.upper;
  const double range = quantiser.upper - quantiser.lower;
  std::vector<bool> coarse;
  for (std::size_t j = 0; j < candidates.values.size(); ++j) {
    const double value = candidates.values[j];
    double distance = std::min(value - quantiser.lower, quantiser.upper - value);
    if (has_zero) distance = std::min(distance, std::fabs(value));
    const std::int64_t points = edges[j + 1] - edges[j] - (is_whole ? 1 : 0);
    const double half = std::ldexp(static_cast<double>(points), quantiser.exponent - 1);
    coarse.push_back(half > kShareOfValue * distance && half > kShareOfBounds * range);
  }
  return coarse;
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
  if (aggregate.grid.empty() && is_whole && fits_cells(field)) {
    const Quantiser places = places_of(range->first, range->second);
    return {places, place_grid(places, field), CellRule::points};
  }
  if (has_places) {
    throw Error(ErrorKind::domain,
                "`" + aggregate.name + "` has a cell for each value. Leave out `breaks`.");
  }
  const Quantiser quantiser = quantiser_of(
      covering(field, aggregate.grid), own_bounds(aggregate, field), Origin::zero, aggregate.name);
  // Of whole numbers, those from a break on are those from the next whole number on.
  const bool between_wholes = field.type != FieldType::real && quantiser.exponent == 0;
  Grid grid = given_grid(aggregate, quantiser, [&](double number) {
    return between_wholes ? static_cast<std::int64_t>(std::ceil(number))
                          : point_of(quantiser, number);
  });
  if (grid.points.size() < 2 || grid.points.size() != aggregate.grid.size()) {
    throw Error(ErrorKind::domain,
                "`" + aggregate.name + "` needs at least two different breaks within the bounds.");
  }
  const double last = grid.values.back();
  const bool ends_between = between_wholes && last != std::floor(last);
  return {quantiser, std::move(grid), ends_between ? CellRule::below : CellRule::between};
}

}  // namespace dp::query

#include "core/measurements/cluster_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/data/frame.h"
#include "core/error.h"
#include "core/measurements/refuse.h"
#include "core/measures/measure.h"
#include "core/numeric/directed.h"
#include "core/numeric/int128.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/runtime/parallel.h"
#include "core/table/lattice_columns.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostClusteredRows = std::uint64_t{1} << 40;
constexpr std::size_t kMostClusteredColumns = 64;
constexpr std::size_t kMostCentres = 1000;
constexpr std::uint64_t kMostRounds = 1000;
constexpr std::int32_t kLastStep = std::int32_t{1} << kClusterBits;

constexpr std::size_t kClusteredBetweenInterrupts = std::size_t{1} << 12;

void check_cluster_plan(std::size_t columns, const ClusterPlan& plan) {
  if (plan.n < 2 || plan.n >= kMostClusteredRows)
    refuse_measurement("the number of rows must be at least 2, and below 2^40.");
  if (columns > kMostClusteredColumns) refuse_measurement("there must be at most 64 columns.");
  if (plan.rounds < 1 || plan.rounds > kMostRounds)
    refuse_measurement("there must be from 1 to 1000 rounds.");
  const double epsilon = plan.epsilon.value();
  if (!(epsilon > 0) || std::isinf(epsilon))
    refuse_measurement("epsilon must be positive and finite.");
  const std::size_t size = plan.start.size();
  if (size == 0 || size % columns != 0 || size / columns > kMostCentres)
    refuse_measurement("there must be from 1 to 1000 centres, with a number for each column.");
  const bool within =
      std::all_of(plan.start.begin(), plan.start.end(), [](double x) { return x >= 0 && x <= 1; });
  if (!within) refuse_measurement("centres must be from 0 to 1.");
  // The release is a double, and noise seldom exceeds a thousand times its scale.
  if (cluster_scale(columns, plan.rounds, plan.epsilon) > power_of_two(900))
    refuse_measurement("noise must be well within the range of doubles: epsilon is too small.");
}

std::int32_t step_at(double share) {
  if (!(share > 0)) return 0;
  if (share >= 1) return kLastStep;
  return static_cast<std::int32_t>(std::nearbyint(std::ldexp(share, kClusterBits)));
}

std::vector<std::int32_t> steps_at(const std::vector<double>& shares) {
  std::vector<std::int32_t> steps;
  for (const double share : shares) steps.push_back(step_at(share));
  return steps;
}

std::vector<double> shares_at(const std::vector<std::int32_t>& steps) {
  std::vector<double> shares;
  for (const std::int32_t step : steps) shares.push_back(std::ldexp(step, -kClusterBits));
  return shares;
}

// All steps of the first row, then of the second, and so on. Steps of a row that lacks a value are
// arbitrary.
struct GridRows {
  std::vector<std::int32_t> steps;
  std::vector<std::uint8_t> present;
};

GridRows grid_rows(const std::vector<ColumnRule>& rules, const Frame& frame, std::size_t n) {
  PresentRows rows = present_rows(rules, frame, n);
  const std::size_t columns = rules.size();
  GridRows grid{std::vector<std::int32_t>(n * columns), std::move(rows.present)};
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t row = 0; row < n; ++row)
      grid.steps[row * columns + c] = cluster_step(rows.columns[c][row], rules[c].width());
  }
  return grid;
}

// Fewer than 2^40 shares of at most 48 bits.
std::vector<int128_t> exact_cells(const GridRows& rows, const ClusterGrid& at) {
  std::vector<int128_t> sums(3 * at.centres.size(), 0);
  for (std::size_t row = 0; row < rows.present.size(); ++row) {
    if (row % kClusteredBetweenInterrupts == 0) check_interrupt();
    const std::int32_t* z = rows.steps.data() + row * at.columns;
    const std::size_t first = nearest_centre(z, at) * at.columns;
    for (std::size_t c = 0; c < at.columns; ++c) {
      const auto shares = box_shares(z[c], at.lower[first + c], at.upper[first + c]);
      for (std::size_t i = 0; i < 3; ++i)
        sums[3 * (first + c) + i] += shares[i] * rows.present[row];
    }
  }
  return sums;
}

class ClusterMoments final : public WholeStage {
 public:
  ClusterMoments(std::vector<ColumnRule> rules, const ClusterPlan& plan)
      : rules_(std::move(rules)),
        plan_(plan),
        scale_(cluster_scale(rules_.size(), plan.rounds, plan.epsilon)) {}

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const GridRows rows = grid_rows(rules_, *frame_in(value), plan_.n);
    std::vector<double> released;
    std::vector<double> centres = plan_.start;
    for (std::uint64_t round = 1; round <= plan_.rounds; ++round) {
      const std::vector<double> in_steps = shares_at(steps_at(centres));
      const ClusterGrid grid = cluster_grid(plan_.around(in_steps), rules_.size());
      const Clusters at{shares_at(grid.centres), shares_at(grid.lower), shares_at(grid.upper)};
      const std::vector<double> cells = noisy_cells(rows, grid, bits);
      for (const std::vector<double>* each : {&at.centres, &at.lower, &at.upper, &cells})
        released.insert(released.end(), each->begin(), each->end());
      if (round < plan_.rounds) centres = plan_.next(at, cells);
    }
    return make_column(AtomType::f64, released);
  }

 private:
  std::vector<double> noisy_cells(const GridRows& rows,
                                  const ClusterGrid& at,
                                  BitSource& bits) const {
    const std::vector<int128_t> exact = exact_cells(rows, at);
    std::vector<double> noisy;
    for (std::size_t place = 0; place < at.centres.size(); ++place) {
      const Integer width(at.upper[place] - at.lower[place]);
      const Rational one_row(Integer(width * width));
      const Rational unit = 1 / one_row;
      const DiscreteLaplace noise(scale_ * one_row);
      for (std::size_t i = 0; i < 3; ++i) {
        const Integer cell = to_integer(exact[3 * place + i]) + noise.draw(bits);
        noisy.push_back(product_to_double(cell, unit));
      }
    }
    return noisy;
  }

  std::vector<ColumnRule> rules_;
  ClusterPlan plan_;
  Rational scale_;
};

}  // namespace

ClusterGrid cluster_grid(const Clusters& at, std::size_t columns) {
  ClusterGrid grid{columns, steps_at(at.centres), steps_at(at.lower), steps_at(at.upper)};
  const std::size_t size = grid.centres.size();
  if (size == 0 || size % columns != 0 || grid.lower.size() != size || grid.upper.size() != size)
    throw Error(ErrorKind::failed_function, "every centre must have a box.");
  for (std::size_t place = 0; place < size; ++place) {
    grid.lower[place] = std::min(grid.lower[place], kLastStep - 1);
    grid.upper[place] = std::max(grid.upper[place], grid.lower[place] + 1);
  }
  return grid;
}

// q < 2^41, so that the product has 66 bits.
std::int32_t cluster_step(std::int64_t q, std::int64_t width) {
  const int128_t twice = int128_t{q} * (2 * std::int64_t{kLastStep}) + width;
  return static_cast<std::int32_t>(twice / (2 * int128_t{width}));
}

// Squares of 24 bits for at most 64 columns. No branch depends on the nearest centre.
std::size_t nearest_centre(const std::int32_t* row, const ClusterGrid& at) {
  const std::size_t clusters = at.centres.size() / at.columns;
  std::size_t nearest = 0;
  std::int64_t least = std::int64_t{1} << 62;
  for (std::size_t k = 0; k < clusters; ++k) {
    std::int64_t distance = 0;
    for (std::size_t c = 0; c < at.columns; ++c) {
      const std::int64_t apart = row[c] - at.centres[k * at.columns + c];
      distance += apart * apart;
    }
    const bool is_nearer = distance < least;
    nearest = is_nearer ? k : nearest;
    least = is_nearer ? distance : least;
  }
  return nearest;
}

std::array<std::int64_t, 3> box_shares(std::int32_t z, std::int32_t lower, std::int32_t upper) {
  const std::int64_t above = std::clamp(z, lower, upper) - lower;
  const std::int64_t below = upper - lower - above;
  return {below * below, 2 * above * below, above * above};
}

Rational cluster_scale(std::size_t columns, std::uint64_t rounds, Epsilon epsilon) {
  return Rational(Integer(2 * columns) * Integer(rounds)) / exact_rational(epsilon.value());
}

Measurement make_cluster_moments(const std::vector<ColumnSpec>& columns, const ClusterPlan& plan) {
  const std::vector<ColumnRule> rules = column_rules(columns);
  check_cluster_plan(columns.size(), plan);
  return Measurement(
      DataFrameDomain{AtomType::string},
      change_one_distance(),
      max_divergence(),
      stage_function<ClusterMoments>(rules, plan),
      [loss = plan.epsilon.value()](const Distance& d_in) -> Distance {
        return Scalar(mul_up(static_cast<double>(number_in<std::uint32_t>(d_in)), loss));
      });
}

}  // namespace dp

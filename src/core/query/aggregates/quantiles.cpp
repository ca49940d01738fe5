#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/column.h"
#include "core/error.h"
#include "core/postprocessing/consistent_b_ary_tree.h"
#include "core/postprocessing/numbers.h"
#include "core/postprocessing/quantiles_from_counts.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/aggregates/noisy_aggregate.h"
#include "core/query/columns.h"
#include "core/query/grids.h"
#include "core/query/quantile_reach.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Lowering ----------------------------------------------------------------------------------------

std::size_t checked_probabilities(const Aggregate& aggregate) {
  const auto& alphas = aggregate.probabilities;
  const bool fine = std::all_of(
      alphas.begin(), alphas.end(), [](double alpha) { return alpha >= 0 && alpha <= 1; });
  if (alphas.empty() || !fine) {
    throw Error(ErrorKind::unsupported,
                "`" + aggregate.name + "` needs probabilities between 0 and 1.");
  }
  return alphas.size();
}

std::uint32_t layers_above(std::size_t leaves) {
  std::uint32_t layers = 1;
  for (std::size_t reach = 1; reach < leaves; reach *= kBranches) ++layers;
  return layers;
}

NoisyComponent tree_part(std::size_t bins,
                         const Grid& grid,
                         const Aggregate& aggregate,
                         const CountedRows& rows) {
  if (grid.points.size() < 2) {
    throw Error(ErrorKind::domain, "`" + aggregate.name + "` needs two candidates at least.");
  }
  NoisyComponent part;
  part.kind = NoisyComponent::Kind::tree;
  part.tally = bins;
  part.cells = CellRule::covering;
  part.layers = layers_above(grid.points.size() - 1);
  part.effect = effect_on_cells(rows.most);
  part.exponent = rows.exponent;
  return part;
}

NoisyComponent scores_part(std::size_t bins,
                           bool by_rank,
                           double alpha,
                           const CountedRows& rows,
                           const GroupFacts& facts) {
  NoisyComponent part;
  part.kind = NoisyComponent::Kind::scores;
  part.tally = bins;
  if (by_rank) part.cells = CellRule::covering;
  part.fraction = fraction_of(alpha);
  part.effect = effect_on_scores(part.fraction.num, part.fraction.den, rows.most, facts);
  part.exponent = rows.exponent;
  return part;
}

// Estimates ---------------------------------------------------------------------------------------

Estimates lists_of(std::size_t width) {
  Estimates result;
  result.width = width;
  result.is_list = width > 1;
  return result;
}

bool is_coarse(const AggregateComponents& places, std::size_t candidate) {
  return !places.coarse.empty() && places.coarse[candidate];
}

// The rank error is at most `ranks`. Only a count of values shows that a group has more rows than
// this.
Estimates estimates_by_scores(const NoisyAggregate& noisy) {
  const AggregateComponents& places = noisy.places();
  const auto rows = noisy.counted(false);
  const auto values = noisy.counted(true);
  const Range bounds{places.quantiser.lower, places.quantiser.upper};
  const Range unknown{kNoNumber, kNoNumber};
  Estimates result = lists_of(places.main.size());
  for (std::size_t group = 0; group < noisy.groups(); ++group) {
    const bool is_empty = noisy.may_be_empty(rows, group) || noisy.may_be_empty(values, group);
    for (const std::size_t part : places.main) {
      const auto chosen = static_cast<std::size_t>(noisy.measured(part).numbers[group]);
      const auto& law = noisy.law(part);
      const double value = places.grid[chosen];
      const bool coarse = is_coarse(places, chosen);
      if (!law) {
        result.push(value, 0, {value, value}, coarse ? Mark::is_coarse : Mark::none);
        continue;
      }
      const double steps = rank_reach(noisy.part(part), places.grid.size(), *law, noisy.alpha());
      const double ranks = std::ldexp(steps, noisy.part(part).exponent);
      const bool is_any = !values || 2 * ranks >= noisy.number(*values, group);
      if (is_empty) {
        result.push(value, kNoNumber, unknown, Mark::may_be_empty);
      } else if (coarse && !(values && is_any)) {
        result.push(value, kNoNumber, is_any ? bounds : unknown, Mark::is_coarse);
      } else {
        result.push(value,
                    kNoNumber,
                    is_any ? bounds : unknown,
                    is_any ? Mark::covers_range : Mark::no_interval);
      }
    }
  }
  return result;
}

std::vector<double> sums_before(const std::vector<double>& leaves) {
  std::vector<double> sums = {0};
  for (const double leaf : leaves) sums.push_back(sums.back() + leaf);
  return sums;
}

// Returns the middle, as a mean does, if the noisy counts show no rows. For whole numbers, returns
// the last one before the line reaches the point, because a cell does not contain its end.
double value_at(const AggregateComponents& places, double point) {
  const Range bounds{places.cells.front().lower, places.cells.back().upper};
  const double value = std::isnan(point) ? bounds.lower / 2 + bounds.upper / 2 : point;
  return places.is_whole ? std::clamp(std::ceil(value) - 1, bounds.lower, bounds.upper) : value;
}

// Clamps counts with noise beyond 64 bits.
Value noisy_tree(const Measured& measured, std::size_t group) {
  static const Integer kLeast = std::numeric_limits<std::int64_t>::min();
  static const Integer kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> nodes;
  for (std::size_t i = 0; i < measured.width; ++i) {
    const Integer& node = measured.numbers[group * measured.width + i];
    nodes.push_back(static_cast<std::int64_t>(std::clamp(node, kLeast, kMost)));
  }
  return make_column<std::int64_t>(AtomType::i64, nodes);
}

Estimates estimates_by_tree(const NoisyAggregate& noisy) {
  const AggregateComponents& places = noisy.places();
  const std::vector<double>& alphas = noisy.aggregate().probabilities;
  std::vector<double> sorted = alphas;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const Function consistent = make_consistent_b_ary_tree(kBranches, AtomType::i64, AtomType::f64);
  const Function quantiles = make_quantiles_from_counts({places.grid.begin(), places.grid.end()},
                                                        {sorted.begin(), sorted.end()},
                                                        Interpolation::linear,
                                                        AtomType::f64,
                                                        AtomType::f64);
  const auto& law = noisy.law(noisy.main());
  const double deviation = law ? law->deviation() : 0;
  const TreeNoise noise(places.grid.size() - 1, noisy.combined().fourth_cumulant(1));
  const double certain =
      deviation * noisy.combined().of(noise.root_variance(), noise.root_fourth());
  std::vector<TreeReach> reaches;
  for (const double alpha : alphas) {
    reaches.emplace_back(places.cells, noise, alpha, deviation, noisy.combined());
  }
  const Range bounds{places.cells.front().lower, places.cells.back().upper};
  Estimates result = lists_of(alphas.size());
  for (std::size_t group = 0; group < noisy.groups(); ++group) {
    check_interrupt();
    const Value leaves = consistent(noisy_tree(noisy.measured(noisy.main()), group));
    const auto points = numbers_in<double>(quantiles(leaves), AtomType::f64);
    const std::vector<double> below = sums_before(numbers_in<double>(leaves, AtomType::f64));
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), alphas[i]) - sorted.begin();
      const double point = value_at(places, points[static_cast<std::size_t>(at)]);
      const Range range = reaches[i].interval(below);
      push_bounded(result,
                   point,
                   {std::min(point, range.lower), std::max(point, range.upper)},
                   bounds,
                   below.back() - certain <= 0);
    }
  }
  return result;
}

class Quantiles final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const Field field = list.field_of(aggregate);
    AggregateComponents parts;
    parts.quantiser =
        quantiser_of(field, own_bounds(aggregate, field), Origin::zero, aggregate.name);
    const std::size_t wanted = checked_probabilities(aggregate);
    parts.by_tree = aggregate.method == Aggregate::Method::tree ||
                    (aggregate.method == Aggregate::Method::automatic && wanted >= 3);
    parts.is_whole = field.type == FieldType::integer || field.type == FieldType::date;
    const bool by_rank = aggregate.method == Aggregate::Method::rank;
    const bool has_end = parts.by_tree && list.rules() >= Rules::second;
    const Grid grid = by_rank   ? rank_grid(aggregate, parts.quantiser, field)
                      : has_end ? tree_grid(aggregate, parts.quantiser, parts.is_whole)
                                : quantile_grid(aggregate, parts.quantiser);
    parts.grid = grid.values;
    const CountedRows rows = list.rows_of(aggregate);
    const std::vector<std::int64_t> points = by_rank ? nearest_cells(grid.points) : grid.points;
    const std::size_t bins =
        list.tally(ExactAggregate::Kind::bins, aggregate.of, parts.quantiser, points, rows.weights);
    if (by_rank) parts.coarse = coarse_candidates(grid, points, parts.quantiser, field);
    if (parts.by_tree) {
      parts.cells = tree_cells(grid, parts.quantiser, parts.is_whole);
      const NoisyComponent part = tree_part(bins, grid, aggregate, rows);
      parts.main = {list.share(aggregate, part, aggregate.weight)};
      return parts;
    }
    parts.may_drop = may_drop(field) || rows.may_drop;
    const GroupFacts facts = list.facts(parts.may_drop);
    for (const double alpha : aggregate.probabilities) {
      const NoisyComponent part = scores_part(bins, by_rank, alpha, rows, facts);
      const double weight = aggregate.weight / static_cast<double>(wanted);
      parts.main.push_back(list.share(aggregate, part, weight));
    }
    return parts;
  }

  Estimates estimate(const NoisyAggregate& noisy) const override {
    return noisy.places().by_tree ? estimates_by_tree(noisy) : estimates_by_scores(noisy);
  }

  bool makes_lists(const Aggregate& aggregate) const override {
    return aggregate.probabilities.size() > 1;
  }
};

}  // namespace

const AggregateClass& quantiles_class() {
  static const Quantiles kClass;
  return kClass;
}

}  // namespace dp::query

#include "core/query/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "core/query/grids.h"
#include "core/query/part_list.h"

namespace dp::query {
namespace {

using AggregateKind = Aggregate::Kind;

class PartsBuilder : private PartList {
 public:
  PartsBuilder(const Statement& statement, const std::vector<Field>& fields)
      : PartList(statement), statement_(statement), fields_(fields) {}

  QueryParts build() {
    for (const Aggregate& each : statement_.aggregates) {
      if (each.kind == AggregateKind::count) counts_rows_ = true;
    }
    for (std::size_t i = 0; i < statement_.aggregates.size(); ++i) add_aggregate(i);
    if (statement_.keys.kind == Keys::Kind::threshold || suppresses()) add_threshold();
    if (statement_.keys.kind == Keys::Kind::select) add_selection();
    return take();
  }

 private:
  Field field_of(const Aggregate& aggregate) const {
    if (aggregate.of == nullptr) {
      throw Error(ErrorKind::unsupported, "`" + aggregate.name + "` needs a column.");
    }
    return type_of(*aggregate.of, fields_);
  }

  // Aggregates.

  void add_aggregate(std::size_t place) {
    const Aggregate& aggregate = statement_.aggregates[place];
    check_weight(aggregate.weight);
    AggregateParts parts;
    parts.aggregate = place;
    switch (aggregate.kind) {
      case AggregateKind::count:
        parts.main = {rows_part(aggregate, aggregate.weight)};
        break;
      case AggregateKind::ids:
        parts.main = {ids_part(aggregate, aggregate.weight)};
        break;
      case AggregateKind::missing:
        add_count(aggregate, Tally::Kind::missing, parts);
        break;
      case AggregateKind::distinct:
        add_count(aggregate, Tally::Kind::distinct, parts);
        break;
      case AggregateKind::sum:
        add_sum(aggregate, parts);
        break;
      case AggregateKind::mean:
        add_mean(aggregate, parts);
        break;
      case AggregateKind::variance:
      case AggregateKind::deviation:
        add_variance(aggregate, parts);
        break;
      case AggregateKind::quantiles:
        add_quantiles(aggregate, parts);
        break;
      case AggregateKind::histogram:
        add_histogram(aggregate, parts);
        break;
    }
    set_noise(aggregate, parts);
    result().aggregates.push_back(std::move(parts));
  }

  static void check_weight(double weight) {
    if (!(weight > 0) || !std::isfinite(weight)) {
      throw Error(ErrorKind::unsupported, "a `weight` must be positive and finite.");
    }
  }

  // A noise of the caller's own is that of the one number there is.
  void set_noise(const Aggregate& aggregate, const AggregateParts& parts) {
    if (!aggregate.scale && !aggregate.accuracy) return;
    const bool one = !parts.count && !parts.squares && parts.main.size() == 1;
    if (!one || (aggregate.scale && aggregate.accuracy)) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name +
                      "` cannot have a `scale` or `accuracy` of its own: several "
                      "numbers are measured for it, or both were given.");
    }
    Part& part = result().parts[parts.main.front()];
    if (part.kind == Part::Kind::scores && aggregate.accuracy) {
      throw Error(ErrorKind::unsupported, "the accuracy of a quantile depends on the data.");
    }
    const auto take = [](std::optional<double>& known, const std::optional<double>& given) {
      if (!given) return;
      if (!(*given > 0) || !std::isfinite(*given)) {
        throw Error(ErrorKind::unsupported, "`scale` and `accuracy` must be positive and finite.");
      }
      known = known ? std::min(*known, *given) : *given;
    };
    take(part.scale, aggregate.scale);
    take(part.accuracy, aggregate.accuracy);
  }

  void add_count(const Aggregate& aggregate, Tally::Kind kind, AggregateParts& parts) {
    field_of(aggregate);
    parts.main = {share(aggregate,
                        number(tally(kind, aggregate.of), effect_on_count(facts(false))),
                        aggregate.weight)};
  }

  Part sum_part(const Aggregate& aggregate, const Quantiser& quantiser, bool drops) {
    Part part = number(tally(Tally::Kind::sum, aggregate.of, quantiser),
                       effect_on_sum(quantiser.least, quantiser.most, facts(drops)));
    part.exponent = quantiser.exponent;
    return part;
  }

  void add_sum(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const Quantiser quantiser = quantiser_of(field, aggregate.bounds, Origin::zero, aggregate.name);
    parts.main = {
        share(aggregate, sum_part(aggregate, quantiser, may_drop(field)), aggregate.weight)};
  }

  // What is left of an aggregate's weight for each of `others` beside its count.
  double weight_beside_count(const Aggregate& aggregate, bool drops, int others) const {
    const bool is_shared = !drops && counts_rows_;
    return aggregate.weight / (is_shared ? others : others + 1);
  }

  void add_mean(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const bool drops = may_drop(field);
    parts.quantiser = quantiser_of(field, aggregate.bounds, Origin::middle, aggregate.name);
    const double weight = weight_beside_count(aggregate, drops, 1);
    parts.main = {share(aggregate, sum_part(aggregate, parts.quantiser, drops), weight)};
    parts.count = present_part(aggregate, drops, aggregate.weight / 2);
  }

  void add_variance(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const bool drops = may_drop(field);
    const Quantiser quantiser =
        quantiser_of(field, aggregate.bounds, Origin::coarse, aggregate.name);
    check_squares(aggregate, quantiser);
    parts.quantiser = quantiser;
    const double weight = weight_beside_count(aggregate, drops, 2);
    parts.main = {share(aggregate, sum_part(aggregate, quantiser, drops), weight)};
    parts.count = present_part(aggregate, drops, aggregate.weight / 3);
    Part squares;
    squares.kind = Part::Kind::squares;
    squares.tally = tally(Tally::Kind::squares, aggregate.of, quantiser);
    squares.rows = drops ? present_tally(aggregate) : tally(Tally::Kind::rows);
    const Integer height = std::max(-quantiser.least, quantiser.most);
    squares.square = height * height;
    squares.effect = effect_on_sum(-squares.square, squares.square, facts(drops));
    squares.exponent = 2 * quantiser.exponent - 1;
    parts.squares = share(aggregate, squares, weight);
  }

  static void check_squares(const Aggregate& aggregate, const Quantiser& quantiser) {
    constexpr double kFurthest = 1e150;
    if (quantiser.upper - quantiser.lower <= kFurthest) return;
    throw Error(ErrorKind::domain,
                "the bounds of `" + aggregate.name + "` are more than 1e150 apart, too far for " +
                    "squares.");
  }

  void add_quantiles(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const Quantiser quantiser =
        quantiser_of(field, own_bounds(aggregate, field), Origin::zero, aggregate.name);
    parts.quantiser = quantiser;
    const Grid grid = quantile_grid(aggregate, quantiser);
    parts.grid = grid.values;
    const std::size_t bins = tally(Tally::Kind::bins, aggregate.of, quantiser, grid.points);
    const std::size_t wanted = checked_probabilities(aggregate);
    parts.by_tree = aggregate.method == Aggregate::Method::tree ||
                    (aggregate.method == Aggregate::Method::automatic && wanted >= 3);
    if (parts.by_tree) {
      parts.main = {share(aggregate, tree_part(bins, grid, aggregate), aggregate.weight)};
      return;
    }
    const GroupFacts known = facts(may_drop(field));
    for (const double alpha : aggregate.probabilities) {
      Part part;
      part.kind = Part::Kind::scores;
      part.tally = bins;
      part.fraction = fraction_of(alpha);
      part.effect = effect_on_scores(part.fraction.num, part.fraction.den, known);
      parts.main.push_back(share(aggregate, part, aggregate.weight / static_cast<double>(wanted)));
    }
  }

  static std::size_t checked_probabilities(const Aggregate& aggregate) {
    const auto& alphas = aggregate.probabilities;
    const bool fine = std::all_of(
        alphas.begin(), alphas.end(), [](double alpha) { return alpha >= 0 && alpha <= 1; });
    if (alphas.empty() || !fine) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name + "` needs probabilities between 0 and 1.");
    }
    return alphas.size();
  }

  static Part tree_part(std::size_t bins, const Grid& grid, const Aggregate& aggregate) {
    if (grid.points.size() < 2) {
      throw Error(ErrorKind::domain, "`" + aggregate.name + "` needs two candidates at least.");
    }
    Part part;
    part.kind = Part::Kind::tree;
    part.tally = bins;
    part.cells = CellRule::covering;
    part.layers = layers_above(grid.points.size() - 1);
    part.effect = effect_on_cells();
    return part;
  }

  static std::uint32_t layers_above(std::size_t leaves) {
    std::uint32_t layers = 1;
    for (std::size_t reach = 1; reach < leaves; reach *= kBranches) ++layers;
    return layers;
  }

  void add_histogram(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const HistogramCells cells = histogram_cells(aggregate, field);
    parts.quantiser = cells.quantiser;
    parts.grid = cells.grid.values;
    Part part;
    part.kind = Part::Kind::cells;
    part.tally = tally(Tally::Kind::bins, aggregate.of, cells.quantiser, cells.grid.points);
    part.cells = cells.rule;
    part.effect = effect_on_cells();
    parts.main = {share(aggregate, part, aggregate.weight)};
  }

  // Keys.

  bool suppresses() const { return statement_.keys.suppress && !statement_.by.empty(); }

  Aggregate key_count() const {
    Aggregate aggregate;
    aggregate.name = "(keys)";
    aggregate.kind = has_people() ? AggregateKind::ids : AggregateKind::count;
    aggregate.weight = statement_.keys.weight;
    return aggregate;
  }

  // The number that is asked for anyway, or a hidden one.
  void add_threshold() {
    const Aggregate aggregate = key_count();
    check_weight(aggregate.weight);
    const std::size_t wanted = tally(has_people() ? Tally::Kind::ids : Tally::Kind::rows);
    const std::size_t before = result().parts.size();
    for (std::size_t i = 0; i < before; ++i) {
      const Part& part = result().parts[i];
      if (part.kind == Part::Kind::number && part.tally == wanted) result().threshold = i;
    }
    if (!result().threshold) {
      result().threshold = has_people() ? ids_part(aggregate, aggregate.weight)
                                        : rows_part(aggregate, aggregate.weight);
    }
    result().keys_by_people = has_people();
  }

  void add_selection() {
    check_weight(statement_.keys.weight);
    result().selection = tally(has_people() ? Tally::Kind::ids : Tally::Kind::rows);
    result().keys_by_people = has_people();
  }

  const Statement& statement_;
  const std::vector<Field>& fields_;
  bool counts_rows_ = false;
};

}  // namespace

Fraction fraction_of(double alpha) {
  constexpr double kParts = 1000000;
  const auto num = static_cast<std::uint64_t>(std::floor(alpha * kParts + 0.5));
  const auto den = static_cast<std::uint64_t>(kParts);
  const std::uint64_t common = std::gcd(num, den);
  return {num / common, den / common};
}

QueryParts parts_of(const Statement& statement, const std::vector<Field>& fields) {
  return PartsBuilder(statement, fields).build();
}

Sensitivity part_sensitivity(const Part& part, const Triple& triple) {
  Sensitivity norms = sensitivity(triple, part.effect);
  norms.l1 *= part.layers;
  norms.l2_squared *= part.layers;
  if (part.kind == Part::Kind::scores) norms.l1 *= 2;
  return norms;
}

}  // namespace dp::query

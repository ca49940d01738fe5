#include "core/query/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/query/columns.h"
#include "core/query/domains.h"
#include "core/query/grids.h"
#include "core/query/part_list.h"
#include "core/query/same_expression.h"

namespace dp::query {
namespace {

using AggregateKind = Aggregate::Kind;

// How an aggregate counts rows. Without weights each row counts once.
struct CountedRows {
  RowWeights weights;
  bool may_drop = false;  // for want of a weight
  std::int64_t least = 1, most = 1;
  int exponent = 0;
};

// The least and the largest product of a weight and a point.
std::pair<Integer, Integer> range_of_products(const CountedRows& rows, const Quantiser& points) {
  const Integer of_least = points.least < 0 ? rows.most : rows.least;
  const Integer of_most = points.most < 0 ? rows.least : rows.most;
  return {of_least * points.least, of_most * points.most};
}

class PartsBuilder : private PartList {
 public:
  PartsBuilder(const Statement& statement, const std::vector<Field>& fields)
      : PartList(statement), statement_(statement), fields_(fields) {}

  QueryParts build() {
    for (const Aggregate& each : statement_.aggregates) {
      if (each.kind == AggregateKind::count) counted_.push_back(each.weights);
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
    return typed(aggregate.of);
  }

  Field typed(const ExpressionPtr& of) const {
    if (statement_.source.rules == Rules::first) {
      return type_of(*of, fields_, Language::first_queries);
    }
    return domain_of(of, fields_, {});
  }

  // Aggregates.

  void add_aggregate(std::size_t place) {
    const Aggregate& aggregate = statement_.aggregates[place];
    check_weight(aggregate.weight);
    check_weighted(aggregate);
    AggregateParts parts;
    parts.aggregate = place;
    switch (aggregate.kind) {
      case AggregateKind::count:
        parts.main = {counted_part(aggregate, rows_of(aggregate), false, aggregate.weight)};
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
      case AggregateKind::capped:
        parts.main = {dropped_part(aggregate, 1, aggregate.weight)};
        break;
      case AggregateKind::dropped:
        parts.main = {dropped_part(aggregate, aggregate.up_to, aggregate.weight)};
        break;
    }
    set_noise(aggregate, parts);
    result().aggregates.push_back(std::move(parts));
  }

  static void check_weight(double weight) {
    if (!(weight > 0) || !std::isfinite(weight)) {
      throw Error(ErrorKind::unsupported, "a `share` must be positive and finite.");
    }
  }

  static void check_weighted(const Aggregate& aggregate) {
    if (aggregate.weights == nullptr) return;
    const AggregateKind kind = aggregate.kind;
    if (kind != AggregateKind::count && kind != AggregateKind::sum && kind != AggregateKind::mean &&
        kind != AggregateKind::quantiles) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name + "` cannot have `weights`: only counts, sums, means and " +
                      "quantiles can.");
    }
    if (columns_of(*aggregate.weights).empty()) {
      throw Error(ErrorKind::unsupported,
                  "the `weights` of `" + aggregate.name + "` must have a column.");
    }
  }

  CountedRows rows_of(const Aggregate& aggregate) const {
    CountedRows rows;
    if (aggregate.weights == nullptr) return rows;
    const Field field = typed(aggregate.weights);
    const std::string name = "the weights of `" + aggregate.name + "`";
    if (field.type == FieldType::date || !is_number(field) || field.type == FieldType::levels) {
      throw Error(ErrorKind::domain, name + " must be numbers, not " + kind_of(field) + ".");
    }
    if (!has_bounds(field)) {
      throw Error(ErrorKind::domain,
                  name + " have no bounds. Declare them, as in `dp_num(0, 5000)`.");
    }
    const Quantiser points = quantiser_of(field, {}, Origin::factor, aggregate.name);
    if (points.lower < 0 || points.most <= 0) {
      throw Error(ErrorKind::domain,
                  name + " must have a lower bound of at least 0, and an upper bound above 0.");
    }
    return {{aggregate.weights, points},
            query::may_drop(field),
            points.least,
            points.most,
            points.exponent};
  }

  // The number of rows, or the sum of their weights; only over rows with a value, if a value can be
  // missing.
  std::size_t counted_part(const Aggregate& aggregate,
                           const CountedRows& rows,
                           bool some_lack_value,
                           double weight) {
    if (rows.weights.of == nullptr) return present_part(aggregate, some_lack_value, weight);
    const std::size_t of = some_lack_value
                               ? tally(Tally::Kind::present, aggregate.of, {}, {}, rows.weights)
                               : tally(Tally::Kind::rows, nullptr, {}, {}, rows.weights);
    const bool drops = some_lack_value || rows.may_drop;
    Part part = number(of, effect_on_sum(rows.least, rows.most, facts(drops)));
    part.exponent = rows.exponent;
    return share(aggregate, part, weight);
  }

  // Noise fixed by the caller applies to the aggregate's only number.
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

  Part sum_part(const Aggregate& aggregate,
                const CountedRows& rows,
                const Quantiser& quantiser,
                bool drops) {
    const auto [least, most] = range_of_products(rows, quantiser);
    Part part = number(tally(Tally::Kind::sum, aggregate.of, quantiser, {}, rows.weights),
                       effect_on_sum(least, most, facts(drops || rows.may_drop)));
    part.exponent = quantiser.exponent + rows.exponent;
    return part;
  }

  void add_sum(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const CountedRows rows = rows_of(aggregate);
    const Origin origin = aggregate.weights ? Origin::factor : Origin::zero;
    const Quantiser quantiser = quantiser_of(field, aggregate.bounds, origin, aggregate.name);
    const Part part = sum_part(aggregate, rows, quantiser, may_drop(field));
    parts.main = {share(aggregate, part, aggregate.weight)};
  }

  // The share of an aggregate's weight for each of `others`, after the share of its count.
  double weight_beside_count(const Aggregate& aggregate, bool drops, int others) const {
    const auto is_its = [&](const ExpressionPtr& of) { return is_same(of, aggregate.weights); };
    const bool is_shared = !drops && std::any_of(counted_.begin(), counted_.end(), is_its);
    return aggregate.weight / (is_shared ? others : others + 1);
  }

  void add_mean(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const bool drops = may_drop(field);
    const CountedRows rows = rows_of(aggregate);
    const Origin origin = aggregate.weights ? Origin::coarse : Origin::middle;
    parts.quantiser = quantiser_of(field, aggregate.bounds, origin, aggregate.name);
    const double weight = weight_beside_count(aggregate, drops, 1);
    parts.main = {share(aggregate, sum_part(aggregate, rows, parts.quantiser, drops), weight)};
    parts.count = counted_part(aggregate, rows, drops, aggregate.weight / 2);
    const auto least = static_cast<double>(std::max<std::int64_t>(rows.least, 1));
    parts.least_rows = std::ldexp(least, rows.exponent);
  }

  void add_variance(const Aggregate& aggregate, AggregateParts& parts) {
    const Field field = field_of(aggregate);
    const bool drops = may_drop(field);
    const Quantiser quantiser =
        quantiser_of(field, aggregate.bounds, Origin::coarse, aggregate.name);
    check_squares(aggregate, quantiser);
    parts.quantiser = quantiser;
    const double weight = weight_beside_count(aggregate, drops, 2);
    parts.main = {share(aggregate, sum_part(aggregate, {}, quantiser, drops), weight)};
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
    const std::size_t wanted = checked_probabilities(aggregate);
    parts.by_tree = aggregate.method == Aggregate::Method::tree ||
                    (aggregate.method == Aggregate::Method::automatic && wanted >= 3);
    parts.is_whole = field.type == FieldType::integer || field.type == FieldType::date;
    const bool by_rank = aggregate.method == Aggregate::Method::rank;
    const bool has_end = parts.by_tree && statement_.source.rules >= Rules::second;
    const Grid grid = by_rank   ? rank_grid(aggregate, quantiser, field)
                      : has_end ? tree_grid(aggregate, quantiser, parts.is_whole)
                                : quantile_grid(aggregate, quantiser);
    parts.grid = grid.values;
    const CountedRows rows = rows_of(aggregate);
    const std::vector<std::int64_t> points = by_rank ? nearest_cells(grid.points) : grid.points;
    const std::size_t bins =
        tally(Tally::Kind::bins, aggregate.of, quantiser, points, rows.weights);
    if (by_rank) parts.coarse = coarse_candidates(grid, points, quantiser, field);
    if (parts.by_tree) {
      parts.cells = tree_cells(grid, quantiser, parts.is_whole);
      parts.main = {share(aggregate, tree_part(bins, grid, aggregate, rows), aggregate.weight)};
      return;
    }
    parts.may_drop = may_drop(field) || rows.may_drop;
    const GroupFacts known = facts(parts.may_drop);
    for (const double alpha : aggregate.probabilities) {
      Part part;
      part.kind = Part::Kind::scores;
      part.tally = bins;
      if (by_rank) part.cells = CellRule::covering;
      part.fraction = fraction_of(alpha);
      part.effect = effect_on_scores(part.fraction.num, part.fraction.den, rows.most, known);
      part.exponent = rows.exponent;
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

  static Part tree_part(std::size_t bins,
                        const Grid& grid,
                        const Aggregate& aggregate,
                        const CountedRows& rows) {
    if (grid.points.size() < 2) {
      throw Error(ErrorKind::domain, "`" + aggregate.name + "` needs two candidates at least.");
    }
    Part part;
    part.kind = Part::Kind::tree;
    part.tally = bins;
    part.cells = CellRule::covering;
    part.layers = layers_above(grid.points.size() - 1);
    part.effect = effect_on_cells(rows.most);
    part.exponent = rows.exponent;
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
    part.effect = effect_on_cells(1);
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

  // Uses the count that the query asks for, or adds a hidden one.
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
  std::vector<ExpressionPtr> counted_;  // weights of the counts that are asked for; null for rows
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

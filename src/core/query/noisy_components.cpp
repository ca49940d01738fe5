#include "core/query/noisy_components.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/expressions/typing.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/component_list.h"

namespace dp::query {
namespace {

void check_weight(double weight) {
  if (!(weight > 0) || !std::isfinite(weight)) {
    throw Error(ErrorKind::unsupported, "a `share` must be positive and finite.");
  }
}

// "counts, sums, means and quantiles": the aggregates that take weights.
std::string weighted_aggregates() {
  std::vector<std::string> names;
  for (const AggregateRow& row : aggregate_rows()) {
    if (has_key(row, "weights")) names.emplace_back(row.plural);
  }
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  return text;
}

void check_weighted(const Aggregate& aggregate) {
  if (aggregate.weights == nullptr) return;
  if (!has_key(row_of(aggregate.kind), "weights")) {
    throw Error(
        ErrorKind::unsupported,
        "`" + aggregate.name + "` cannot have `weights`: only " + weighted_aggregates() + " can.");
  }
  if (columns_of(*aggregate.weights).empty()) {
    throw Error(ErrorKind::unsupported,
                "the `weights` of `" + aggregate.name + "` must have a column.");
  }
}

class PartsBuilder : private ComponentList {
 public:
  PartsBuilder(const Statement& statement, const std::vector<Field>& fields)
      : ComponentList(statement, fields), statement_(statement) {}

  QueryComponents build() {
    for (std::size_t i = 0; i < statement_.aggregates.size(); ++i) add_aggregate(i);
    if (statement_.keys.kind == Keys::Kind::threshold || suppresses()) add_threshold();
    if (statement_.keys.kind == Keys::Kind::select) add_selection();
    return take();
  }

 private:
  void add_aggregate(std::size_t place) {
    const Aggregate& aggregate = statement_.aggregates[place];
    check_weight(aggregate.weight);
    check_weighted(aggregate);
    AggregateComponents parts = class_of(aggregate.kind).lower(*this, aggregate);
    parts.aggregate = place;
    set_noise(aggregate, parts);
    result().aggregates.push_back(std::move(parts));
  }

  // Noise fixed by the caller applies to the aggregate's only number.
  void set_noise(const Aggregate& aggregate, const AggregateComponents& parts) {
    if (!aggregate.scale && !aggregate.accuracy) return;
    const bool one = !parts.count && !parts.squares && parts.main.size() == 1;
    if (!one || (aggregate.scale && aggregate.accuracy)) {
      throw Error(ErrorKind::unsupported,
                  "`" + aggregate.name +
                      "` cannot have a `scale` or `accuracy` of its own: several "
                      "numbers are measured for it, or both were given.");
    }
    NoisyComponent& part = result().parts[parts.main.front()];
    if (part.kind == NoisyComponent::Kind::scores && aggregate.accuracy) {
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

  // Keys.

  bool suppresses() const { return statement_.keys.suppress && !statement_.by.empty(); }

  Aggregate key_count() const {
    Aggregate aggregate;
    aggregate.name = "(keys)";
    aggregate.kind = has_people() ? Aggregate::Kind::ids : Aggregate::Kind::count;
    aggregate.weight = statement_.keys.weight;
    return aggregate;
  }

  // Uses the count that the query asks for, or adds a hidden one.
  void add_threshold() {
    const Aggregate aggregate = key_count();
    check_weight(aggregate.weight);
    const std::size_t wanted =
        tally(has_people() ? ExactAggregate::Kind::ids : ExactAggregate::Kind::rows);
    const std::size_t before = result().parts.size();
    for (std::size_t i = 0; i < before; ++i) {
      const NoisyComponent& part = result().parts[i];
      if (part.kind == NoisyComponent::Kind::number && part.tally == wanted) result().threshold = i;
    }
    if (!result().threshold) {
      result().threshold = has_people() ? ids_part(aggregate, aggregate.weight)
                                        : rows_part(aggregate, aggregate.weight);
    }
    result().keys_by_people = has_people();
  }

  void add_selection() {
    check_weight(statement_.keys.weight);
    result().selection =
        tally(has_people() ? ExactAggregate::Kind::ids : ExactAggregate::Kind::rows);
    result().keys_by_people = has_people();
  }

  const Statement& statement_;
};

}  // namespace

GlmPlan RowModel::plan(double epsilon) const {
  GlmPlan plan{family, true, 0, 1, 0, Epsilon(epsilon), true, inference, false, false};
  plan.any_rows = true;
  return plan;
}

Fraction fraction_of(double alpha) {
  constexpr double kParts = 1000000;
  const auto num = static_cast<std::uint64_t>(std::floor(alpha * kParts + 0.5));
  const auto den = static_cast<std::uint64_t>(kParts);
  const std::uint64_t common = std::gcd(num, den);
  return {num / common, den / common};
}

QueryComponents lower_aggregates(const Statement& statement, const std::vector<Field>& fields) {
  return PartsBuilder(statement, fields).build();
}

Sensitivity component_sensitivity(const NoisyComponent& part, const ContributionBound& bound) {
  Sensitivity norms = sensitivity(bound, part.effect);
  norms.l1 *= part.layers * part.l1_of_row;
  norms.l2_squared *= part.layers * part.l2_squared_of_row;
  if (part.kind == NoisyComponent::Kind::scores) norms.l1 *= 2;
  if (part.kind == NoisyComponent::Kind::model) norms.l2_squared = norms.l1 * norms.l1;
  return norms;
}

}  // namespace dp::query

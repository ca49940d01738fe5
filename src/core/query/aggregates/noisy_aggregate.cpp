#include "core/query/aggregates/noisy_aggregate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/query/aggregates/aggregate_class.h"
#include "core/query/same_expression.h"

namespace dp::query {

NoisyAggregate::NoisyAggregate(const NoisyComponents& noisy, std::size_t place, Alpha alpha)
    : noisy_(noisy),
      places_(noisy.parts.aggregates[place]),
      aggregate_(noisy.statement.aggregates[places_.aggregate]),
      alpha_(alpha),
      combined_(noisy.kind, alpha) {}

double NoisyAggregate::reach(std::size_t part, double parts) const {
  const auto& noise = law(part);
  if (!noise) return 0;
  return std::ldexp(noise->reach(Alpha(alpha_.value() / parts)), this->part(part).exponent);
}

Range NoisyAggregate::range(std::size_t part, std::size_t at, double reach) const {
  const double value = number(part, at);
  return {value - reach, value + reach};
}

double NoisyAggregate::rows(std::size_t group) const {
  return std::max(places_.least_rows, number(*places_.count, group));
}

Range NoisyAggregate::rows_range(std::size_t group, double reach) const {
  const Range rows = range(*places_.count, group, reach);
  return {std::max(places_.least_rows, rows.lower), std::max(places_.least_rows, rows.upper)};
}

std::optional<NoisyAggregate::Counted> NoisyAggregate::counted(bool values) const {
  const QueryComponents& all_parts = noisy_.parts;
  std::optional<Counted> root;
  for (std::size_t i = 0; i < all_parts.parts.size(); ++i) {
    const NoisyComponent& part = all_parts.parts[i];
    const ExactAggregate& tally = all_parts.tallies[part.tally];
    if (!is_same(tally.weights.of, aggregate_.weights)) continue;
    if (part.kind == NoisyComponent::Kind::number) {
      const bool all = tally.kind == ExactAggregate::Kind::rows && (!values || !places_.may_drop);
      const bool present =
          tally.kind == ExactAggregate::Kind::present && is_same(tally.of, aggregate_.of);
      if (all || present) return Counted{i, 1};
    }
    const bool is_tree =
        part.kind == NoisyComponent::Kind::tree && is_same(tally.of, aggregate_.of);
    if (is_tree && values && !root) root = Counted{i, noisy_.measured[i].width};
  }
  return root;
}

double NoisyAggregate::number(const Counted& counted, std::size_t group) const {
  return number(counted.part, group * counted.width);
}

bool NoisyAggregate::may_be_empty(const std::optional<Counted>& counted, std::size_t group) const {
  return counted && number(*counted, group) - reach(counted->part, 1) <= 0;
}

Range held_within(const Range& range, double least, double most) {
  return {std::clamp(range.lower, least, most), std::clamp(range.upper, least, most)};
}

void push_bounded(
    Estimates& to, double value, const Range& range, const Range& bounds, bool may_be_empty) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (may_be_empty) {
    to.push(value, kUnknown, {kUnknown, kUnknown}, Mark::may_be_empty);
    return;
  }
  const Range held = held_within(range, bounds.lower, bounds.upper);
  const bool is_all =
      bounds.lower < bounds.upper && held.lower <= bounds.lower && held.upper >= bounds.upper;
  to.push(value, kUnknown, held, is_all ? Mark::covers_range : Mark::none);
}

Estimates AggregateClass::estimate(const NoisyAggregate& noisy) const {
  const std::size_t part = noisy.main();
  const double far = noisy.reach(part, 1);
  const auto& law = noisy.law(part);
  const double deviation = law ? std::ldexp(law->deviation(), noisy.part(part).exponent) : 0;
  const Measured& measured = noisy.measured(part);
  const Range possible = noisy.possible(part);
  Estimates result;
  result.width = measured.width;
  result.is_list = makes_lists(noisy.aggregate());
  for (std::size_t i = 0; i < measured.numbers.size(); ++i) {
    const Range range = noisy.range(part, i, far);
    result.push(noisy.number(part, i), deviation, range, mark_outside(range, possible));
  }
  return result;
}

}  // namespace dp::query

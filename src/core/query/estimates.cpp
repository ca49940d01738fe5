#include "core/query/estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric/rational.h"
#include "core/query/aggregates/aggregate_class.h"
#include "core/query/aggregates/noisy_aggregate.h"

namespace dp::query {

void Estimates::push(double value, double deviation, const Range& range, Mark mark) {
  const double width = range.upper - range.lower;
  const bool is_wide = width > 0 && width >= 2 * std::fabs(value);
  values.push_back(value);
  deviations.push_back(deviation);
  lower.push_back(range.lower);
  upper.push_back(range.upper);
  marks.push_back(mark == Mark::none && is_wide ? Mark::is_wide : mark);
}

Mark mark_outside(const Range& range, const Range& possible) {
  const bool is_outside = range.upper < possible.lower || range.lower > possible.upper;
  return is_outside ? Mark::is_outside : Mark::none;
}

double NoisyComponents::number(std::size_t part, std::size_t at) const {
  return scaled_to_double(measured[part].numbers[at], parts.parts[part].exponent);
}

Range NoisyComponents::possible(std::size_t part) const {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const NoisyComponent& its = parts.parts[part];
  const ExactAggregate& tally = parts.tallies[its.tally];
  if (its.kind == NoisyComponent::Kind::squares) return {-kAny, kAny};
  const bool is_moment =
      its.kind == NoisyComponent::Kind::moments && tally.kind == ExactAggregate::Kind::sum;
  if (is_moment && its.square == 0) return {-kAny, kAny};
  const bool is_total = std::find(its.kept.begin(), its.kept.end(), true) == its.kept.end();
  if (its.kind == NoisyComponent::Kind::effect && !is_total) return {-kAny, kAny};
  if (tally.kind != ExactAggregate::Kind::sum) return {0, kAny};
  return {tally.quantiser.least < 0 ? -kAny : 0, tally.quantiser.most > 0 ? kAny : 0};
}

NoiseTerm NoisyComponents::term(std::size_t part, Alpha alpha) const {
  return laws[part] ? noise_term(*laws[part], parts.parts[part].exponent, alpha) : NoiseTerm{};
}

Estimates estimates_of(const NoisyComponents& noisy, std::size_t aggregate, Alpha alpha) {
  const NoisyAggregate its(noisy, aggregate, alpha);
  return class_of(its.aggregate().kind).estimate(its);
}

}  // namespace dp::query

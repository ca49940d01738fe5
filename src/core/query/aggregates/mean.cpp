#include <algorithm>
#include <cmath>

#include "core/query/aggregates/aggregate_class.h"
#include "core/query/aggregates/noisy_aggregate.h"
#include "core/query/columns.h"
#include "core/query/quantise.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

// The middle of the bounds, in the unit of the release.
double middle_of(const Quantiser& quantiser) {
  return std::ldexp(static_cast<double>(quantiser.offset), quantiser.exponent);
}

class Mean final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const Field field = list.field_of(aggregate);
    const bool drops = may_drop(field);
    const CountedRows rows = list.rows_of(aggregate);
    const Origin origin = aggregate.weights ? Origin::coarse : Origin::middle;
    AggregateComponents parts;
    parts.quantiser = quantiser_of(field, aggregate.bounds, origin, aggregate.name);
    const double weight = list.weight_beside_count(aggregate, drops, 1);
    parts.main = {
        list.share(aggregate, list.sum_part(aggregate, rows, parts.quantiser, drops), weight)};
    parts.count = list.counted_part(aggregate, rows, drops, aggregate.weight / 2);
    const auto least = static_cast<double>(std::max<std::int64_t>(rows.least, 1));
    parts.least_rows = std::ldexp(least, rows.exponent);
    return parts;
  }

  Estimates estimate(const NoisyAggregate& noisy) const override {
    const AggregateComponents& places = noisy.places();
    const NoiseTerm of_sum = noisy.term(noisy.main());
    const NoiseTerm of_rows = noisy.term(*places.count);
    const auto reach = [&](double mean) {
      CombinedNoise noise(noisy.combined());
      noise.add(1, of_sum);
      noise.add(mean, of_rows);
      return noise.reach();
    };
    const double middle = middle_of(places.quantiser);
    const Range bounds{places.quantiser.lower, places.quantiser.upper};
    const Range around{bounds.lower - middle, bounds.upper - middle};
    Estimates result;
    for (std::size_t group = 0; group < noisy.groups(); ++group) {
      check_interrupt();
      const double sum = noisy.number(noisy.main(), group);
      const double count = noisy.number(*places.count, group);
      const double mean = std::clamp(sum / noisy.rows(group), around.lower, around.upper);
      const bool may_be_empty = count - of_rows.reach <= 0;
      const Range means = may_be_empty ? around : ratios_about(mean, sum, count, around, reach);
      push_bounded(result,
                   std::clamp(middle + mean, bounds.lower, bounds.upper),
                   {middle + means.lower, middle + means.upper},
                   bounds,
                   may_be_empty);
    }
    return result;
  }
};

}  // namespace

const AggregateClass& mean_class() {
  static const Mean kClass;
  return kClass;
}

}  // namespace dp::query

#include "core/query/aggregates/aggregate_class.h"
#include "core/query/columns.h"
#include "core/query/quantise.h"

namespace dp::query {
namespace {

class Sum final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const Field field = list.field_of(aggregate);
    const CountedRows rows = list.rows_of(aggregate);
    const Origin origin = aggregate.weights ? Origin::factor : Origin::zero;
    const Quantiser quantiser = quantiser_of(field, aggregate.bounds, origin, aggregate.name);
    const NoisyComponent part = list.sum_part(aggregate, rows, quantiser, may_drop(field));
    AggregateComponents parts;
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }
};

}  // namespace

const AggregateClass& sum_class() {
  static const Sum kClass;
  return kClass;
}

}  // namespace dp::query

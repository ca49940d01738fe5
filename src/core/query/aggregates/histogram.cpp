#include "core/query/aggregates/aggregate_class.h"
#include "core/query/grids.h"

namespace dp::query {
namespace {

class Histogram final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    const HistogramCells cells = histogram_cells(aggregate, list.field_of(aggregate));
    AggregateComponents parts;
    parts.quantiser = cells.quantiser;
    parts.grid = cells.grid.values;
    NoisyComponent part;
    part.kind = NoisyComponent::Kind::cells;
    part.tally =
        list.tally(ExactAggregate::Kind::bins, aggregate.of, cells.quantiser, cells.grid.points);
    part.cells = cells.rule;
    part.effect = effect_on_cells(1);
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }

  bool makes_lists(const Aggregate& /*aggregate*/) const override { return true; }
};

}  // namespace

const AggregateClass& histogram_class() {
  static const Histogram kClass;
  return kClass;
}

}  // namespace dp::query

#include "core/query/aggregates/aggregate_class.h"

namespace dp::query {
namespace {

// People with more rows than the caps of the last truncate(), or the number of their dropped rows.
class BeyondCaps final : public AggregateClass {
 public:
  explicit BeyondCaps(bool counts_people) : counts_people_(counts_people) {}

  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    AggregateComponents parts;
    const std::uint32_t up_to = counts_people_ ? 1 : aggregate.up_to;
    parts.main = {list.dropped_part(aggregate, up_to, aggregate.weight)};
    return parts;
  }

 private:
  bool counts_people_;
};

}  // namespace

const AggregateClass& capped_class() {
  static const BeyondCaps kClass(true);
  return kClass;
}

const AggregateClass& dropped_class() {
  static const BeyondCaps kClass(false);
  return kClass;
}

}  // namespace dp::query

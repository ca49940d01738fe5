#include "core/query/aggregates/aggregate_class.h"

namespace dp::query {
namespace {

class Rows final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    AggregateComponents parts;
    const CountedRows rows = list.rows_of(aggregate);
    parts.main = {list.counted_part(aggregate, rows, false, aggregate.weight)};
    return parts;
  }
};

class People final : public AggregateClass {
 public:
  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    AggregateComponents parts;
    parts.main = {list.ids_part(aggregate, aggregate.weight)};
    return parts;
  }
};

// A number of rows with some property, or of values. One row moves it by 1.
class OfColumn final : public AggregateClass {
 public:
  explicit OfColumn(ExactAggregate::Kind kind) : kind_(kind) {}

  AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const override {
    list.field_of(aggregate);  // checks the column
    AggregateComponents parts;
    const NoisyComponent part =
        ComponentList::number(list.tally(kind_, aggregate.of), effect_on_count(list.facts(false)));
    parts.main = {list.share(aggregate, part, aggregate.weight)};
    return parts;
  }

 private:
  ExactAggregate::Kind kind_;
};

}  // namespace

const AggregateClass& count_class() {
  static const Rows kClass;
  return kClass;
}

const AggregateClass& people_class() {
  static const People kClass;
  return kClass;
}

const AggregateClass& missing_class() {
  static const OfColumn kClass(ExactAggregate::Kind::missing);
  return kClass;
}

const AggregateClass& distinct_class() {
  static const OfColumn kClass(ExactAggregate::Kind::distinct);
  return kClass;
}

}  // namespace dp::query

// The kinds of aggregates. The class of a kind adds the numbers to measure, and computes estimates
// with intervals from the noisy numbers. A new kind needs an entry in Aggregate::Kind, a class in
// a file of this folder, and a row in registry.cpp. JSON, R and the help read the rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/component_list.h"
#include "core/query/estimates.h"
#include "core/query/noisy_components.h"
#include "core/query/statement.h"

namespace dp::query {

class NoisyAggregate;

class AggregateClass {
 public:
  virtual ~AggregateClass() = default;

  // Adds the measured numbers, with the effect of one row on each, to `list`. Throws unsupported if
  // the unit or the column does not allow the aggregate, and domain as quantiser_of() does.
  virtual AggregateComponents lower(ComponentList& list, const Aggregate& aggregate) const = 0;

  // Estimates of all groups: by default each number as it was measured.
  virtual Estimates estimate(const NoisyAggregate& noisy) const;

  // Whether each group has several numbers.
  virtual bool makes_lists(const Aggregate& /*aggregate*/) const { return false; }
};

// How an aggregate reads its column, see lowered.h.
enum class Reads : std::uint8_t { nothing, amounts, keys };

// Counts and sums are measured as they are. A statistic follows from several noisy numbers, or from
// noisy choices, and stays within the range of the values.
enum class Quantity : std::uint8_t { count, sum, statistic };
inline constexpr const char* kQuantityNames[] = {"count", "sum", "statistic"};

// Public facts about a kind.
struct AggregateRow {
  Aggregate::Kind kind;
  const AggregateClass& (*implementation)();
  Reads reads;
  Quantity quantity;
  const char* plural;
  std::vector<std::string> keys;  // in JSON, beside the keys of all kinds
};

// All kinds, in the order of Aggregate::Kind.
const std::vector<AggregateRow>& aggregate_rows();
const AggregateRow& row_of(Aggregate::Kind kind);
const AggregateClass& class_of(Aggregate::Kind kind);
bool has_key(const AggregateRow& row, const std::string& key);

const AggregateClass& count_class();
const AggregateClass& people_class();
const AggregateClass& missing_class();
const AggregateClass& distinct_class();
const AggregateClass& sum_class();
const AggregateClass& mean_class();
const AggregateClass& variance_class();
const AggregateClass& deviation_class();
const AggregateClass& quantiles_class();
const AggregateClass& histogram_class();
const AggregateClass& capped_class();
const AggregateClass& dropped_class();
const AggregateClass& moment_class();
const AggregateClass& effect_class();
const AggregateClass& logit_class();
const AggregateClass& poisson_class();

}  // namespace dp::query

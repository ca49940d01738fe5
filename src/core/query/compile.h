// Compiles a statement to a measurement and its public description.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/query/exact_aggregate.h"
#include "core/query/query_plan.h"

namespace dp::query {

// Counts the requested tallies in private data. Results for neighbouring data differ as norms.h
// states.
using AggregationFunction =
    std::function<ExactAggregates(const std::vector<ExactAggregate>&, const Value& data)>;

// One measured quantity, in the unit of the release; NaN if unknown or not requested.
struct PreviewRow {
  std::string column;     // the aggregate; "(keys)" for keys
  std::string aggregate;  // "count", "sum", ...
  std::string part;       // of a mean or variance: "rows", "sum", "squares"
  std::string mechanism;
  double scale;
  double sensitivity;  // L1 or L2, as the mechanism counts
  double accuracy;     // at the plan's alpha; of quantiles, of their ranks, in rows
  double threshold;
  double share;
  double loss;
  double delta;
};

// Describes one measured quantity for an external accountant, in whole lattice steps.
struct PrivacyEvent {
  std::string column;
  std::string mechanism;
  ContributionBound bound;
  double sensitivity;
  double scale;
  int exponent;  // a step is 2^exponent
};

struct CompiledQuery {
  Measurement measurement;
  Loss loss;  // at the unit's distance; at most the requested loss
  std::vector<PreviewRow> preview;
  std::vector<PrivacyEvent> events;
};

// Builds the measurement of a statement. Its input is one private table, whose tallies `tally`
// counts. Distances are in added or removed rows, in replaced rows, or in people; for people, the
// table is a multiset of them.
//
// Releases a tuple of six tuples with one column per output: keys, estimates, deviations, lower and
// upper ends, and marks (estimates.h). An output with several numbers has a tuple with one column
// per group.
//
// Throws as QueryPlan does.
CompiledQuery compile(Statement statement,
                      const Loss& loss,
                      Alpha alpha,
                      AggregationFunction tally);

// Finds the least loss that gives aggregates their accuracy, at their weights. Throws
// unsupported for aggregates whose accuracy depends on the data, and as QueryPlan does.
Loss solve(const Statement& statement,
           const Loss& measure,
           const std::map<std::string, double>& accuracy,
           Alpha alpha);

}  // namespace dp::query

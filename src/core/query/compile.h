// From a statement to a measurement, and what is public of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/measurements/measurement.h"
#include "core/query/query_plan.h"
#include "core/query/tally.h"

namespace dp::query {

// Counts what it is asked for in private data, whatever they are; the numbers of neighbours differ
// as norms.h says.
using TallyFunction = std::function<Tallied(const std::vector<Tally>&, const Value& data)>;

// One thing that is measured. In the unit of the release; NaN where nothing is known or asked for.
struct PreviewRow {
  std::string column;     // the aggregate it is measured for; "(keys)" if for none
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

// The same for an outside accountant: on whole numbers of steps.
struct PrivacyEvent {
  std::string column;
  std::string mechanism;
  Triple triple;
  double sensitivity;
  double scale;
  int exponent;  // a step is 2^exponent
};

struct CompiledQuery {
  Measurement measurement;
  Loss loss;  // at the unit's distance; at most what was asked for
  std::vector<PreviewRow> preview;
  std::vector<PrivacyEvent> events;
};

// The measurement of a statement. Its input is one private table, of which `tally` counts; its
// distance is in rows that come or go, in rows that are replaced, or in people, of whom the table
// is then a multiset.
//
// Releases a tuple of six tuples with a column for each output: of keys, estimates, deviations,
// lower and upper ends, and marks (estimates.h); of outputs with several numbers, a tuple of a
// column for each group.
//
// Throws as QueryPlan does.
CompiledQuery compile(Statement statement, const Loss& loss, Alpha alpha, TallyFunction tally);

// The least loss at which aggregates are as accurate as asked, at their weights. Throws unsupported
// for aggregates whose accuracy depends on the data, and as QueryPlan does.
Loss solve(const Statement& statement,
           const Loss& measure,
           const std::map<std::string, double>& accuracy,
           Alpha alpha);

}  // namespace dp::query

// The errors that a query would have in groups of a public size, before anything is read.
#pragma once

#include <vector>

#include "core/query/estimates.h"
#include "core/query/query_plan.h"

namespace dp::query {

// Estimates of each output in made-up groups, one for each number of `rows`: their noise is 0, and
// their rows are spread evenly over the bounds or the cells, each with the middle of the weights.
// Half of an interval is then the error to expect, with probability 1 - alpha at most that. A
// quantile by scores has the interval of its rank among evenly spread rows.
std::vector<Estimates> expected_estimates(const QueryPlan& plan,
                                          const std::vector<std::uint64_t>& rows);

}  // namespace dp::query

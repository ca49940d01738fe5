// Predicts the errors of a query in groups of a public size, before any data are read.
#pragma once

#include <vector>

#include "core/query/estimates.h"
#include "core/query/query_plan.h"

namespace dp::query {

// Estimates each output in hypothetical groups, one for each number of `rows`. Their noise is 0,
// and their rows are spread evenly over the bounds or the cells, each with the middle of the
// weights. Half of an interval bounds the error with probability 1 - alpha. A quantile by scores
// has the interval of its rank among evenly spread rows.
std::vector<Estimates> expected_estimates(const QueryPlan& plan,
                                          const std::vector<std::uint64_t>& rows);

}  // namespace dp::query

// Reference counts of a query by the simplest method, to check fast kernels and maps. Supports
// truncations and plain columns, but no other steps or expressions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/query/exact_aggregate.h"
#include "core/query/statement.h"

namespace dp::test {

// Cells are numbers. Levels are represented by their positions.
struct QueryRow {
  int person;
  std::map<std::string, std::optional<double>> cells;
};
using QueryTable = std::vector<QueryRow>;

query::ExactAggregates reference_tally(const query::Statement& statement,
                                       const std::vector<query::ExactAggregate>& tallies,
                                       const QueryTable& table);

query::ExpressionPtr column_of_query(const std::string& name);

}  // namespace dp::test

// The integers of a query, counted in the plainest way: what fast kernels and maps are checked
// against. Knows truncations, and columns as they are; no other steps or expressions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/query/statement.h"
#include "core/query/tally.h"

namespace dp::test {

// Cells are numbers: of levels their places.
struct QueryRow {
  int person;
  std::map<std::string, std::optional<double>> cells;
};
using QueryTable = std::vector<QueryRow>;

query::Tallied reference_tally(const query::Statement& statement,
                               const std::vector<query::Tally>& tallies,
                               const QueryTable& table);

query::ExpressionPtr column_of_query(const std::string& name);

}  // namespace dp::test

// Reads an engine's result as the kernel's integers.
//
// The engine is not trusted to compute correctly (queries_v2, 3). Every cell is parsed as its
// expected type, and is corrected if it does not fit. A number that no table could produce is
// clamped to the possible range, and a repeated key counts once. A group without rows is dropped,
// and so is a key that is not a value of its column.
//
// Privacy: each correction depends only on the cells of one group, so the result has the
// sensitivity of the statement. No cell makes a release fail, because the failure would reveal
// something about the cell.
#pragma once

#include <string>
#include <vector>

#include "core/query/exact_aggregate.h"
#include "core/sql/writer.h"

namespace dp::sql {

// Takes rows of text in the columns of ResultLayout; a missing cell is an empty text. Throws
// backend if the number of columns differs, which depends only on the statement.
query::ExactAggregates ingest(const ResultLayout& layout,
                              const std::vector<query::ExactAggregate>& tallies,
                              const std::vector<std::vector<std::string>>& columns);

}  // namespace dp::sql

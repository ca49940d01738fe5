// What an engine sends back, as the kernel's integers.
//
// The engine is not trusted to add up (queries_v2, 3): every cell is read as what it must be, and
// made to fit where it is not. A number that no table could give is held to the range of those that
// could, a key twice counts once, a group without rows is none, a key that is no value of its
// column is nobody's. All of it hangs on one group's cells alone. So what is released has the
// sensitivity of the statement, and no cell makes a release fail, which would say something of it.
#pragma once

#include <string>
#include <vector>

#include "core/query/tally.h"
#include "core/sql/writer.h"

namespace dp::sql {

// Rows of text, in the columns of ResultLayout; a missing cell is an empty text. Throws backend if
// there are not as many columns, which hangs on the statement alone.
query::Tallied ingest(const ResultLayout& layout,
                      const std::vector<query::Tally>& tallies,
                      const std::vector<std::vector<std::string>>& columns);

}  // namespace dp::sql

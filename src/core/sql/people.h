// Combines the rows of each person in SQL, for truncate() and per_unit().
//
// Ranks are functions of a row's person, keys and values, and of the salt: windows by person over
// hashes. They never use RANDOM() or the position of a row, because one person's rows would shift
// both for all others (queries_v2, 3.3). With `first` and `last`, the order of a row precedes its
// hash. The least order of a person's rows in a group precedes the hash of the group
// (truncate_sink.h); this is a window over the rows of this person. Every ORDER BY states its
// direction and the position of missing values.
#pragma once

#include <string>
#include <vector>

#include "core/query/pipeline.h"
#include "core/query/truncate_sink.h"
#include "core/sql/expression.h"

namespace dp::sql {

// The chain of one statement, and the columns that name people, which are never missing.
struct PeopleRows {
  Chain& chain;
  std::vector<SqlColumn> ids;
  std::string salt;          // in hexadecimal digits
  std::string dropped = {};  // column: rows of the person that truncate() dropped, if counted
};

// Keeps the rows within the caps, with the same columns. Throws unsupported if a real column is
// needed afterwards: ranks would hash its text, which differs between engines.
void truncate_rows(PeopleRows& rows,
                   const query::Truncate& caps,
                   const query::TruncateSink& sink,
                   const std::vector<query::Field>& fields,
                   const query::TextPool& texts,
                   Columns& columns);

// Makes one row for each person and combination of keys. `columns` are replaced by the new ones,
// whose fields are `made`. Throws unsupported for sums of reals, and in Spark for sums that can
// exceed 2^59.
void total_rows(PeopleRows& rows,
                const query::PerUnit& step,
                const std::vector<query::Field>& fields,
                const std::vector<query::Field>& made,
                query::TextPool& texts,
                Columns& columns);

}  // namespace dp::sql

// Where the rows of each person meet, in SQL: truncate() and per_unit().
//
// Ranks are functions of a row's own person, keys and values, and of the salt: windows by person
// over their hashes, never over RANDOM() or the place of a row, which one person's rows would shift
// for all others (queries_v2, 3.3). With `first` and `last` the order of a row comes before its
// hash, and the least order of a person's rows in a group before the hash of the group
// (truncate_sink.h): a window over the rows of this person. Every ORDER BY says its direction and
// where missing values stand.
#pragma once

#include <string>
#include <vector>

#include "core/query/pipeline.h"
#include "core/query/truncate_sink.h"
#include "core/sql/expression.h"

namespace dp::sql {

// The chain of one statement, and the columns that name people, of which none is missing.
struct PeopleRows {
  Chain& chain;
  std::vector<SqlColumn> ids;
  std::string salt;          // in hexadecimal digits
  std::string dropped = {};  // column: rows of the person that truncate() dropped, if counted
};

// Rows that stay; the columns are those of before. Throws unsupported if a real column is needed
// after it: its text, which ranks hash, differs between engines.
void truncate_rows(PeopleRows& rows,
                   const query::Truncate& caps,
                   const query::TruncateSink& sink,
                   const std::vector<query::Field>& fields,
                   const query::TextPool& texts,
                   Columns& columns);

// One row for each person and combination of keys; `columns` become the new ones, of which `made`
// are the fields. Throws unsupported for sums of reals, and in Spark for sums of more than 2^59.
void total_rows(PeopleRows& rows,
                const query::PerUnit& step,
                const std::vector<query::Field>& fields,
                const std::vector<query::Field>& made,
                query::TextPool& texts,
                Columns& columns);

}  // namespace dp::sql

// Writes a statement in the SQL of an engine. The engine returns the same integers as the kernel.
//
// The SQL follows the pipeline that the kernel would run on the table (pipeline.h), step by step:
// columns as declared (source.h), then expressions (expression.h). Per person it keeps the rows of
// least rank, by the same SHA-256 of salt, id, keys and values (ranks.h), with ties broken by the
// values. Then it computes counts and sums by key. So the SQL has the kernel's sensitivity. On one
// table and with one salt it gives the kernel's integers, bit for bit.
//
// No row can raise an error, in any order of evaluation: every link of the chain is total on the
// possible contents of its table. The result does not depend on settings. Text is compared as
// bytes, every ORDER BY places missing values, and conditions are inside CASE. All results are
// text, from one statement, so they see one snapshot.
//
// Throws unsupported before anything is sent if SQL cannot express the statement, and names the
// cause. Throws source if a column is absent or differs from its declaration.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/exact_aggregate.h"
#include "core/query/ranks.h"
#include "core/query/statement.h"
#include "core/sql/source.h"

namespace dp::sql {

// Layout of the result columns: `branch`, the keys k0, k1, ..., then v0, v1, ... . Rows of branch 0
// hold the row count of a group and its single-number tallies, in order. Rows of a later branch
// hold a bin of one tally's grid and the number of rows in it.
struct ResultLayout {
  std::vector<query::Field> by;
  std::vector<std::size_t> scalars;  // tallies of branch 0, beside the rows
  std::vector<std::size_t> grids;    // of branch 1, 2, ...
  std::size_t values = 1;            // columns v
};

struct WrittenStatement {
  std::string sql;
  std::string salt;  // as in the text, in hexadecimal digits
  ResultLayout layout;
};

// `salt` must be of kind sha256.
WrittenStatement write_sql(const Dialect& dialect,
                           const query::Statement& statement,
                           const std::vector<query::ExactAggregate>& tallies,
                           const EngineTable& table,
                           const query::Salt& salt);

}  // namespace dp::sql

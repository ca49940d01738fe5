// A statement in the SQL of an engine that runs it: what comes back are the kernel's integers.
//
// The statement is the pipeline that the kernel would run on a table of these columns (pipeline.h),
// step by step: columns as declared (source.h), expressions (expression.h), per person the rows of
// least rank, by the same SHA-256 of salt, id, keys and values (ranks.h), ties broken by the
// values; then counts and sums by key. So it has the kernel's sensitivity, and on one table under
// one salt the kernel's integers, bit for bit.
//
// No row can raise, in any order of evaluation: every link of the chain is total on what its table
// can hold. Nothing hangs on settings: text is compared as bytes, orders say where missing values
// stand, conditions stand in CASE. All results are text, in one statement, which sees one snapshot.
//
// What cannot be said so throws unsupported, naming what it is, before anything is sent; columns
// that are not there or not as declared throw source.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/expressions/field.h"
#include "core/query/ranks.h"
#include "core/query/statement.h"
#include "core/query/tally.h"
#include "core/sql/source.h"

namespace dp::sql {

// What the columns of the result are: `branch`, the keys k0, k1, ..., then v0, v1, ... . Rows of
// branch 0 have the number of rows of a group and the tallies of one number, in their order; those
// of a later one the bin, and the number of rows in it, of the grid of one tally.
struct ResultLayout {
  std::vector<query::Field> by;
  std::vector<std::size_t> scalars;  // tallies of branch 0, beside the rows
  std::vector<std::size_t> grids;    // of branch 1, 2, ...
  std::size_t values = 1;            // columns v
};

struct WrittenStatement {
  std::string sql;
  std::string salt;  // as it stands in it, in hexadecimal digits
  ResultLayout layout;
};

// `salt` must be of kind sha256.
WrittenStatement write_sql(Dialect dialect,
                           const query::Statement& statement,
                           const std::vector<query::Tally>& tallies,
                           const EngineTable& table,
                           const query::Salt& salt);

}  // namespace dp::sql

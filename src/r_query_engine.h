// Connects to private tables that stay in an engine: their description in R, sent statements and
// returned results.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/exact_aggregate.h"
#include "core/query/statement.h"
#include "core/sql/writer.h"

namespace dp::r {

// A list of class "dp_engine". An engine that counts has its name `engine`, `path`, the `names` and
// `kinds` of columns, and `run`. run() takes a statement and its salt, and returns the result's
// columns as character vectors.
//
// An engine that can count concurrently also has `begin`, a function with the same arguments. It
// returns two functions: `rows`, which waits for the result of run(), and `close`.
//
// An engine whose rows are read into R has `open`. open() returns an Arrow `stream` of nanoarrow's,
// or a function that returns the `next` chunk as a data frame, NULL after the last. It also returns
// a function to `close` either.
bool is_engine(SEXP object);

bool is_streamed(SEXP engine);

// Converts SQL to R's text in UTF-8, which a driver needs in any locale.
SEXP sql_to_r(const std::string& sql);

// Quotes the parts of a table's path for the engine with this name.
std::string engine_path_from_r(SEXP engine, SEXP path);

// The statement for the tallies.
sql::WrittenStatement statement_for_engine(SEXP engine,
                                           const query::Statement& statement,
                                           const std::vector<query::ExactAggregate>& tallies,
                                           const query::Salt& salt);

// The text that is sent for a written statement.
std::string sql_for_engine(SEXP engine, const sql::WrittenStatement& written);

// A running count of an engine with `begin`; the constructor starts it. The tallies must outlive
// it.
class BegunCount {
 public:
  BegunCount(SEXP engine,
             const query::Statement& statement,
             const std::vector<query::ExactAggregate>& tallies,
             const query::Salt& salt);
  ~BegunCount();
  BegunCount(const BegunCount&) = delete;
  BegunCount& operator=(const BegunCount&) = delete;

  query::ExactAggregates result() const;

 private:
  const std::vector<query::ExactAggregate>& tallies_;
  sql::WrittenStatement written_;
  Rcpp::List begun_;
};

bool can_begin(SEXP engine);

// Sends the statement and reads its result. If the engine's rows are read into R, counts them.
query::ExactAggregates tally_in_engine(SEXP engine,
                                       const query::Statement& statement,
                                       const std::vector<query::ExactAggregate>& tallies,
                                       const query::Salt& salt);

}  // namespace dp::r

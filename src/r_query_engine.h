// Private tables that stay in an engine: what R knows of them, and the way there and back.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "core/query/statement.h"
#include "core/query/tally.h"
#include "core/sql/writer.h"

namespace dp::r {

// A list of class "dp_engine": of one that counts, `dialect`, `path`, the `names` and `kinds` of
// columns, and `run`, a function that takes a statement and the salt in it, and returns its columns
// as character vectors.
//
// One that can count beside others has `begin`, too: a function of the same arguments that returns
// two others, `rows`, which waits for what run() returns, and `close`.
//
// Of one whose rows come here, `open`: a function that returns an Arrow `stream` of nanoarrow's, or
// a function that returns the `next` chunk as a data frame, NULL after the last; and a function to
// `close` either.
bool is_engine(SEXP object);

bool is_streamed(SEXP engine);

// A statement, or a part of one, as R's text in UTF-8, which a driver needs in any locale.
SEXP sql_to_r(const std::string& sql);

// The parts of a table's path, quoted for the dialect.
std::string engine_path_from_r(SEXP dialect, SEXP path);

// What would be sent for the tallies.
sql::WrittenStatement statement_for_engine(SEXP engine,
                                           const query::Statement& statement,
                                           const std::vector<query::Tally>& tallies,
                                           const query::Salt& salt);

// The text that is sent of it.
std::string sql_for_engine(SEXP engine, const sql::WrittenStatement& written);

// What an engine with `begin` counts, from when this is made. The tallies must live as long.
class BegunCount {
 public:
  BegunCount(SEXP engine,
             const query::Statement& statement,
             const std::vector<query::Tally>& tallies,
             const query::Salt& salt);
  ~BegunCount();
  BegunCount(const BegunCount&) = delete;
  BegunCount& operator=(const BegunCount&) = delete;

  query::Tallied result() const;

 private:
  const std::vector<query::Tally>& tallies_;
  sql::WrittenStatement written_;
  Rcpp::List begun_;
};

bool can_begin(SEXP engine);

// Sends it, and takes back what comes; of an engine whose rows come here, counts these.
query::Tallied tally_in_engine(SEXP engine,
                               const query::Statement& statement,
                               const std::vector<query::Tally>& tallies,
                               const query::Salt& salt);

}  // namespace dp::r

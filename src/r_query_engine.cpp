#include "r_query_engine.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "boundary.h"
#include "core/query/kernel.h"
#include "core/sql/early_rows.h"
#include "core/sql/engines/registry.h"
#include "core/sql/ingest.h"
#include "r_frames.h"
#include "r_jumps.h"
#include "r_query_arrow.h"
#include "r_query_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

sql::EngineColumn::Kind column_kind(const std::string& name) {
  for (std::size_t i = 0; i < std::size(sql::kEngineKindNames); ++i) {
    if (sql::kEngineKindNames[i] == name) return static_cast<sql::EngineColumn::Kind>(i);
  }
  throw Error(ErrorKind::failed_cast, "`" + name + "` is not a kind of column.");
}

std::vector<std::string> texts_of_engine(const Rcpp::List& engine, const char* name) {
  return strings_from_r(engine[name], name);
}

sql::EngineTable engine_table(const Rcpp::List& engine) {
  sql::EngineTable table;
  table.path = texts_of_engine(engine, "path");
  const std::vector<std::string> names = texts_of_engine(engine, "names");
  const std::vector<std::string> kinds = texts_of_engine(engine, "kinds");
  for (std::size_t i = 0; i < names.size() && i < kinds.size(); ++i) {
    table.columns.push_back({names[i], column_kind(kinds[i])});
  }
  return table;
}

// A missing cell counts as empty. Cells are ASCII, even if R declares a different encoding.
std::vector<std::string> cells_from_r(SEXP vector) {
  std::vector<std::string> cells;
  if (TYPEOF(vector) != STRSXP) return cells;
  for (R_xlen_t i = 0; i < Rf_xlength(vector); ++i) {
    const SEXP cell = STRING_ELT(vector, i);
    cells.emplace_back(cell == NA_STRING ? "" : CHAR(cell));
  }
  return cells;
}

}  // namespace

bool is_engine(SEXP object) { return TYPEOF(object) == VECSXP && Rf_inherits(object, "dp_engine"); }

SEXP sql_to_r(const std::string& sql) {
  return Rf_ScalarString(Rf_mkCharLenCE(sql.data(), static_cast<int>(sql.size()), CE_UTF8));
}

std::string engine_path_from_r(SEXP engine, SEXP path) {
  return sql::quoted_path(sql::dialect_named(string_from_r(engine, "engine")),
                          {strings_from_r(path, "path"), {}});
}

sql::WrittenStatement statement_for_engine(SEXP engine,
                                           const query::Statement& statement,
                                           const std::vector<query::ExactAggregate>& tallies,
                                           const query::Salt& salt) {
  const Rcpp::List list(engine);
  const sql::Dialect& dialect = sql::dialect_named(string_from_r(list["engine"], "engine"));
  return sql::write_sql(dialect, statement, tallies, engine_table(list), salt);
}

namespace {

void close_rows(const Rcpp::List& parts) {
  const Undisturbed undisturbed;
  try {
    Rcpp::as<Rcpp::Function>(parts["close"])();
  } catch (...) {  // rows already read stay valid
  }
}

query::ExactAggregates ingested(const sql::WrittenStatement& written,
                                const std::vector<query::ExactAggregate>& tallies,
                                const Rcpp::List& result) {
  std::vector<std::vector<std::string>> columns;
  for (const SEXP column : result) columns.push_back(cells_from_r(column));
  return sql::ingest(written.layout, tallies, columns);
}

// Closes opened rows even after an error.
class OpenRows {
 public:
  explicit OpenRows(const Rcpp::List& engine)
      : parts_(Rcpp::as<Rcpp::Function>(engine["open"])()) {}
  ~OpenRows() { close_rows(parts_); }
  OpenRows(const OpenRows&) = delete;
  OpenRows& operator=(const OpenRows&) = delete;

  query::ExactAggregates tally(const query::Statement& statement,
                               const std::vector<query::ExactAggregate>& tallies,
                               const query::Salt& salt) const {
    if (parts_.containsElementNamed("stream")) {
      const SEXP stream = parts_["stream"];
      return tally_arrow(stream, statement, tallies, salt);
    }
    return query::tally_stream(
        statement, tallies, [&] { return next(statement.source); }, salt);
  }

 private:
  std::optional<query::QueryRows> next(const query::Source& source) const {
    const Rcpp::RObject chunk = Rcpp::as<Rcpp::Function>(parts_["next"])();
    if (chunk.isNULL()) return std::nullopt;
    return query_rows_from_r(chunk, source);
  }

  Rcpp::List parts_;
};

}  // namespace

bool is_streamed(SEXP engine) { return Rcpp::List(engine).containsElementNamed("open"); }

query::ExactAggregates tally_in_engine(SEXP engine,
                                       const query::Statement& statement,
                                       const std::vector<query::ExactAggregate>& tallies,
                                       const query::Salt& salt) {
  if (is_streamed(engine)) return OpenRows(Rcpp::List(engine)).tally(statement, tallies, salt);
  const sql::WrittenStatement written = statement_for_engine(engine, statement, tallies, salt);
  const Rcpp::Function run = Rcpp::List(engine)["run"];
  const Rcpp::RObject sql = sql_to_r(written.sql);
  return ingested(written, tallies, run(sql, written.salt));
}

bool can_begin(SEXP engine) {
  return is_engine(engine) && Rcpp::List(engine).containsElementNamed("begin");
}

std::string sql_for_engine(SEXP engine, const sql::WrittenStatement& written) {
  return can_begin(engine) ? sql::behind_early_rows(written) : written.sql;
}

BegunCount::BegunCount(SEXP engine,
                       const query::Statement& statement,
                       const std::vector<query::ExactAggregate>& tallies,
                       const query::Salt& salt)
    : tallies_(tallies), written_(statement_for_engine(engine, statement, tallies, salt)) {
  const Rcpp::Function begin = Rcpp::List(engine)["begin"];
  const Rcpp::RObject sql = sql_to_r(sql_for_engine(engine, written_));
  begun_ = begin(sql, written_.salt);
}

BegunCount::~BegunCount() { close_rows(begun_); }

query::ExactAggregates BegunCount::result() const {
  return ingested(written_, tallies_, Rcpp::as<Rcpp::Function>(begun_["rows"])());
}

}  // namespace dp::r

#include "r_query_rows.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/query/word_table.h"
#include "r_frames.h"
#include "r_integer64.h"
#include "r_scalars.h"
#include "r_settled.h"

namespace dp::r {
namespace {

using query::QueryColumn;

[[noreturn]] void refuse_column(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::source, "column `" + name + "` " + what + ".");
}

// Whether the class only describes labels of elements.
bool is_plain_vector(SEXP vector) {
  return !OBJECT(vector) || Rf_inherits(vector, "haven_labelled") ||
         Rf_inherits(vector, "labelled") || Rf_inherits(vector, "AsIs");
}

std::optional<QueryColumn::Kind> kind_of_vector(SEXP vector) {
  using Kind = QueryColumn::Kind;
  if (!Rf_isNull(Rf_getAttrib(vector, R_DimSymbol))) return std::nullopt;
  const bool plain = is_plain_vector(vector);
  const bool date = Rf_inherits(vector, "Date");
  switch (TYPEOF(vector)) {
    case LGLSXP:
      return plain ? std::optional(Kind::logical) : std::nullopt;
    case INTSXP:
      if (Rf_inherits(vector, "factor")) return Kind::text;
      if (date) return Kind::date32;
      return plain ? std::optional(Kind::int32) : std::nullopt;
    case REALSXP:
      if (is_integer64(vector)) return Kind::int64;
      if (date) return Kind::date;
      return plain ? std::optional(Kind::real) : std::nullopt;
    case STRSXP:
      return plain ? std::optional(Kind::text) : std::nullopt;
    default:
      return std::nullopt;
  }
}

const void* elements_of(SEXP vector) {
  switch (TYPEOF(vector)) {
    case LGLSXP:
      return LOGICAL_RO(vector);
    case INTSXP:
      return INTEGER_RO(vector);
    default:
      return REAL_RO(vector);
  }
}

// The codes and texts of a character vector, and the owner that keeps them alive.
struct TextCells {
  std::shared_ptr<void> vector;
  std::vector<std::int32_t> codes;
  std::deque<std::string> translated;
};

// The text of `string` in place, or translated; none if it is missing. Bytes that are not valid
// text stay unchanged, because a declaration can state their encoding, and they can name a person.
std::optional<std::string_view> lasting_text(SEXP string, TextCells& cells) {
  if (string == NA_STRING) return std::nullopt;
  std::string translated;
  const std::optional<std::string_view> text = text_of(string, translated);
  if (!text) return std::string_view(CHAR(string), static_cast<std::size_t>(LENGTH(string)));
  if (text->data() != translated.data()) return text;
  return cells.translated.emplace_back(std::move(translated));
}

// R stores each string once, so its address identifies it.
void read_strings(SEXP vector, QueryColumn& column) {
  const auto cells = std::make_shared<TextCells>();
  cells->vector = keep_alive(vector);
  const SEXP* strings = STRING_PTR_RO(vector);
  const auto size = static_cast<std::size_t>(Rf_xlength(vector));
  cells->codes.resize(std::max<std::size_t>(size, 1));
  query::WordTable known(1);
  std::vector<std::int32_t> code_of;
  for (std::size_t i = 0; i < size; ++i) {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(strings[i]));
    const std::uint64_t number = known.number(&address);
    if (number == code_of.size()) {
      const std::optional<std::string_view> text = lasting_text(strings[i], *cells);
      if (text) column.labels.push_back(*text);
      code_of.push_back(text ? static_cast<std::int32_t>(column.labels.size()) : NA_INTEGER);
    }
    cells->codes[i] = code_of[number];
  }
  column.cells = cells->codes.data();
  column.owner = cells;
}

// A missing level keeps its index.
void read_factor(SEXP factor, QueryColumn& column) {
  const auto cells = std::make_shared<TextCells>();
  const Rcpp::Shield<SEXP> levels(Rf_getAttrib(factor, R_LevelsSymbol));
  const Rcpp::Shield<SEXP> same(settled(levels));
  cells->vector = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(
      keep_alive(factor), keep_alive(same));
  for (R_xlen_t i = 0; i < Rf_xlength(same); ++i) {
    column.labels.push_back(lasting_text(STRING_ELT(same, i), *cells).value_or(query::kNoLabel));
  }
  column.cells = INTEGER_RO(factor);
  column.owner = cells;
}

// Reads no element.
void check_form(const std::string& name, SEXP vector, std::size_t rows) {
  if (static_cast<std::size_t>(Rf_xlength(vector)) != rows) {
    refuse_column(name, "has another length than the data frame");
  }
  const Rcpp::Shield<SEXP> levels(Rf_getAttrib(vector, R_LevelsSymbol));
  if (Rf_inherits(vector, "factor") && TYPEOF(levels) != STRSXP) {
    refuse_column(name, "is a factor whose levels are no text");
  }
}

// Missing codes that the class declares: in package haven, values and a range.
query::MissingCodes codes_of(SEXP vector) {
  query::MissingCodes codes;
  if (!Rf_inherits(vector, "haven_labelled_spss")) return codes;
  const Rcpp::Shield<SEXP> values(Rf_getAttrib(vector, Rf_install("na_values")));
  const Rcpp::Shield<SEXP> range(Rf_getAttrib(vector, Rf_install("na_range")));
  if (TYPEOF(values) == STRSXP) {
    for (R_xlen_t i = 0; i < Rf_xlength(values); ++i) {
      std::string translated;
      const auto text = text_of(STRING_ELT(values, i), translated);
      if (text) codes.texts.emplace_back(*text);
    }
  } else if (TYPEOF(values) == REALSXP || TYPEOF(values) == INTSXP) {
    const Rcpp::NumericVector numbers(static_cast<SEXP>(values));
    codes.numbers.assign(numbers.begin(), numbers.end());
  }
  if ((TYPEOF(range) == REALSXP || TYPEOF(range) == INTSXP) && Rf_xlength(range) == 2) {
    const Rcpp::NumericVector ends(static_cast<SEXP>(range));
    codes.range = {ends[0], ends[1]};
  }
  return codes;
}

// Cells of SQLite that have a value of a different type: R/engine-sqlite.R records them.
std::shared_ptr<const std::int32_t> unread_of(SEXP vector, std::size_t rows) {
  const Rcpp::Shield<SEXP> unread(Rf_getAttrib(vector, Rf_install("dp_unread")));
  if (TYPEOF(unread) != INTSXP || static_cast<std::size_t>(Rf_xlength(unread)) != rows) return {};
  const Rcpp::Shield<SEXP> same(settled(unread));
  return {keep_alive(same), INTEGER_RO(same)};
}

QueryColumn query_column(const std::string& name, SEXP vector, std::size_t rows) {
  const std::optional<QueryColumn::Kind> kind = kind_of_vector(vector);
  if (!kind) refuse_column(name, "is of a class that queries do not read");
  const Rcpp::Shield<SEXP> same(settled(vector));
  check_form(name, same, rows);
  QueryColumn column;
  column.name = name;
  column.kind = *kind;
  column.codes = codes_of(same);
  column.unread = unread_of(same, rows);
  if (TYPEOF(same) == STRSXP) {
    read_strings(same, column);
  } else if (*kind == QueryColumn::Kind::text) {
    read_factor(same, column);
  } else {
    column.cells = elements_of(same);
    column.owner = keep_alive(same);
  }
  return column;
}

// Position of the only column of this name.
R_xlen_t place_in_frame(SEXP names, const std::string& name) {
  R_xlen_t found = -1;
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    std::string translated;
    const std::optional<std::string_view> text = text_of(STRING_ELT(names, i), translated);
    if (!text || *text != name) continue;
    if (found >= 0) refuse_column(name, "is in the data twice");
    found = i;
  }
  if (found < 0) throw Error(ErrorKind::source, "the data have no column `" + name + "`.");
  return found;
}

}  // namespace

std::vector<std::string> columns_of_source(const query::Source& source) {
  std::vector<std::string> wanted;
  for (const query::Field& field : source.fields) wanted.push_back(data_column(field));
  if (source.unit.kind == query::Unit::Kind::id) {
    wanted.insert(wanted.end(), source.unit.id.begin(), source.unit.id.end());
  }
  std::set<std::string> seen;
  std::vector<std::string> once;
  for (const std::string& name : wanted) {
    if (seen.insert(name).second) once.push_back(name);
  }
  return once;
}

const char* name_of_kind(query::QueryColumn::Kind kind) {
  using Kind = query::QueryColumn::Kind;
  switch (kind) {
    case Kind::logical:
      return "logical";
    case Kind::int32:
    case Kind::int64:
      return "whole";
    case Kind::real:
      return "real";
    case Kind::text:
      return "text";
    default:
      return "date";
  }
}

std::vector<std::string> frame_kinds_from_r(SEXP frame) {
  const std::size_t rows = frame_rows(frame);
  const std::vector<std::string> names =
      strings_from_r(Rcpp::Shield<SEXP>(Rf_getAttrib(frame, R_NamesSymbol)), "names");
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const SEXP vector = VECTOR_ELT(frame, static_cast<R_xlen_t>(i));
    const std::optional<QueryColumn::Kind> kind = kind_of_vector(vector);
    if (kind) check_form(names[i], vector, rows);
    kinds.emplace_back(kind ? name_of_kind(*kind) : "other");
  }
  return kinds;
}

query::QueryRows query_rows_from_r(SEXP object, const query::Source& source) {
  const Rcpp::Shield<SEXP> names(Rf_getAttrib(object, R_NamesSymbol));
  if (TYPEOF(object) != VECSXP || !Rf_inherits(object, "data.frame") ||
      Rf_xlength(names) != Rf_xlength(object)) {
    throw Error(ErrorKind::source, "the data must be a data frame.");
  }
  const std::size_t rows = frame_rows(object);
  std::vector<QueryColumn> columns;
  for (const std::string& name : columns_of_source(source)) {
    const SEXP vector = VECTOR_ELT(object, place_in_frame(names, name));
    columns.push_back(query_column(name, vector, rows));
  }
  return query::QueryRows(rows, std::move(columns));
}

}  // namespace dp::r

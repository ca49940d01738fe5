#include "r_program.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "r_columns.h"
#include "r_query_expressions.h"
#include "r_query_lists.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

std::vector<std::string> levels_from_r(SEXP levels) {
  std::vector<std::string> all;
  if (TYPEOF(levels) == STRSXP) {
    std::string room;
    for (R_xlen_t i = 0; i < Rf_xlength(levels); ++i) {
      const auto text = text_of(STRING_ELT(levels, i), room);
      if (!text) refuse_query("levels");
      all.emplace_back(*text);
    }
    return all;
  }
  if (TYPEOF(levels) != REALSXP) refuse_query("levels");
  for (R_xlen_t i = 0; i < Rf_xlength(levels); ++i) {
    const double level = REAL(levels)[i];
    if (!(std::trunc(level) == level && std::fabs(level) <= kMostDeclared)) refuse_query("levels");
    all.push_back(std::to_string(static_cast<std::int64_t>(level)));
  }
  return all;
}

}  // namespace

RowProgram program_from_r(const Rcpp::List& program) {
  const std::vector<ColumnSpec> columns = columns_from_r(list_at(program, "columns"));
  const Rcpp::List levels = list_at(program, "levels");
  if (static_cast<std::size_t>(levels.size()) != columns.size()) refuse_query("levels");
  std::vector<SourceColumn> sources;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const SEXP own = levels[static_cast<R_xlen_t>(i)];
    sources.push_back({columns[i], levels_from_r(own), TYPEOF(own) == REALSXP});
  }
  std::vector<DerivedTerm> terms;
  for (const SEXP each : list_at(program, "terms")) {
    const Rcpp::List term = list_in(each, "terms");
    terms.push_back({text_at(term, "name"), needed_expression(term, "expression")});
  }
  return RowProgram(std::move(sources), std::move(terms));
}

}  // namespace dp::r

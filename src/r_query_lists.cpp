#include "r_query_lists.h"

#include <cmath>

#include "boundary.h"
#include "r_scalars.h"

namespace dp::r {

void refuse_query(const std::string& part) {
  throw Error(ErrorKind::failed_cast, "`" + part + "` of a query is not what it must be.");
}

SEXP element(const Rcpp::List& list, const char* name) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  if (Rf_isNull(names)) return R_NilValue;
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::string(CHAR(STRING_ELT(names, i))) == name) return VECTOR_ELT(list, i);
  }
  return R_NilValue;
}

Rcpp::List list_in(SEXP object, const char* name) {
  if (TYPEOF(object) != VECSXP) refuse_query(name);
  return Rcpp::List(object);
}

Rcpp::List list_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  if (Rf_isNull(object)) return Rcpp::List();
  return list_in(object, name);
}

std::string text_at(const Rcpp::List& list, const char* name) {
  return string_from_r(element(list, name), name);
}

std::vector<std::string> texts_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  if (Rf_isNull(object)) return {};
  return strings_from_r(object, name);
}

double number_in(SEXP object, const char* name) {
  const bool is_number =
      (TYPEOF(object) == INTSXP || TYPEOF(object) == REALSXP) && Rf_xlength(object) == 1;
  if (!is_number) refuse_query(name);
  const double number = Rf_asReal(object);
  if (std::isnan(number)) refuse_query(name);
  return number;
}

std::optional<double> number_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  if (Rf_isNull(object)) return {};
  return number_in(object, name);
}

std::vector<double> numbers_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  if (Rf_isNull(object)) return {};
  if (TYPEOF(object) != INTSXP && TYPEOF(object) != REALSXP) refuse_query(name);
  return Rcpp::as<std::vector<double>>(object);
}

bool flag_at(const Rcpp::List& list, const char* name) {
  const SEXP object = element(list, name);
  return !Rf_isNull(object) && flag_from_r(object, name);
}

std::optional<std::uint32_t> count_at(const Rcpp::List& list, const char* name) {
  const auto number = number_at(list, name);
  if (!number) return {};
  if (!(*number >= 0) || *number > 4294967295.0 || *number != std::floor(*number)) {
    refuse_query(name);
  }
  return static_cast<std::uint32_t>(*number);
}

}  // namespace dp::r

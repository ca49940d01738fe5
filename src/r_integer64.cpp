#include "r_integer64.h"

#include <optional>
#include <string>

#include "boundary.h"
#include "core/numeric/cast.h"

namespace dp::r {
namespace {

bool fits_doubles(const Scalar& bound) {
  return std::visit(
      [](const auto& end) {
        using T = std::decay_t<decltype(end)>;
        if constexpr (is_wide_integer<T>) {
          WideRange range;
          range.add(end);
          return range.in_doubles();
        } else {
          return false;
        }
      },
      bound);
}

SEXP new_integer64(R_xlen_t size) {
  const Rcpp::Shield<SEXP> out(Rf_allocVector(REALSXP, size));
  set_integer64_class(out);
  return out;
}

void check_integer64(SEXP vector) {
  if (!is_integer64(vector)) throw Error(ErrorKind::failed_cast, "x must be an integer64.");
}

}  // namespace

bool is_integer64(SEXP object) {
  return TYPEOF(object) == REALSXP && Rf_inherits(object, "integer64");
}

Wide wide_form(const AtomDomain* domain, AtomType type, bool like_integer64) {
  if (type == AtomType::usize) return Wide::doubles;
  const bool bounded = domain != nullptr && domain->bounds && fits_doubles(domain->bounds->lower) &&
                       fits_doubles(domain->bounds->upper);
  return bounded && !like_integer64 ? Wide::doubles : Wide::integer64;
}

void set_integer64_class(SEXP vector) {
  static bool prepared = false;
  if (!prepared) {
    Rcpp::Function(Rcpp::Environment::namespace_env("PSIlence")["prepare_integer64"])();
    prepared = true;
  }
  const Rcpp::Shield<SEXP> label(Rf_mkString("integer64"));
  Rf_setAttrib(vector, R_ClassSymbol, label);
}

SEXP integer64_from_text(SEXP text) {
  if (TYPEOF(text) != STRSXP) throw Error(ErrorKind::failed_cast, "x must be text.");
  const R_xlen_t n = Rf_xlength(text);
  const Rcpp::Shield<SEXP> out(new_integer64(n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const SEXP digits = STRING_ELT(text, i);
    std::int64_t value = kMissingInteger64;
    if (digits != NA_STRING) {
      const std::optional<std::int64_t> read = round_cast<std::int64_t>(std::string(CHAR(digits)));
      if (!read || *read == kMissingInteger64) {
        throw Error(ErrorKind::failed_cast, "x must hold decimal digits of 64-bit integers.");
      }
      value = *read;
    }
    REAL(out)[i] = bits_of(value);
  }
  return out;
}

SEXP text_of_integer64(SEXP vector) {
  check_integer64(vector);
  const R_xlen_t n = Rf_xlength(vector);
  const Rcpp::Shield<SEXP> out(Rf_allocVector(STRSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const std::int64_t value = integer64_of(REAL_ELT(vector, i));
    SET_STRING_ELT(
        out, i, value == kMissingInteger64 ? NA_STRING : Rf_mkChar(std::to_string(value).c_str()));
  }
  return out;
}

SEXP doubles_of_integer64(SEXP vector) {
  check_integer64(vector);
  const R_xlen_t n = Rf_xlength(vector);
  const Rcpp::Shield<SEXP> out(Rf_allocVector(REALSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const std::int64_t value = integer64_of(REAL_ELT(vector, i));
    REAL(out)[i] = value == kMissingInteger64 ? NA_REAL : static_cast<double>(value);
  }
  return out;
}

}  // namespace dp::r

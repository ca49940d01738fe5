#include "r_settled.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "boundary.h"

namespace dp::r {
namespace {

constexpr R_xlen_t kPiece = 1024;

// Reads elements begin, ..., begin + size - 1; one by one if the vector does not provide them in
// one piece.
template <class S>
void read_piece(SEXP vector, R_xlen_t begin, R_xlen_t size, S* out) {
  R_xlen_t given = 0;
  if constexpr (std::is_same_v<S, double>) {
    given = REAL_GET_REGION(vector, begin, size, out);
  } else if constexpr (std::is_same_v<S, Rbyte>) {
    given = RAW_GET_REGION(vector, begin, size, out);
  } else if (TYPEOF(vector) == LGLSXP) {
    given = LOGICAL_GET_REGION(vector, begin, size, out);
  } else {
    given = INTEGER_GET_REGION(vector, begin, size, out);
  }
  for (R_xlen_t i = std::max<R_xlen_t>(given, 0); i < size; ++i) {
    if constexpr (std::is_same_v<S, double>) {
      out[i] = REAL_ELT(vector, begin + i);
    } else if constexpr (std::is_same_v<S, Rbyte>) {
      out[i] = RAW_ELT(vector, begin + i);
    } else if (TYPEOF(vector) == LGLSXP) {
      out[i] = LOGICAL_ELT(vector, begin + i);
    } else {
      out[i] = INTEGER_ELT(vector, begin + i);
    }
  }
}

// R's sequence from the first element to the last, if the others are between them in steps of 1 or
// -1; else NULL.
template <class S>
SEXP sequence_of(SEXP vector, R_xlen_t n) {
  constexpr double kExact = 4503599627370496;  // 2^52: every step is a double
  double first = 0;
  double step = 0;
  S piece[kPiece];
  for (R_xlen_t begin = 0; begin < n; begin += kPiece) {
    const R_xlen_t size = std::min(kPiece, n - begin);
    read_piece(vector, begin, size, piece);
    if (begin == 0) {
      first = static_cast<double>(piece[0]);
      step = static_cast<double>(piece[1]) - first;
      const double last = first + step * static_cast<double>(n - 1);
      if (std::abs(step) != 1 || std::trunc(first) != first) return R_NilValue;
      if (!(std::abs(first) < kExact && std::abs(last) < kExact)) return R_NilValue;
    }
    for (R_xlen_t i = 0; i < size; ++i) {
      const double expected = first + step * static_cast<double>(begin + i);
      if (!(static_cast<double>(piece[i]) == expected)) return R_NilValue;
    }
  }
  const double last = first + step * static_cast<double>(n - 1);
  const Rcpp::Shield<SEXP> from(Rf_ScalarReal(first));
  const Rcpp::Shield<SEXP> to(Rf_ScalarReal(last));
  const Rcpp::Shield<SEXP> call(Rf_lang3(Rf_install(":"), from, to));
  const Rcpp::Shield<SEXP> sequence(Rf_eval(call, R_BaseEnv));
  const bool same = TYPEOF(sequence) == TYPEOF(vector) && Rf_xlength(sequence) == n;
  return same ? SEXP(sequence) : R_NilValue;
}

template <class S>
void copy_pieces(SEXP vector, R_xlen_t n, S* out) {
  for (R_xlen_t begin = 0; begin < n; begin += kPiece) {
    read_piece(vector, begin, std::min(kPiece, n - begin), out + begin);
  }
}

SEXP plain_copy(SEXP vector, R_xlen_t n) {
  const Rcpp::Shield<SEXP> copy(Rf_allocVector(TYPEOF(vector), n));
  switch (TYPEOF(vector)) {
    case LGLSXP:
      copy_pieces(vector, n, LOGICAL(copy));
      break;
    case INTSXP:
      copy_pieces(vector, n, INTEGER(copy));
      break;
    case REALSXP:
      copy_pieces(vector, n, REAL(copy));
      break;
    case RAWSXP:
      copy_pieces(vector, n, RAW(copy));
      break;
    default:
      for (R_xlen_t i = 0; i < n; ++i) SET_STRING_ELT(copy, i, STRING_ELT(vector, i));
  }
  return copy;
}

SEXP settle(SEXP vector) {
  const R_xlen_t n = Rf_xlength(vector);
  SEXP found = R_NilValue;
  if (n > kPiece && TYPEOF(vector) == INTSXP) found = sequence_of<int>(vector, n);
  if (n > kPiece && TYPEOF(vector) == REALSXP) found = sequence_of<double>(vector, n);
  const Rcpp::Shield<SEXP> result(found == R_NilValue ? plain_copy(vector, n) : found);
  Rf_copyMostAttrib(vector, result);
  return result;
}

bool has_elements(SEXP object) {
  switch (TYPEOF(object)) {
    case LGLSXP:
    case INTSXP:
    case REALSXP:
    case RAWSXP:
    case STRSXP:
      return true;
    default:
      return false;
  }
}

}  // namespace

SEXP settled(SEXP vector) {
  if (!ALTREP(vector) || !has_elements(vector)) return vector;
  // Reading such a vector can raise an R error, which jumps.
  return Rcpp::unwindProtect([&]() -> SEXP { return settle(vector); });
}

}  // namespace dp::r

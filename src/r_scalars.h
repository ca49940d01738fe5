// Converts single elements and public constants between R and the core.
#pragma once

#include <Rcpp.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/data/batch.h"
#include "core/domains/domain.h"
#include "core/domains/scalar.h"
#include "r_integer64.h"

namespace dp::r {

// Names the type of an R object's elements for messages: "f64", "String", "factor". Never reveals
// their values or their number, which is private too.
std::string describe_element_type(SEXP object);

// Reads a public constant (bound, fill value) of carrier `type`. Types match as published: integer
// types take integers and integer64. Types beyond R's integers (u32, i64, u64, usize) also take
// whole doubles. Floats take doubles, bool logicals, String strings. NA raises an error, except for
// floats, which read it as NaN. Throws failed_cast.
Scalar scalar_from_r(SEXP object, AtomType type, const char* what);

// Like scalar_from_r(), for a private value. Every failure that depends on more than the type of
// the R object raises the same error, the one of refuse_nonmember().
Scalar datum_from_r(SEXP object, AtomType type);
std::vector<Scalar> data_from_r(SEXP object, AtomType type);

// Reads public elements (categories, edges, names) from a vector, or from a list of single
// elements.
std::vector<Scalar> scalars_from_r(SEXP object, AtomType type, const char* what);

// Reads a distance or a scale in `type`: integers also from whole doubles, floats also from
// integers.
Scalar number_from_r(SEXP object, AtomType type, const char* what);

// Reads both ends of a closed interval, from a vector or a list of length two.
Bounds bounds_from_r(SEXP object, AtomType type);

// Reads a whole number in [0, 2^53], such as a size, a count or an index, from an integer or a
// whole double.
std::uint64_t size_from_r(SEXP object, const char* what);

// Reads the exponent `k` of a noise grid; NULL is none. Throws make_measurement for the smallest
// i32.
std::optional<int> grid_exponent_from_r(SEXP k);

double double_from_r(SEXP object, const char* what);
bool flag_from_r(SEXP object, const char* what);
std::string string_from_r(SEXP object, const char* what);
std::vector<std::string> strings_from_r(SEXP object, const char* what);

// Whether all bytes are below 128. R's headers do not expose R's own flag.
bool is_ascii(std::string_view text);

// The text of a character vector's element, in UTF-8: in R's memory, or in `room` if it is marked
// as Latin 1. Unmarked text is read as UTF-8, in every locale. Returns nothing if it is NA, marked
// as bytes, or not valid UTF-8.
std::optional<std::string_view> text_of(SEXP element, std::string& room);

// Returns 64-bit integers in the form `wide`, or the next form of r_integer64.h that holds them.
SEXP scalar_to_r(const Scalar& scalar, Wide wide = Wide::integer64);

// Returns a distance, which must not be rounded down. Whole numbers beyond 2^53 round up.
SEXP distance_number_to_r(const Scalar& scalar);

// Whether R stores T as an integer vector.
template <class T>
inline constexpr bool fits_r_integer = dp::detail::is_integer_carrier<T> &&
                                       (sizeof(T) < 4 || std::is_same_v<T, std::int32_t>);

template <class T>
constexpr SEXPTYPE r_type() {
  if (std::is_same_v<T, bool>) return LGLSXP;
  if (std::is_same_v<T, std::string>) return STRSXP;
  return fits_r_integer<T> ? INTSXP : REALSXP;
}

// R's storage of a T that is not text: an int, also for logicals, or a double.
template <class T>
using RCell = std::conditional_t<r_type<T>() == REALSXP, double, int>;

// Address of the elements of a vector of r_type<T>().
template <class T>
RCell<T>* r_cells(SEXP vector) {
  if constexpr (std::is_same_v<T, bool>) {
    return LOGICAL(vector);
  } else if constexpr (fits_r_integer<T>) {
    return INTEGER(vector);
  } else {
    return REAL(vector);
  }
}

// Whether R has no integer for `cell`: the smallest i32 would read as NA. It becomes a double, and
// a vector that holds it a double vector.
template <class T>
bool needs_double(const T& cell) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return cell == NA_INTEGER;
  } else {
    return false;
  }
}

// Whether integers of this type can exceed R's integers, so that R can pass them as doubles.
template <class T>
inline constexpr bool takes_doubles = dp::detail::is_integer_carrier<T> && !fits_r_integer<T>;

template <class T>
RCell<T> r_missing() {
  if constexpr (r_type<T>() == REALSXP) {
    return NA_REAL;
  } else {
    return std::is_same_v<T, bool> ? NA_LOGICAL : NA_INTEGER;
  }
}

// Writes `cell`, or NA if it is null, into an R vector of r_type<R>().
template <class T, class R = T>
void set_element(SEXP vector, R_xlen_t at, const Element<T>* cell) {
  if constexpr (std::is_same_v<T, std::string>) {
    SET_STRING_ELT(vector,
                   at,
                   cell == nullptr
                       ? NA_STRING
                       : Rf_mkCharLenCE(cell->data(), static_cast<int>(cell->size()), CE_UTF8));
  } else {
    r_cells<R>(vector)[at] = cell == nullptr ? r_missing<R>() : static_cast<RCell<R>>(*cell);
  }
}

}  // namespace dp::r

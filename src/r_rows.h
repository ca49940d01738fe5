// R vectors as rows of the core.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "core/data/column.h"
#include "core/domains/domain.h"
#include "r_integer64.h"

namespace dp::r {

// The rows of `vector`, read where they lie when R keeps them as the carrier type does, and
// converted batch by batch otherwise; of a vector that might answer otherwise the next time, those
// of a copy (settled()).
//
// Integer types take integer vectors and bit64's integer64, and those that R's integers do not fill
// (u32, i64, u64, usize) also double vectors of whole numbers; f64 and f32 take double vectors;
// bool takes logical vectors; String takes character vectors. A factor is read as its labels by
// String, and by usize as their places among the levels, from 0; by no other type: what looks like
// a number in a label would become another one. A code that is no place among the levels is
// missing, and so is text that says nothing (text_of()). A Date is read as days since 1970-01-01,
// by f64, or by i32, which leaves out the time of day. Anything else is failed_cast: any other
// class, and matrices and arrays, of which nobody knows what a row is. A missing value is null for
// option rows and NaN for floats; elsewhere it is outside of any domain, as is everywhere a number
// beyond the range of its type or a fraction among integers, which is said when it is read
// (refuse_nonmember()).
ColumnPtr rows_from_r(SEXP vector, AtomType type, bool option);

// As rows_from_r(), but null where a vector of this type would be failed_cast.
ColumnPtr rows_if_type(SEXP vector, AtomType type, bool option);

// A column of a statistic: a list of one vector, of class dp_numbers. Its rows are f64, NA as NaN:
// logical and integer vectors are read where they lie, other vectors as rows_from_r() has it.
bool is_numbers(SEXP object);
ColumnPtr numbers_from_r(SEXP numbers);

// The same of text: a list of one vector, of class dp_texts. Its rows are String, null where there
// is no text.
bool is_texts(SEXP object);
ColumnPtr texts_from_r(SEXP texts);

// The type that comes closest to what R keeps: the first of those above that take `vector`; none if
// no type does.
std::optional<AtomType> row_type(SEXP vector);

// Inverse of rows_from_r(). Integers of at most 31 bits and i32 become integer vectors, u32 double
// vectors, and 64-bit integers what `wide` asks for, or the next form of r_integer64.h that holds
// them all; null rows NA. R has no integer for -2^31: i32 that hold it become a double vector as a
// whole.
SEXP rows_to_r(const Column& rows, Wide wide = Wide::integer64);

}  // namespace dp::r

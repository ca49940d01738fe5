// R vectors as rows of the core.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "core/data/column.h"
#include "core/domains/domain.h"
#include "r_integer64.h"

namespace dp::r {

// Reads the rows of `vector`: in place if R stores them as the carrier type does, otherwise
// converted batch by batch. If the vector could return different elements on a second read, a copy
// is read (settled()).
//
// Integer types take integer vectors and bit64's integer64. Types beyond R's integers (u32, i64,
// u64, usize) also take double vectors of whole numbers. f64 and f32 take double vectors, bool
// takes logical vectors, and String takes character vectors.
//
// A factor is read by String as its labels, and by usize as level indices, from 0. No other type
// takes a factor, because a label that looks like a number would be read as a different number. A
// code without a level is missing, and so is invalid text (text_of()). A Date is read as days since
// 1970-01-01 by f64, or by i32, which drops the time of day. Anything else is failed_cast: any
// other class, and matrices and arrays, whose rows are ambiguous.
//
// A missing value is null for option rows and NaN for floats. Elsewhere it is outside of any
// domain, and so are numbers beyond the range of the type and fractions among integers. They raise
// an error when they are read (refuse_nonmember()).
ColumnPtr rows_from_r(SEXP vector, AtomType type, bool option);

// Like rows_from_r(), but null where a vector of this type would raise failed_cast.
ColumnPtr rows_if_type(SEXP vector, AtomType type, bool option);

// Reads a column of a statistic: a list of one vector, of class dp_numbers. Its rows are f64, with
// NA as NaN. Logical and integer vectors are read in place, other vectors as in rows_from_r().
bool is_numbers(SEXP object);
ColumnPtr numbers_from_r(SEXP numbers);

// Reads a text column: a list of one vector, of class dp_texts. Its rows are String, null if there
// is no text.
bool is_texts(SEXP object);
ColumnPtr texts_from_r(SEXP texts);

// The type closest to R's storage: the first type above that takes `vector`, or none.
std::optional<AtomType> row_type(SEXP vector);

// Inverse of rows_from_r(). Integers of at most 31 bits and i32 become integer vectors, u32 double
// vectors, and null rows NA. 64-bit integers take the form `wide`, or the next form of
// r_integer64.h that holds them all. R has no integer for -2^31: i32 rows that hold it become a
// double vector as a whole.
SEXP rows_to_r(const Column& rows, Wide wide = Wide::integer64);

}  // namespace dp::r

#' Select a column of a data frame
#'
#' Selects one column. It must already have type `.TOA`, because nothing is converted: cast it
#' afterwards.
#'
#' @param key (one element) Name of the column. Public.
#' @param .TOA (type descriptor) Type of the column: any type that rows can have.
#' @param .K (type descriptor or `NULL`) Type of the column names. `NULL` infers it from `key`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a data frame to a vector of `.TOA`. Floats can be NaN.
#' @section Stability: `d_out = d_in`, in rows: each row of the data frame has one row in the
#'   column.
#' @section Errors: Raises `dp_error_failed_cast` if `key` is not of type `.K`. Raises
#'   `dp_error_type` if `.K` cannot be the type of column names, or if rows cannot have type `.TOA`.
#'   The function raises `dp_error_failed_function` without such a column, and
#'   `dp_error_failed_cast` if the column has a different type. Names and types of columns are
#'   public.
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' ages <- make_select_column(key = "age", .TOA = "i32")
#' ages(arg = data.frame(name = c("ann", "bob"), age = c(30L, 41L)))
#' @export
make_select_column <- function(key, .TOA, .K = NULL) build("make_select_column", key, .TOA, .K)

#' @rdname make_select_column
#' @export
then_select_column <- to_then_fixed(make_select_column)

#' Pass data frames as private input
#'
#' Chains that begin with [make_select_column()], [make_subset_by()] or [make_df_cast_default()]
#' take a data frame as private input. This is a `data.frame`, or an object that inherits from it,
#' such as a tibble or a `data.table`. Columns are read where R stores them, and nothing is copied.
#'
#' You can request a column in any of these types:
#'
#' | column in R | types |
#' |---|---|
#' | `logical` | `bool` |
#' | `integer` | `i32`, and all other integer types |
#' | `double` | `f64`, `f32`, and for whole numbers `u32`, `i64`, `u64`, `usize` |
#' | `character` | `String` |
#' | `factor` | `String`, the labels, or `usize`, their positions in `levels()`, from 0 |
#' | `Date` | `f64`, days since 1970-01-01, or `i32`, whole days |
#' | `bit64::integer64` | `i64`, and all other integer types |
#'
#' Single vectors of these classes follow the same rules if a vector of rows is expected.
#'
#' Strings that are marked as UTF-8, or not marked at all, are read as UTF-8 in every locale.
#' Strings marked as Latin 1 are translated. Strings that are marked as bytes, or are not valid
#' UTF-8, count as `NA`. So do factor codes without a level.
#'
#' The levels of a factor are public. With `categories = levels(x)`, [make_select_column()] with
#' `.TOA = "usize"` gives the same result as finding each label among the categories. A factor is
#' never read as any other number, because labels such as `"10"` would become unrelated codes. A
#' `Date` beyond the range of `i32` becomes the end of the range. [integers64] describes how 64-bit
#' integers return to R.
#'
#' `NA` becomes NaN in floats, so impute `NA` in a `double`, or in a `Date` as `f64`. In any other
#' type, `NA` raises `dp_error_failed_cast`, with a message that does not depend on the data,
#' because a column has no nulls. Read the column as text and [make_cast()] it, or convert it with
#' [as.double()].
#'
#' The names and classes of columns and the levels of factors are public. The values and their
#' number are private. A column of a class outside the table, such as a list, a matrix or a
#' `POSIXct`, raises an error only if you use it. Two columns with the same name raise an error.
#'
#' Column names are strings in R. If the names have a different type (`.K`), they are read as
#' numbers, or as `TRUE` and `FALSE`. A column whose name cannot be read this way cannot be
#' selected.
#'
#' A data frame that is returned has columns of class `logical`, `integer`, `double` or `character`,
#' depending on their type: factors become `character` and dates become days.
#' @examples
#' enable_features("contrib")
#' visits <- data.frame(
#'   clinic = factor(c("north", "south", "north")),
#'   day = as.Date("2026-01-05") + 0:2,
#'   cost = c(120, NA, 80)
#' )
#' make_select_column("clinic", .TOA = "String")(arg = visits)
#' make_select_column("clinic", .TOA = "usize")(arg = visits)
#' make_select_column("day", .TOA = "i32")(arg = visits)
#' cost <- make_select_column("cost", .TOA = "f64") |>
#'   then_impute_constant(100) |>
#'   then_clamp(c(0, 500)) |>
#'   then_sum()
#' cost(arg = visits)
#' @name data_frames
NULL

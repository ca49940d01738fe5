#' Select a column of a data frame
#'
#' The rows of one column, in the type `.TOA`, which nothing is converted to: cast afterwards.
#'
#' @param key (one element) Name of the column. Public.
#' @param .TOA (type descriptor) Type of the column: any one that rows have.
#' @param .K (type descriptor or `NULL`) Type of the names of the columns; `NULL` takes it from
#'   `key`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a data frame to a vector of `.TOA`; floats may be NaN.
#' @section Stability: `d_out = d_in`, in rows: a row of the frame has one row of the column.
#' @section Errors: `dp_error_failed_cast` if `key` is not of type `.K`; `dp_error_type` if columns
#'   cannot be named by `.K`, or rows are never of type `.TOA`. When invoked:
#'   `dp_error_failed_function` without such a column, `dp_error_failed_cast` if it has another
#'   type.
#'   Names and types of columns are public.
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

#' Data frames as private input
#'
#' Where the input domain is one of data frames, as of [make_select_column()], [make_subset_by()]
#' and [make_df_cast_default()], the private input is a `data.frame`, or what inherits from it, such
#' as a tibble or a `data.table`. Its columns are read where R keeps them; nothing is copied.
#'
#' A column has the type that it is asked for in, if the table has it:
#'
#' | column in R | types |
#' |---|---|
#' | `logical` | `bool` |
#' | `integer` | `i32`, and all other integer types |
#' | `double` | `f64`, `f32`; `u32`, `i64`, `u64`, `usize`, whole numbers |
#' | `character` | `String` |
#' | `factor` | `String`, the labels; `usize`, their places in `levels()`, from 0 |
#' | `Date` | `f64`, days since 1970-01-01; `i32`, whole days |
#' | `bit64::integer64` | `i64`, and all other integer types |
#'
#' Single vectors of these classes are treated alike where a vector of rows is asked for.
#'
#' Text says what its bytes say in UTF-8, whether it is marked as UTF-8 or not marked at all, in
#' every locale; what is marked as Latin 1 is translated. What is marked as bytes, or is not in
#' UTF-8 after all, says nothing and counts as `NA`, and so does a code of a factor that has no
#' level.
#'
#' The levels of a factor are public: with `categories = levels(x)`, [make_select_column()] with
#' `.TOA = "usize"` gives what finding each label among the categories would give. A factor is never
#' read as another number: a label such as `"10"` would become one that nobody meant. A `Date`
#' beyond the range of `i32` becomes the end of the range. How 64-bit integers come back is said in
#' [integers64].
#'
#' `NA` is NaN in floats, so `NA` in a `double` or a `Date` as `f64` waits for an imputer. In any
#' other type it is refused (`dp_error_failed_cast`, in words that do not depend on the data), since
#' a column has no nulls: read text and [make_cast()] it, or convert with [as.double()].
#'
#' Public are the names of the columns, their classes and the levels of factors. Private are the
#' values and their number. A column of no class of the table, such as a list, a matrix or a
#' `POSIXct`, is refused if it is used, and does no harm otherwise. Two columns with one name are
#' refused.
#'
#' Names of columns are text in R. Where the type of the names is another one (`.K`), they are read
#' as numbers, or as `TRUE` and `FALSE`, and a column whose name is none cannot be reached.
#'
#' A data frame that comes out has a column of class `logical`, `integer`, `double` or `character`
#' for each of its own, as its type wants: factors become `character` and dates days.
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

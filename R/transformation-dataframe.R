#' Make a data frame from records
#'
#' Makes a data frame whose column `j`, named `col_names[[j]]`, holds field `j` of each record, or
#' an empty string if the record is too short. Fields without a column name are dropped. If names
#' are repeated, the last one wins.
#'
#' @param col_names (vector) Names of the columns: strings, integers or logical values. Public.
#' @param .K (type descriptor or `NULL`) Type of the names, `String`, `bool` or an integer type.
#'   `NULL` infers it from the first name.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a list of records, such as the output of [make_split_records()],
#'   to a data frame of `String` columns.
#' @section Stability: `d_out = d_in`, in records: each record is processed separately.
#' @section Errors: Raises `dp_error_failed_cast` if names are not of type `.K`, and `dp_error_type`
#'   if `.K` cannot be the type of column names.
#' @template ref-opendp
#' @seealso [data_frames], on data frames as private input.
#' @examples
#' enable_features("contrib")
#' frame <- make_create_dataframe(col_names = c("animal", "legs"))
#' frame(arg = list(c("ant", "6"), "bat"))
#' @export
make_create_dataframe <- function(col_names, .K = NULL) {
  build("make_create_dataframe", col_names, .K)
}

#' @rdname make_create_dataframe
#' @export
then_create_dataframe <- to_then_fixed(make_create_dataframe)

#' Compare one column of a data frame with a public value
#'
#' Replaces a column by the result of comparing it with `value`, see [make_is_equal()]. The result
#' is an indicator for [make_subset_by()]. Other columns do not change.
#'
#' @inheritParams make_df_cast_default
#' @param value (one element) Value to compare with, in the type of the column. Public.
#' @param .TIA (type descriptor or `NULL`) Type of the column. `NULL` infers it from `value`.
#' @returns (`transformation`) From data frames to data frames with the same number of rows, and a
#'   logical column.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises the errors of [make_df_cast_default()], and `dp_error_failed_cast` if
#'   `value` is not of type `.TIA`.
#'   type `.TIA`.
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' is_ant <- make_split_dataframe(separator = ",", col_names = c("animal", "legs")) |>
#'   then_df_is_equal("animal", "ant")
#' is_ant(arg = "ant, 6\nbat, 2")
#' @export
make_df_is_equal <- function(input_domain, input_metric, column_name, value, .TIA = NULL) {
  build("make_df_is_equal", input_domain, input_metric, column_name, value, .TIA)
}

#' @rdname make_df_is_equal
#' @export
then_df_is_equal <- to_then(make_df_is_equal)

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

#' Read a data frame from text
#'
#' Combines [make_split_lines()], [make_split_records()] and [make_create_dataframe()]. You give the
#' public column names in `col_names`. With `header = TRUE`, every record that equals these names is
#' dropped. Otherwise the first line is an ordinary row.
#'
#' No line, field or column is copied, because fields are located in the text whenever their column
#' is read. A chain that ends in a sum therefore needs almost no memory beyond the text, at any
#' length, and reads the text on several threads ([set_threads()]).
#'
#' @inheritParams make_split_records
#' @inheritParams make_create_dataframe
#' @param header (`TRUE` or `FALSE`) Whether the text has a header that equals `col_names`.
#' @returns (`transformation`) From one text, `character(1)`, to a data frame of `String` columns.
#' @section Stability: `d_out = d_in`, in lines: each line is processed separately.
#' @section Errors: Raises the errors of [make_split_records()] and [make_create_dataframe()].
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' total <- make_split_dataframe(separator = ",", col_names = c("name", "age")) |>
#'   then_select_column(key = "age", .TOA = "String") |>
#'   then_cast_default(.TOA = "f64") |>
#'   then_impute_constant(0) |>
#'   then_clamp(bounds = c(0, 120)) |>
#'   then_sum()
#' total(arg = "ann, 30\nbob, 41\ncarol,\n")
#' total(d_in = 1L)
#' @export
make_split_dataframe <- function(separator, col_names, .K = NULL, quote = "\"", header = FALSE) {
  build("make_split_dataframe", separator, col_names, .K, quote, header)
}

#' @rdname make_split_dataframe
#' @export
then_split_dataframe <- to_then_fixed(make_split_dataframe)

#' Split text into lines
#'
#' Splits a text into lines. A line ends at `"\n"` or `"\r\n"`, which is not part of it. The last
#' line can lack this end, and an empty line within the text is a row. A `"\r"` without `"\n"` does
#' not end a line.
#'
#' The text is read where R stores it and is never copied. Lines are found as they are read, so a
#' chain needs almost no memory beyond the text. A string in R holds at most 2^31 - 1 bytes.
#'
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From one text, `character(1)`, to its lines, a vector of `String`.
#' @section Stability: `d_out = d_in`, in lines: the distance of two texts is the distance of the
#'   multisets of their lines.
#' @section Errors: Raises `dp_error_failed_cast` for data that are not strings, and
#'   `dp_error_failed_function` unless the data are one string, not missing, in UTF-8 or marked as
#'   Latin 1.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' lines <- make_split_lines()
#' lines(arg = "ant\nbat\ncat\n")
#' @export
make_split_lines <- function() build("make_split_lines")

#' @rdname make_split_lines
#' @export
then_split_lines <- to_then_fixed(make_split_lines)

#' Split lines into records
#'
#' Cuts each line at every `separator`, then drops Unicode white space at both ends of each field.
#' An empty line is a record of one empty field.
#'
#' **Quotes** follow RFC 4180. A field that begins with `quote`, after optional white space, extends
#' to the next single `quote`, and can include separators and white space. Two quotes in a row are
#' one quote character. Any text between the closing quote and the separator belongs to the field
#' unchanged. In a field that does not begin with a quote, `quote` is an ordinary character.
#'
#' Each line is processed separately, so a quoted field ends with its line at the latest. A line
#' break within quotes splits one record into two broken ones, and leaves all others intact. If a
#' quoted field could continue on the next line, one quote could change all lines after it, and the
#' stability below would not hold.
#'
#' **A header** is recognized by its content, not by its position, because the metric ignores the
#' order of lines. Every record that equals the header is dropped.
#'
#' @param separator (`character(1)` or `NULL`) Separator of one or more characters, taken literally.
#'   `NULL` is `","`. Public.
#' @param quote (`character(1)` or `NULL`) One visible ASCII character that encloses fields. With
#'   `NULL` or `""`, no field is quoted, as in the published bindings, which lack this argument.
#'   Public.
#' @param header (`FALSE` or `character`) Fields of the header. With `FALSE`, every record stays.
#'   Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a vector of lines to a list with the fields of each line, as
#'   vectors of `String`.
#' @section Stability: `d_out = d_in`, in lines: each line is processed separately.
#' @section Errors: Raises `dp_error_make_transformation` for an empty separator, for a separator
#'   that includes the quote, and for an invalid quote. Raises `dp_error_failed_cast` if the
#'   arguments are not strings.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' records <- make_split_records(separator = ";")
#' records(arg = c("ant; 6", "bat; 2; 2", "\"cat; small\"; \"say \"\"miau\"\"\""))
#' @export
make_split_records <- function(separator, quote = "\"", header = FALSE) {
  build("make_split_records", separator, quote, header)
}

#' @rdname make_split_records
#' @export
then_split_records <- to_then_fixed(make_split_records)

#' Filter a data frame by a logical column
#'
#' Keeps the rows whose value in the logical column `indicator_column` is true, and the columns
#' `keep_columns`. The indicator is kept only if it is one of these.
#'
#' @param indicator_column (one element) Name of a column of type `bool`. Public.
#' @param keep_columns (vector) Names of the columns to keep. Public.
#' @param .TK (type descriptor or `NULL`) Type of the names. `NULL` infers it from
#'   `indicator_column`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From data frames to data frames. The number of remaining rows is
#'   private.
#' @section Stability: `d_out = d_in`, in rows: whether a row is kept depends only on this row.
#' @section Errors: Raises `dp_error_failed_cast` if names are not of type `.TK`, and
#'   `dp_error_type` if `.TK` cannot be the type of column names. The function raises
#'   `dp_error_failed_function` without one of the columns, and `dp_error_failed_cast` if the
#'   indicator is not logical.
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' legs <- make_split_dataframe(separator = ",", col_names = c("animal", "legs")) |>
#'   then_df_is_equal("animal", "ant") |>
#'   then_subset_by("animal", "legs") |>
#'   then_select_column("legs", .TOA = "String")
#' legs(arg = "ant, 6\nbat, 2\nant, 5")
#' @export
make_subset_by <- function(indicator_column, keep_columns, .TK = NULL) {
  build("make_subset_by", indicator_column, keep_columns, .TK)
}

#' @rdname make_subset_by
#' @export
then_subset_by <- to_then_fixed(make_subset_by)

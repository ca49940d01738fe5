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

#' Read a data frame from text
#'
#' [make_split_lines()], [make_split_records()] and [make_create_dataframe()] in one. Names are
#' public and stand in `col_names`. With `header = TRUE` every record that says just these names is
#' left out; otherwise the first line is a row like any other.
#'
#' No line, field or column is copied: a field is found in the text whenever its column is read. A
#' chain that goes on to a sum therefore needs next to no memory beyond the text, whatever its
#' length, and reads it on several threads ([set_threads()]).
#'
#' @inheritParams make_split_records
#' @inheritParams make_create_dataframe
#' @param header (`TRUE` or `FALSE`) Whether there is a header that says `col_names`.
#' @returns (`transformation`) From one text, `character(1)`, to a data frame of `String` columns.
#' @section Stability: `d_out = d_in`, in lines: each is treated by itself.
#' @section Errors: as of [make_split_records()] and [make_create_dataframe()].
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

#' Cast one column of a data frame
#'
#' Casts a column with [make_cast_default()]: a value that cannot be cast becomes `0`, `FALSE` or
#' `""`. Other columns do not change.
#'
#' @param input_domain (`domain`) Data frames: the output domain of [make_split_dataframe()] or of
#'   another step on data frames. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param column_name (one element) Name of the column, in the type of the column names. Public.
#' @param .TIA,.TOA (type descriptors) Types of the column before and after the cast.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From data frames to data frames with the same number of rows.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_failed_cast` if the domain is not a domain of data frames, or
#'   if the column name has a different type. Raises `dp_error_type` for a different metric, or for
#'   types that rows cannot have. The function raises `dp_error_failed_function` without such a
#'   column, and `dp_error_failed_cast` if the column has a different type.
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' frame <- make_split_dataframe(separator = ",", col_names = c("name", "age")) |>
#'   then_df_cast_default("age", .TIA = "String", .TOA = "i32")
#' frame(arg = "ann, 30\nbob, many")
#' @export
make_df_cast_default <- function(input_domain, input_metric, column_name, .TIA, .TOA) {
  build("make_df_cast_default", input_domain, input_metric, column_name, .TIA, .TOA)
}

#' @rdname make_df_cast_default
#' @export
then_df_cast_default <- to_then(make_df_cast_default)

#' Cast one column of a data frame
#'
#' Replaces a column by what [make_cast_default()] makes of it: a value that cannot be cast becomes
#' `0`, `FALSE` or `""`. Other columns stay as they are.
#'
#' @param input_domain (`domain`) Data frames: the output domain of [make_split_dataframe()] or of
#'   another step on frames. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param column_name (one element) Name of the column, in the type of names. Public.
#' @param .TIA,.TOA (type descriptors) Types of the column before and after.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From data frames to data frames with as many rows.
#' @section Stability: `d_out = d_in`, in rows: each is treated by itself.
#' @section Errors: `dp_error_failed_cast` if the domain is not one of data frames, or a name not of
#'   their type; `dp_error_type` for another metric, or types that rows never have. When invoked:
#'   `dp_error_failed_function` without such a column, `dp_error_failed_cast` if it has another
#'   type.
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

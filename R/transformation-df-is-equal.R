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

#' Compare one column of a data frame with a public value
#'
#' Replaces a column by whether its values equal `value`, as [make_is_equal()] does: an indicator
#' for [make_subset_by()]. Other columns stay as they are.
#'
#' @inheritParams make_df_cast_default
#' @param value (one element) In the type of the column. Public.
#' @param .TIA (type descriptor or `NULL`) Type of the column; `NULL` takes it from `value`.
#' @returns (`transformation`) From data frames to data frames with as many rows, the column
#'   logical.
#' @section Stability: `d_out = d_in`, in rows: each is treated by itself.
#' @section Errors: as of [make_df_cast_default()]; `dp_error_failed_cast` also if `value` is not of
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

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

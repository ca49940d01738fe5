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

#' Make a data frame of records
#'
#' Column `j`, named `col_names[[j]]`, holds field `j` of each record: an empty text if the record
#' is too short. Fields beyond the names are left out. Of equal names the last one wins.
#'
#' @param col_names (vector) Names of the columns: text, integers or logical values. Public.
#' @param .K (type descriptor or `NULL`) Type of the names, `String`, `bool` or an integer type;
#'   `NULL` takes it from the first of them.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a list of records, as [make_split_records()] gives them, to a
#'   data frame of `String` columns.
#' @section Stability: `d_out = d_in`, in records: each is treated by itself.
#' @section Errors: `dp_error_failed_cast` if names are not of type `.K`; `dp_error_type` if columns
#'   cannot be named by it.
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

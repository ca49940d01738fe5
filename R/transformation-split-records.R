#' Split lines into records
#'
#' Cuts each line at every `separator`, then leaves out white space (of Unicode) at both ends of
#' each field. Nothing is quoted or escaped. An empty line is a record of one empty field.
#'
#' @param separator (`character(1)` or `NULL`) One character or more, taken literally; `NULL` is
#'   `","`. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) What the pipe brings.
#' @returns (`transformation`) From a vector of lines to a list with the fields of each, vectors of
#'   `String`.
#' @section Stability: `d_out = d_in`, in lines: each line is treated by itself.
#' @section Errors: `dp_error_make_transformation` for an empty separator; `dp_error_failed_cast`
#'   if it is not a string.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' records <- make_split_records(separator = ";")
#' records(arg = c("ant; 6", "bat; 2; 2"))
#' @export
make_split_records <- function(separator) {
  assert_features("contrib")
  new_transformation(core_make_split_records(separator))
}

#' @rdname make_split_records
#' @export
then_split_records <- to_then_fixed(make_split_records)

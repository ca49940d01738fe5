#' Compare rows with a public value
#'
#' Compares each row with `value`. To count equal rows, cast the result to a number type and sum it.
#'
#' @inheritParams make_cast
#' @param value (one element) Value to compare with, in the type of the rows. Public.
#' @returns (`transformation`) From vectors to logical vectors of the same length. NaN equals no
#'   value, and -0 equals 0.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_failed_cast` for a value of a different type, or a domain that
#'   is not a vector of atoms, and `dp_error_type` for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' is_three <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_is_equal(3L)
#' is_three(arg = 1:4)
#' @export
make_is_equal <- function(input_domain, input_metric, value) {
  build("make_is_equal", input_domain, input_metric, value)
}

#' @rdname make_is_equal
#' @export
then_is_equal <- to_then(make_is_equal)

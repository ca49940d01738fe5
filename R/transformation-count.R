#' Count rows
#'
#' Counts all rows, including missing ones.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type. The rows are not read. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TO (type descriptor) Number type of the count. If the count does not fit, it is the
#'   largest consecutive whole number of the type: 127 for `"i8"`, 2^24 for `"f32"`.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`, in rows.
#' @section Stability: `d_out = d_in`: an added or removed row changes the count by 1. A known size
#'   is not used.
#' @section Errors: Raises `dp_error_type` for a different metric, or if `.TO` is not a number type.
#'   The map raises `dp_error_failed_cast` if `d_in` does not fit in an integer `.TO`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' count <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count()
#' count(arg = c("a", "b"))
#' @export
make_count <- function(input_domain, input_metric, .TO = "int") {
  build("make_count", input_domain, input_metric, .TO)
}

#' @rdname make_count
#' @export
then_count <- to_then(make_count)

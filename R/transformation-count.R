#' Count rows
#'
#' Tells how many rows there are, whatever they hold. Rows that are missing count as well.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type; the rows are not read. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TO (type descriptor) Type of the count, any number type. One that has no room for the
#'   count holds its largest consecutive whole number: 127 for `"i8"`, 2^24 for `"f32"`.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`, in rows.
#' @section Stability: `d_out = d_in`: a row more or less moves the count by 1. A known size is not
#'   made use of.
#' @section Errors: `dp_error_type` for another metric, or if `.TO` is not a number type. The map:
#'   `dp_error_failed_cast` if an integer `.TO` has no room for `d_in`.
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

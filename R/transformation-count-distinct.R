#' Count distinct rows
#'
#' Counts the distinct values among the rows.
#'
#' @inheritParams make_count
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`.
#' @section Stability: `d_out = d_in`: an added or removed row makes at most one value appear or
#'   disappear.
#' @section Errors: Raises `dp_error_type` for rows of floats, for a different metric, or if `.TO`
#'   is not a number type, and `dp_error_failed_cast` if rows can be null. The map raises
#'   `dp_error_failed_cast` if `d_in` does not fit in an integer `.TO`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' distinct <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count_distinct()
#' distinct(arg = c("a", "b", "a"))
#' @export
make_count_distinct <- function(input_domain, input_metric, .TO = "int") {
  build("make_count_distinct", input_domain, input_metric, .TO)
}

#' @rdname make_count_distinct
#' @export
then_count_distinct <- to_then(make_count_distinct)

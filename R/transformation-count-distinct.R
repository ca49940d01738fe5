#' Count distinct rows
#'
#' Tells how many different values there are among the rows.
#'
#' @inheritParams make_count
#' @param input_domain (`domain`) Vectors of integers, `bool` or texts, without nulls. Public.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`.
#' @section Stability: `d_out = d_in`: a row more or less makes at most one value appear or vanish.
#' @section Errors: `dp_error_type` for rows of floats, for another metric, or if `.TO` is not a
#'   number type; `dp_error_failed_cast` if rows may be null. The map: `dp_error_failed_cast` if an
#'   integer `.TO` has no room for `d_in`.
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

#' Count the rows of each value that occurs
#'
#' Counts the rows of each distinct value, and returns a map from values to counts. Keys are in
#' increasing order, whatever the order of the data.
#'
#' The set of keys depends on the data, so noise on the counts is not sufficient: one person can
#' have a key that no other person has. If you know all possible values, use
#' [make_count_by_categories()] instead.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TV (type descriptor) Integer type of the counts. Counts stop at its largest number.
#' @returns (`transformation`) From a vector to a map, in R a [dp_map], under
#'   `l01inf_distance(absolute_distance(.TV))`.
#' @section Stability: `d_out = (d_in, d_in, d_in)`: at most `d_in` counts change, by at most `d_in`
#'   in total and by at most `d_in` each.
#' @section Errors: Raises `dp_error_type` for rows of floats, for a different metric, or if `.TV`
#'   is not an integer type of at most 64 bits. Raises `dp_error_failed_cast` if rows can be null.
#'   The map raises `dp_error_failed_cast` if `d_in` does not fit in `.TV`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' counts <- c(vector_domain(atom_domain(.T = "bool")), symmetric_distance()) |>
#'   then_count_by()
#' counts(arg = c(TRUE, TRUE, FALSE))[[TRUE]]
#' counts(d_in = 6L)
#' @export
make_count_by <- function(input_domain, input_metric, .TV = "int") {
  build("make_count_by", input_domain, input_metric, .TV)
}

#' @rdname make_count_by
#' @export
then_count_by <- to_then(make_count_by)

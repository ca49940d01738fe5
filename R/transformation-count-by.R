#' Count the rows of each value that occurs
#'
#' Gives a map from each value to the number of its rows, with the keys in increasing order,
#' whatever that of the data.
#'
#' Which keys there are depends on the data, so noise on the counts does not suffice: a single
#' person may have a key of their own. If all possible values are known, count by
#' [make_count_by_categories()] instead.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or texts, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TV (type descriptor) Type of the counts, an integer type. Counts stop at its largest
#'   number.
#' @returns (`transformation`) From a vector to a map, in R a [dp_map], under
#'   `l01inf_distance(absolute_distance(.TV))`.
#' @section Stability: `d_out = (d_in, d_in, d_in)`: at most so many counts change, by so much in
#'   total, and each by at most so much.
#' @section Errors: `dp_error_type` for rows of floats, for another metric, or if `.TV` is not an
#'   integer type of at most 64 bits; `dp_error_failed_cast` if rows may be null. The map:
#'   `dp_error_failed_cast` if `.TV` has no room for `d_in`.
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

#' Sum the squared deviations of a known number of bounded floats
#'
#' Sums the squared deviations of the rows from their mean, which is the sum divided by the declared
#' size.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats with bounds and a size. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .S (type descriptor) Order of additions: `"Pairwise<f64>"` or `"Sequential<f64>"`, or of
#'   `f32`, see [float_sums]. `.T` is replaced by the type of the rows.
#' @returns (`transformation`) From a vector of length `size` to one number, in the squared unit of
#'   the rows.
#' @section Stability: With `n` rows, let `e` be the error of their mean, and `r` the width of the
#'   bounds after each bound was moved outward by `e`. Then
#'   `d_out = floor(d_in / 2) * r^2 * (n - 1) / n + relaxation`, because replacing one row changes
#'   the exact sum by at most the first term. The relaxation is the same as for a [float
#'   sum][float_sums] of `n` numbers between 0 and `r^2`. It applies even at `d_in = 0`, because
#'   rows have no order. Bounds that are very far from 0 for their width add the effect of a rounded
#'   mean, which the published map lacks. Everything is rounded up.
#' @section Errors: Raises `dp_error_make_transformation` without bounds or a size, or if the size
#'   is 0. Raises `dp_error_type` if rows are not floats, or for a different metric. Raises
#'   `dp_error_failed_cast` if `.S` is of a different type, for more than 2^53 rows (2^24 for
#'   `f32`), or if rows can be null. Raises `dp_error_overflow` if `size` times a bound or a squared
#'   width is not finite.
#' @template ref-casacuberta-2022
#' @template ref-honaker-vadhan-2020
#' @examples
#' enable_features("contrib")
#' deviations <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 5), symmetric_distance()) |>
#'   then_sum_of_squared_deviations()
#' deviations(arg = c(1, 2, 3, 4, 5))
#' deviations(d_in = 2L)
#' @export
make_sum_of_squared_deviations <- function(input_domain, input_metric, .S = "Pairwise<.T>") {
  build("make_sum_of_squared_deviations", input_domain, input_metric, .S)
}

#' @rdname make_sum_of_squared_deviations
#' @export
then_sum_of_squared_deviations <- to_then(make_sum_of_squared_deviations)

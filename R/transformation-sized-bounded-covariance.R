#' Covariance of a known number of bounded pairs of floats
#'
#' Sums the products of the deviations of the two columns from their means, and divides by
#' `size - ddof`. Each mean is a sum over the declared size.
#'
#' The published bindings list this constructor but do not offer it.
#'
#' @param size (whole number) Number of pairs. Public.
#' @param bounds_0,bounds_1 (two numbers, `c(lower, upper)`) Bounds of the first and the second
#'   column, in their units. Public.
#' @param ddof (whole number) Number to subtract from the size: 1 for the unbiased covariance of a
#'   sample, 0 for the covariance of a whole population. Public.
#' @param .S (type descriptor) Order of additions: `"Pairwise<f64>"` or `"Sequential<f64>"`, or of
#'   `f32`, see [float_sums]. `.T` is replaced by the type of `bounds_0`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space.
#' @returns (`transformation`) From `size` pairs under [symmetric_distance()] to one number, in the
#'   product of the units. The pairs are two numeric vectors of the same length, in a list or a data
#'   frame.
#' @section Stability: With `n` pairs, let `r0` and `r1` be the widths of the bounds after each
#'   bound was moved outward by the error of a mean. Then
#'   `d_out = floor(d_in / 2) * r0 * r1 * (n - 1) / n / (n - ddof) + relaxation`. The relaxation is
#'   the same as for a [float sum][float_sums] of `n` numbers between 0 and `r0 * r1`, even at
#'   `d_in = 0`. Bounds that are very far from 0 for their width add the effect of rounded means,
#'   which the published map lacks. Everything is rounded up.
#' @section Errors: Raises `dp_error_make_transformation` if the size is 0 or `ddof` is not below
#'   it, `dp_error_make_domain` if bounds are not in order, and `dp_error_failed_function` if a
#'   bound is NaN. Raises `dp_error_failed_cast` if bounds have a different type than the summation,
#'   or for more than 2^53 pairs (2^24 for `f32`). Raises `dp_error_overflow` if `size` times a
#'   bound or times `r0 * r1` is not finite. The function raises `dp_error_failed_cast` unless it
#'   gets two columns, and `dp_error_failed_function` if their lengths differ.
#' @template ref-casacuberta-2022
#' @template ref-honaker-vadhan-2020
#' @examples
#' enable_features("contrib")
#' covariance <- make_sized_bounded_covariance(size = 5, c(0, 10), c(0, 10))
#' covariance(arg = data.frame(x = c(1, 2, 3, 4, 5), y = c(3, 4, 5, 6, 7)))
#' covariance(d_in = 2L)
#' @export
make_sized_bounded_covariance <- function(size, bounds_0, bounds_1, ddof = 1L,
                                          .S = "Pairwise<.T>") {
  build("make_sized_bounded_covariance", size, bounds_0, bounds_1, ddof, .S)
}

#' @rdname make_sized_bounded_covariance
#' @export
then_sized_bounded_covariance <- to_then_fixed(make_sized_bounded_covariance)

#' Average a known number of bounded floats
#'
#' Computes the [sum][make_sum()], then [multiplies][make_lipschitz_float_mul()] it by `1 / size`.
#' It divides by the declared size, even if the data have a different number of rows.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats with bounds and a size. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From a vector of length `size` to one number, in the unit of the
#'   rows.
#' @section Stability: The maps of the two steps compose to about
#'   `floor(d_in / 2) * (upper - lower) / size`. Rounding adds a little, even at `d_in = 0`.
#' @section Errors: Raises `dp_error_make_transformation` without bounds or a size, or if the size
#'   is 0. Raises `dp_error_type` if rows are not floats, or for a different metric. Raises
#'   `dp_error_failed_cast` for more than 2^53 rows (2^24 for `f32`), or for rows that can be null.
#'   Raises `dp_error_overflow` if `size` times a bound is not finite.
#' @template ref-dwork-roth-2014
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' average <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 4), symmetric_distance()) |>
#'   then_mean()
#' average(arg = c(1, 2, 4, 5))
#' average(d_in = 2L)
#' @export
make_mean <- function(input_domain, input_metric) build("make_mean", input_domain, input_metric)

#' @rdname make_mean
#' @export
then_mean <- to_then(make_mean)

#' Variance of a known number of bounded floats
#'
#' Computes the [sum of squared deviations][make_sum_of_squared_deviations()], then
#' [multiplies][make_lipschitz_float_mul()] it by `1 / (size - ddof)`. It divides by the declared
#' size, even if the data have a different number of rows.
#'
#' @inheritParams make_sum_of_squared_deviations
#' @param ddof (whole number) Number to subtract from the size: 1 for the unbiased variance of a
#'   sample, 0 for the variance of a whole population. Public.
#' @param .S (type descriptor) Summation, see [make_sum_of_squared_deviations()]. It is checked
#'   against the type of the rows. Additions are always pairwise, as in the published bindings.
#' @returns (`transformation`) From a vector of length `size` to one number, in the squared unit of
#'   the rows.
#' @section Stability: The maps of the two steps compose to about
#'   `floor(d_in / 2) * (upper - lower)^2 * (n - 1) / n / (n - ddof)` for `n` rows. Rounding adds a
#'   little, even at `d_in = 0`.
#' @section Errors: Raises the errors of [make_sum_of_squared_deviations()], and
#'   `dp_error_make_transformation` if `ddof` is not below the size.
#' @template ref-casacuberta-2022
#' @template ref-honaker-vadhan-2020
#' @examples
#' enable_features("contrib")
#' spread <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 5), symmetric_distance()) |>
#'   then_variance()
#' spread(arg = c(1, 2, 3, 4, 5))
#' spread(d_in = 2L)
#' @export
make_variance <- function(input_domain, input_metric, ddof = 1L, .S = "Pairwise<.T>") {
  build("make_variance", input_domain, input_metric, ddof, .S)
}

#' @rdname make_variance
#' @export
then_variance <- to_then(make_variance)

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

#' Add Laplace noise
#'
#' Releases a number or a vector with discrete Laplace noise. The noise is drawn exactly, from the
#' secure source, on the grid of multiples of 2^k. One mechanism handles all number types. Integers
#' are their own grid. Floats are rounded to the grid, noised as integers, and rounded back. No
#' continuous noise is added to a float, because the low-order bits of the sum would depend on the
#' input.
#'
#' Integers saturate at the limits of their type. An infinite input counts as the largest finite
#' number.
#'
#' @param input_domain (`domain`) A single number, or a vector of numbers, without NaN. Public.
#' @param input_metric (`metric`) [absolute_distance()] for a number, [l1_distance()] for a vector,
#'   in any number type. Public.
#' @param scale (`numeric(1)`) Scale b of the noise, at least 0, in the unit of the data. The
#'   standard deviation is about `b * sqrt(2)`. Public.
#' @param k (whole number or `NULL`) Grid exponent for floats: releases are multiples of `2^k`.
#'   `NULL` uses the finest possible grid (-1074 for `f64`), which adds no loss. A coarser grid adds
#'   a small loss, see below, and requires a known size for vectors. Public.
#' @param .MO (type descriptor) Output measure, `"MaxDivergence"`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) A measurement whose releases have the type and the length of the data.
#' @section Privacy: `epsilon = d_in / scale`, rounded up. It is 0 at `d_in = 0`, and `Inf` at
#'   scale 0. On a grid coarser than the finest, `d_in + n * (2^k - 2^-1074)` replaces `d_in` for
#'   `f64` (2^-149 for `f32`), where `n` is the length of the vector, because rounding moves each
#'   coordinate by less than a step. The loss at `d_in = 0` is then not 0.
#' @section Errors: Raises `dp_error_make_measurement` for a negative scale, a `k` outside the range
#'   of the type, or a coarse grid for a vector of unknown size. Raises
#'   `dp_error_make_transformation` for a scale that is not finite, and `dp_error_metric_space` or
#'   `dp_error_make_measurement` if data can be NaN. Raises `dp_error_type` for a different domain,
#'   metric or measure, and `dp_error_failed_cast` if `scale` or `k` is not a number. The map raises
#'   `dp_error_failed_map` for a distance that is negative or not finite.
#' @template ref-dwork-mcsherry-nissim-smith-2006
#' @template ref-ghosh-roughgarden-sundararajan-2009
#' @template ref-canonne-kamath-steinke-2020
#' @template ref-mironov-2012
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_laplace(scale = 2)
#' noisy(arg = 100L)
#' noisy(d_in = 1L)
#'
#' # The smallest noise for a loss of 0.5:
#' space <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64"))
#' binary_search_param(\(scale) space |> then_laplace(scale), d_in = 1, d_out = 0.5)
#' @export
make_laplace <- function(input_domain, input_metric, scale, k = NULL, .MO = "MaxDivergence") {
  build("make_laplace", input_domain, input_metric, scale, k, .MO)
}

#' @rdname make_laplace
#' @export
then_laplace <- to_then(make_laplace)

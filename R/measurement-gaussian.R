#' Add Gaussian noise
#'
#' Releases a number or a vector with discrete Gaussian noise. The noise is drawn exactly, from the
#' secure source, on the grid of multiples of 2^k. Grid, rounding and limits are the same as for
#' [make_laplace()].
#'
#' @inheritParams make_laplace
#' @param input_metric (`metric`) [absolute_distance()] for a number, [l2_distance()] for a vector,
#'   in any number type. Public.
#' @param scale (`numeric(1)`) Noise scale sigma, at least 0, in the unit of the data. The standard
#'   deviation is at most sigma. Public.
#' @param .MO (type descriptor) Output measure, `"ZeroConcentratedDivergence"`.
#' @returns (`measurement`) A measurement whose releases have the type and the length of the data.
#' @section Privacy: `rho = (d_in / scale)^2 / 2`, rounded up. It is 0 at `d_in = 0`, and `Inf` at
#'   scale 0. On a grid coarser than the finest, `d_in + sqrt(n) * (2^k - 2^-1074)` replaces `d_in`
#'   for `f64` (2^-149 for `f32`), where `n` is the length of the vector. For a loss in epsilon and
#'   delta, see [make_zCDP_to_approxDP()] and [make_fix_delta()].
#' @section Errors: Raises the errors of [make_laplace()].
#' @template ref-canonne-kamath-steinke-2020
#' @template ref-bun-steinke-2016
#' @examples
#' enable_features("contrib")
#' noisy <- c(vector_domain(atom_domain(.T = "i32")), l2_distance(.T = "f64")) |>
#'   then_gaussian(scale = 4)
#' noisy(arg = c(10L, 20L, 30L))
#' noisy(d_in = 1)
#' @export
make_gaussian <- function(input_domain, input_metric, scale, k = NULL,
                          .MO = "ZeroConcentratedDivergence") {
  build("make_gaussian", input_domain, input_metric, scale, k, .MO)
}

#' @rdname make_gaussian
#' @export
then_gaussian <- to_then(make_gaussian)

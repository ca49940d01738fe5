#' Add the noise of a privacy measure
#'
#' Adds Laplace noise ([make_laplace()]) under [max_divergence()], and Gaussian noise
#' ([make_gaussian()]) under [zero_concentrated_divergence()].
#'
#' @inheritParams make_laplace
#' @param input_metric (`metric`) Metric that the noise accepts, see [make_laplace()] and
#'   [make_gaussian()]. Public.
#' @param output_measure (`measure`) Either of these two measures. Public.
#' @param scale (`numeric(1)`) Scale of the noise, at least 0, in the unit of the data. Public.
#' @param k (whole number or `NULL`) Exponent of the grid of floats, see [make_laplace()]. Public.
#' @returns (`measurement`) A measurement whose releases have the type and the length of the data.
#' @section Privacy: The loss is `epsilon = d_in / scale` for Laplace noise and
#'   `rho = (d_in / scale)^2 / 2` for Gaussian noise, rounded up. Coarse grids of floats lose more,
#'   see [make_laplace()] and [make_gaussian()].
#' @section Errors: Raises `dp_error_ffi` for a different measure, and the errors of the noise.
#' @template ref-canonne-kamath-steinke-2020
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' noisy <- space |> then_noise(output_measure = max_divergence(), scale = 2)
#' noisy(arg = 100L)
#' noisy(d_in = 1L)
#' @export
make_noise <- function(input_domain, input_metric, output_measure, scale, k = NULL) {
  build("make_noise", input_domain, input_metric, output_measure, scale, k)
}

#' @rdname make_noise
#' @export
then_noise <- to_then(make_noise)

#' Add the noise that a measure asks for
#'
#' [make_laplace()] for [max_divergence()], [make_gaussian()] for [zero_concentrated_divergence()].
#'
#' @inheritParams make_laplace
#' @param input_metric (`metric`) As the noise wants it. Public.
#' @param output_measure (`measure`) One of the two. Public.
#' @param scale (`numeric(1)`) Scale of the noise, at least 0, in the unit of the data. Public.
#' @param k (whole number or `NULL`) The grid of floats, see [make_laplace()]. Public.
#' @returns (`measurement`) Its releases have the type and the length of the data.
#' @section Privacy: That of the noise: `epsilon = d_in / scale`, or `rho = (d_in / scale)^2 / 2`,
#'   rounded up; on coarse grids of floats more, as the pages of the two say.
#' @section Errors: `dp_error_ffi` for another measure; and those of the noise.
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

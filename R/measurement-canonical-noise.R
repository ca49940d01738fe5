#' Add canonical noise
#'
#' For one number and a wanted pair of epsilon and delta: the noise whose law, moved by `d_in`, is
#' as far from itself as the pair allows, and not less. No other noise with the same guarantee gives
#' tests with more power.
#'
#' The draw and the sum are exact: as many random bits are taken as it needs to know the nearest
#' double, which then is the release. An infinite datum counts as the largest finite number.
#'
#' @param input_domain (`domain`) A single `f64` without NaN. Public.
#' @param input_metric (`metric`) `absolute_distance(.T = "f64")`. Public.
#' @param d_in (`numeric(1)`) How far neighbouring data are apart at most, in the unit of the data;
#'   the noise is proportional to it. Public.
#' @param d_out (`c(epsilon, delta)` or a list of the two) The wanted loss: epsilon finite and
#'   at least 2^-42, delta from 0 to 1. Above 709 the noise no longer changes. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a number to a number.
#' @section Privacy: `d_out` at any distance from 0 to the `d_in` given here, if that is above 0;
#'   else `list(0, 0)`.
#' @section Errors: `dp_error_make_measurement` for a `d_in` that is negative or not finite, an
#'   epsilon or delta out of range, or a pair so small that a draw would take too long;
#'   `dp_error_type` or `dp_error_metric_space` for another space. The map: `dp_error_failed_map`
#'   beyond `d_in`.
#' @template ref-awan-vadhan-2023
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
#'   then_canonical_noise(d_in = 1, d_out = c(1, 1e-6))
#' noisy(arg = 100)
#' noisy(d_in = 1)
#' @export
make_canonical_noise <- function(input_domain, input_metric, d_in, d_out) {
  build("make_canonical_noise", input_domain, input_metric, d_in, d_out)
}

#' @rdname make_canonical_noise
#' @export
then_canonical_noise <- to_then(make_canonical_noise)

#' Add canonical noise
#'
#' Adds noise to one number for a given pair of epsilon and delta. When the law of the noise is
#' shifted by `d_in`, it differs from the original law by exactly the distance that the pair allows.
#' No other noise with the same guarantee gives more powerful tests.
#'
#' The draw and the sum are exact: random bits are drawn until the nearest double is known, and this
#' double is the release. An infinite input counts as the largest finite number.
#'
#' @param input_domain (`domain`) A single `f64` without NaN. Public.
#' @param input_metric (`metric`) `absolute_distance(.T = "f64")`. Public.
#' @param d_in (`numeric(1)`) Largest distance between neighbouring data, in the unit of the data.
#'   The noise is proportional to it. Public.
#' @param d_out (`c(epsilon, delta)` or a list of the two) Target loss: epsilon finite and at least
#'   2^-42, delta from 0 to 1. Above an epsilon of 709 the noise no longer changes. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a number to a number.
#' @section Privacy: `d_out` at any distance above 0 up to the argument `d_in`, and `list(0, 0)` at
#'   distance 0 or if the argument `d_in` is 0.
#' @section Errors: Raises `dp_error_make_measurement` for a `d_in` that is negative or not finite,
#'   an epsilon or delta out of range, or a pair so small that a draw would take too long. Raises
#'   `dp_error_type` or `dp_error_metric_space` for a different space. The map raises
#'   `dp_error_failed_map` beyond `d_in`.
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

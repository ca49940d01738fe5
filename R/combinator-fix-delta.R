#' Fix one point of a privacy profile
#'
#' Makes the same release, but returns its loss as one pair of epsilon and delta instead of a curve.
#'
#' @param measurement (`measurement`) Measurement under [smoothed_max_divergence()], or its
#'   [approximate()] form.
#' @param delta (`numeric(1)`) Delta to fix, in `[0, 1]`. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`, so name `delta` then. After anything else,
#'   give `measurement`.
#' @returns (`measurement`) A measurement under [fixed_smoothed_max_divergence()].
#' @section Privacy: `list(epsilon, delta)`, with the smallest epsilon whose delta in the profile is
#'   at most `delta`, rounded up. A delta that is already fixed (the approximate form) is first
#'   subtracted from `delta`.
#' @section Errors: Raises `dp_error_type` for a different measure, `dp_error_invalid_distance` if
#'   `delta` is not in `[0, 1]`, and `dp_error_failed_cast` if it is not a number. The map raises
#'   `dp_error_failed_map` if `delta` is below the delta that is already fixed.
#' @template ref-balle-barthe-gaboardi-2018
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_gaussian(scale = 4) |>
#'   then_zCDP_to_approxDP() |>
#'   then_fix_delta(delta = 1e-7)
#' noisy(d_in = 1L)
#' @export
make_fix_delta <- function(measurement, delta) build("make_fix_delta", measurement, delta)

#' @rdname make_fix_delta
#' @export
then_fix_delta <- function(lhs, measurement, delta) {
  then_recast(make_fix_delta, lhs, measurement, delta)
}

#' Convert a privacy loss to a different measure
#'
#' Makes the same release, and converts its loss to a different measure. Every conversion loses
#' information, so you cannot undo it.
#'
#' * `make_approximate()`: from M, which is [max_divergence()], [zero_concentrated_divergence()] or
#'   a user divergence, to its [approximate()] form. A loss d becomes `list(d, 0)`.
#' * `make_pureDP_to_zCDP()`: from [max_divergence()] to [zero_concentrated_divergence()].
#' * `make_zCDP_to_approxDP()`: from [zero_concentrated_divergence()] to
#'   [smoothed_max_divergence()].
#' * `make_pureDP_to_RDP()`: from [max_divergence()] to [renyi_divergence()].
#' * `make_zCDP_to_RDP()`: from [zero_concentrated_divergence()] to [renyi_divergence()].
#' * `make_RDP_to_approxDP()`: from [renyi_divergence()] to [smoothed_max_divergence()].
#' * `make_fixed_approxDP_to_approxDP()`: from [fixed_smoothed_max_divergence()] to
#'   [smoothed_max_divergence()].
#'
#' `make_zCDP_to_approxDP()` also converts the approximate form of its input measure to the
#' approximate form of its output measure.
#'
#' @param measurement (`measurement`) Measurement under the measure to convert from.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`. After anything else, give `measurement`.
#' @returns (`measurement`) A measurement with the domain, metric and function of `measurement`.
#' @section Privacy: All conversions are rounded up.
#'   * Pure to zero-concentrated: `rho = epsilon^2 / 2`.
#'   * Zero-concentrated to smoothed: the profile with
#'     `delta(x) = exp((a - 1) * (a * rho - x) + a * log(1 - 1 / a)) / (a - 1)` at the `a > 1` that
#'     minimizes it.
#'   * A fixed pair to smoothed: the step from 1 down to delta, at epsilon.
#' @section Errors: Raises `dp_error_type` for a different measure. The map of
#'   `make_pureDP_to_zCDP()` raises `dp_error_overflow` for an infinite epsilon.
#' @template ref-bun-steinke-2016
#' @template ref-canonne-kamath-steinke-2020
#' @template ref-mironov-2017
#' @seealso [make_fix_delta()], [renyi_curve]
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_gaussian(scale = 4) |>
#'   then_zCDP_to_approxDP()
#' profile <- noisy(d_in = 1L)
#' profile(delta = 1e-3)
#' profile(epsilon = 1)
#'
#' # Curves of several releases add up, whatever their measures were:
#' numbers <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' both <- make_composition(list(
#'   numbers |> then_laplace(scale = 8) |> then_pureDP_to_RDP(),
#'   numbers |> then_gaussian(scale = 8) |> then_zCDP_to_RDP()
#' ))
#' both(d_in = 1L)(alpha = 16)
#' make_RDP_to_approxDP(both)(d_in = 1L)(delta = 1e-6)
#' compose_pld(both, d_in = 1L)(delta = 1e-6)
#' @name measure_casts
NULL

# nolint start: object_name_linter. The framework defines these names.

#' @rdname measure_casts
#' @export
make_approximate <- function(measurement) build("make_approximate", measurement)

#' @rdname measure_casts
#' @export
make_pureDP_to_zCDP <- function(measurement) build("make_pureDP_to_zCDP", measurement)

#' @rdname measure_casts
#' @export
make_zCDP_to_approxDP <- function(measurement) build("make_zCDP_to_approxDP", measurement)

#' @rdname measure_casts
#' @export
make_pureDP_to_RDP <- function(measurement) build("make_pureDP_to_RDP", measurement)

#' @rdname measure_casts
#' @export
make_zCDP_to_RDP <- function(measurement) build("make_zCDP_to_RDP", measurement)

#' @rdname measure_casts
#' @export
make_RDP_to_approxDP <- function(measurement) build("make_RDP_to_approxDP", measurement)

#' @rdname measure_casts
#' @export
make_fixed_approxDP_to_approxDP <- function(measurement) {
  build("make_fixed_approxDP_to_approxDP", measurement)
}

#' @rdname measure_casts
#' @export
then_approximate <- function(lhs, measurement) then_recast(make_approximate, lhs, measurement)

#' @rdname measure_casts
#' @export
then_pureDP_to_zCDP <- function(lhs, measurement) then_recast(make_pureDP_to_zCDP, lhs, measurement)

#' @rdname measure_casts
#' @export
then_zCDP_to_approxDP <- function(lhs, measurement) {
  then_recast(make_zCDP_to_approxDP, lhs, measurement)
}

#' @rdname measure_casts
#' @export
then_pureDP_to_RDP <- function(lhs, measurement) then_recast(make_pureDP_to_RDP, lhs, measurement)

#' @rdname measure_casts
#' @export
then_zCDP_to_RDP <- function(lhs, measurement) then_recast(make_zCDP_to_RDP, lhs, measurement)

#' @rdname measure_casts
#' @export
then_RDP_to_approxDP <- function(lhs, measurement) {
  then_recast(make_RDP_to_approxDP, lhs, measurement)
}

#' @rdname measure_casts
#' @export
then_fixed_approxDP_to_approxDP <- function(lhs, measurement) {
  then_recast(make_fixed_approxDP_to_approxDP, lhs, measurement)
}

# nolint end

# As published, the measurement is an argument and is chained after `lhs`. A measurement on the left
# of the pipe can only be this argument.
then_recast <- function(make, lhs, measurement, ...) {
  if (missing(measurement) && inherits(lhs, "measurement")) {
    make(lhs, ...)
  } else {
    chain(lhs, make(measurement, ...))
  }
}

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

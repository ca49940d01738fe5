#' Add noise to the values of a map and keep large ones
#'
#' Adds noise to every value of a map, and releases only entries whose noisy value reaches a
#' threshold. Use it for counts by keys that are not known in advance, such as those from
#' [make_count_by()]. A key that only one person contributes is released with probability at most
#' `delta`.
#'
#' * `make_laplace_threshold()` and `make_gaussian_threshold()`: the noise of [make_laplace()] and
#'   [make_gaussian()], with the same grid and the same limits.
#' * `make_noise_threshold()`: either of these, depending on the measure.
#'
#' An entry whose value is 0 is never released, because the metric cannot distinguish it from a
#' missing entry.
#'
#' @param input_domain (`domain`) [map_domain()] from integers, bools or texts to numbers without
#'   NaN. Public.
#' @param input_metric (`metric`) [l01inf_distance()] of an [absolute_distance()] for Laplace noise,
#'   [l02inf_distance()] for Gaussian noise. Its distances are triples: how many values change, the
#'   L1 or L2 norm of the changes, and the largest change. Public.
#' @param output_measure (`measure`) [approximate()] of [max_divergence()] or of
#'   [zero_concentrated_divergence()]. Public.
#' @param scale (`numeric(1)`) Scale of the noise, at least 0, in the unit of the values. Public.
#' @param threshold (one number in the type of the values) Smallest noisy value that is released, or
#'   the largest for a negative threshold of integers. Public.
#' @param k (whole number or `NULL`) Exponent of the grid of floats, see [make_laplace()]. Public.
#' @param .MO (type descriptor) Output measure, `"Approximate<MaxDivergence>"` or
#'   `"Approximate<ZeroConcentratedDivergence>"`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a hash table ([new_hashtab()]) to a [dp_map] of the released
#'   entries.
#' @section Privacy: With `d_in = c(d0, dp, dinf)`, where `dp` counts as at most `dinf * d0` (L1) or
#'   `dinf * sqrt(d0)` (L2), and integers and grids are counted in whole steps:
#'   * `epsilon = dp / scale`, or `rho = (dp / scale)^2 / 2`.
#'   * `delta = 1 - (1 - P[Z >= abs(threshold) - dinf])^d0`, where Z is the noise.
#'
#'   Both are rounded up. A grid coarser than the finest adds the possible rounding, see
#'   [make_laplace()], where `d0` is the number of values.
#' @section Errors: Raises `dp_error_type` for a different domain, metric or measure, and
#'   `dp_error_ffi` for a different `output_measure`. Raises `dp_error_metric_space` if values can
#'   be NaN. Raises `dp_error_make_measurement` for a negative scale, an invalid `k`, or a threshold
#'   of floats that is negative or not finite, and `dp_error_make_transformation` for a scale that
#'   is not finite. Raises `dp_error_failed_cast` for a threshold of a different type. The map
#'   raises `dp_error_failed_map` for distances that are negative or not finite, or a `dinf` above
#'   the threshold.
#' @template ref-korolova-2009
#' @template ref-desfontaines-2022
#' @examples
#' enable_features("contrib")
#' counts <- c(
#'   map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
#'   l01inf_distance(absolute_distance(.T = "i32"))
#' )
#' popular <- counts |> then_laplace_threshold(scale = 2, threshold = 28L)
#' hashitems(
#'   popular(arg = new_hashtab(c("the", "dragon"), c(500L, 1L))),
#'   "HashMap<String, i32>"
#' )
#' popular(d_in = c(1L, 1L, 1L))
#' @export
make_laplace_threshold <- function(input_domain, input_metric, scale, threshold, k = NULL,
                                   .MO = "Approximate<MaxDivergence>") {
  build("make_laplace_threshold", input_domain, input_metric, scale, threshold, k, .MO)
}

#' @rdname make_laplace_threshold
#' @export
then_laplace_threshold <- to_then(make_laplace_threshold)

#' @rdname make_laplace_threshold
#' @export
make_gaussian_threshold <- function(input_domain, input_metric, scale, threshold, k = NULL,
                                    .MO = "Approximate<ZeroConcentratedDivergence>") {
  build("make_gaussian_threshold", input_domain, input_metric, scale, threshold, k, .MO)
}

#' @rdname make_laplace_threshold
#' @export
then_gaussian_threshold <- to_then(make_gaussian_threshold)

#' @rdname make_laplace_threshold
#' @export
make_noise_threshold <- function(input_domain, input_metric, output_measure, scale, threshold,
                                 k = NULL) {
  build("make_noise_threshold", input_domain, input_metric, output_measure, scale, threshold, k)
}

#' @rdname make_laplace_threshold
#' @export
then_noise_threshold <- to_then(make_noise_threshold)

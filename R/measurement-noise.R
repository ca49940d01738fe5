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

#' Add geometric noise
#'
#' Adds Laplace noise to integers, under its alternative name. Without `bounds`, it is
#' [make_laplace()]. With `bounds`, data and releases are clamped to them. A draw then takes one
#' step for each binary digit of the distance between the bounds, whatever the data and the noise
#' are. So the run time reveals only how often a draw restarted because of a negative zero.
#'
#' @inheritParams make_laplace
#' @param input_domain (`domain`) A single integer, or a vector of integers. Public.
#' @param input_metric (`metric`) [absolute_distance()] for a number, [l1_distance()] for a vector,
#'   in any integer type. Public.
#' @param bounds (two integers in the type of the data, or `NULL`) Lower and upper bound. Public.
#' @returns (`measurement`) A measurement whose releases have the type and the length of the data.
#'   If both bounds are equal, it releases that number. With scale 0, it releases the data
#'   unchanged.
#' @section Privacy: `epsilon = d_in / scale`, rounded up. It is 0 at `d_in = 0` and `Inf` at scale
#'   0.
#' @section Errors: Raises `dp_error_make_measurement` for bounds in the wrong order, a negative
#'   scale, or a scale so large that noise in constant time would never end. Raises
#'   `dp_error_make_transformation` for a scale that is not finite, `dp_error_type` for data or
#'   distances that are not integers, and `dp_error_failed_cast` for bounds of a different type. The
#'   map raises `dp_error_failed_map` for a negative distance.
#' @template ref-ghosh-roughgarden-sundararajan-2009
#' @template ref-balcer-vadhan-2018
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_geometric(scale = 2, bounds = c(0L, 100L))
#' noisy(arg = 3L)
#' noisy(d_in = 1L)
#' @export
make_geometric <- function(input_domain, input_metric, scale, bounds = NULL,
                           .MO = "MaxDivergence") {
  build("make_geometric", input_domain, input_metric, scale, bounds, .MO)
}

#' @rdname make_geometric
#' @export
then_geometric <- to_then(make_geometric)

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

#' Answer queries for the count of any key
#'
#' Releases a small table of noisy bits, and you can estimate the count of any key from it, whether
#' it occurs or not (approximate Laplace projection). Use it if there are too many keys to release a
#' noisy count for each. Answers are postprocessing, so their number is not limited.
#'
#' Each value is rounded at random to a multiple of `alpha / scale`, and sets that number of bits of
#' the table. Random hash functions choose their places by key. Then every bit is flipped with
#' probability `1 / (alpha + 2)`. Only this table is kept.
#'
#' @param input_domain (`domain`) [map_domain()] from integers, bools or strings to integers. Values
#'   below 0 count as 0. Public.
#' @param input_metric (`metric`) [l01inf_distance()] of the [absolute_distance()] in the type of
#'   the values. Public.
#' @param scale (`numeric(1)`) Loss per unit of the L1 distance, above 0: the **larger**, the less
#'   noise. Public.
#' @param total_limit (whole number) Approximate sum of all values, which determines the table size.
#'   A larger sum costs accuracy, not privacy. Public.
#' @param value_limit (whole number or `NULL`) Largest value that can be distinguished. `NULL` uses
#'   the upper bound of the values. Public.
#' @param size_factor (whole number) Number of bits in the table for each bit that is set. Public.
#' @param alpha (whole number) Coarseness: larger values give coarser and less noisy bits. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a hash table ([new_hashtab()]) to a queryable. Call it with a key
#'   to get an estimate of its value, `numeric(1)`.
#' @section Privacy: `epsilon = scale * d1`, rounded up, at `d_in = c(d0, d1, dinf)`.
#' @section Errors: Raises `dp_error_make_measurement` if both `value_limit` and an upper bound are
#'   missing, if `scale` or `alpha` is not positive, or if the table would be empty or larger than
#'   2^32 bits. Raises `dp_error_type` for a different domain or metric, and `dp_error_failed_cast`
#'   for arguments that are not numbers. The map raises `dp_error_failed_map` for negative
#'   distances.
#' @template ref-aumueller-lebeda-pagh-2021
#' @examples
#' enable_features("contrib")
#' counts <- c(
#'   map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
#'   l01inf_distance(absolute_distance(.T = "i32"))
#' )
#' sketch <- counts |> then_alp_queryable(scale = 1, total_limit = 24L, value_limit = 24L)
#' sketch(d_in = c(1L, 1L, 1L))
#' estimate <- sketch(arg = new_hashtab(c("often", "once"), c(20L, 1L)))
#' estimate(query = "often")
#' @export
make_alp_queryable <- function(input_domain, input_metric, scale, total_limit, value_limit = NULL,
                               size_factor = 50L, alpha = 4L) {
  build(
    "make_alp_queryable", input_domain, input_metric, scale, total_limit, value_limit,
    size_factor, alpha
  )
}

#' @rdname make_alp_queryable
#' @export
then_alp_queryable <- to_then(make_alp_queryable)

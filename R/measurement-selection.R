#' Select the best candidate by noisy scores
#'
#' Releases the position of a candidate with a score near the greatest, or the positions of several.
#' The scores stay private, and their number is public.
#'
#' * `make_noisy_max()`: one position.
#' * `make_noisy_top_k()`: the positions of `k` candidates, best first. It selects and removes one
#'   candidate, `k` times, or until none is left.
#' * `make_report_noisy_max_gumbel()`: deprecated, `make_noisy_max()` under [max_divergence()].
#'
#' The selection depends on the measure. Under [max_divergence()], candidates are in random order,
#' and the first one is taken that passes a coin with `P = exp((score - best) / scale)`
#' (permute-and-flip). Under [zero_concentrated_divergence()], a candidate is taken with a
#' probability proportional to `exp(score / scale)` (the exponential mechanism, or the greatest of
#' scores with Gumbel noise). All of these probabilities are exact.
#'
#' @param input_domain (`domain`) Vector of numbers without NaN: a score for each candidate. Public.
#' @param input_metric (`metric`) [linf_distance()] in the type of the scores: the largest change of
#'   any score. With `monotonic = TRUE`, scores of neighbouring data all rise or all fall, and the
#'   loss is half as large. Public.
#' @param output_measure (`measure`) [max_divergence()] or [zero_concentrated_divergence()]. Public.
#' @param k (whole number) Number of candidates to select. Public.
#' @param scale (`numeric(1)`) Noise scale, at least 0, in the unit of the scores. 0 selects the
#'   best, the last among equals. Public.
#' @param negate (`logical(1)`) Whether the smallest score is best. Public.
#' @param optimize (`character(1)`) Direction, `"max"` or `"min"`. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From scores to one position, `numeric(1)`, or to a vector of at most
#'   `k`. Positions are counted **from 0**, as in the framework: add 1 to index an R vector.
#' @section Privacy: Per selection, with `d = 2 * d_in`, or `d = d_in` if the metric is monotonic:
#'   * under [max_divergence()], `epsilon = d / scale`.
#'   * under [zero_concentrated_divergence()], `rho = (d / scale)^2 / 8`.
#'
#'   `k` selections cost `k` times as much. All losses are rounded up. They are 0 at `d_in = 0`, and
#'   `Inf` at scale 0.
#' @section Errors: Raises `dp_error_make_measurement` if scores can be NaN, the scale is negative
#'   or not finite, or `k` exceeds the size of the domain. Raises `dp_error_type` for a different
#'   domain, metric or measure. The map raises `dp_error_invalid_distance` for a negative distance,
#'   and `dp_error_overflow` if the loss is not finite. The function raises
#'   `dp_error_failed_function` for data outside the domain, or without candidates.
#' @template ref-mckenna-sheldon-2020
#' @template ref-cesar-rogers-2021
#' @seealso [make_private_quantile()]
#' @examples
#' enable_features("contrib")
#' scores <- c(vector_domain(atom_domain(.T = "i32")), linf_distance(.T = "i32"))
#' best <- scores |> then_noisy_max(max_divergence(), scale = 1)
#' candidates <- c("red", "green", "blue")
#' candidates[[best(arg = c(1L, 20L, 3L)) + 1]]
#' best(d_in = 1L)
#'
#' two <- scores |> then_noisy_top_k(zero_concentrated_divergence(), k = 2L, scale = 1)
#' candidates[two(arg = c(1L, 20L, 13L)) + 1]
#' @export
make_noisy_max <- function(input_domain, input_metric, output_measure, scale, negate = FALSE) {
  build("make_noisy_max", input_domain, input_metric, output_measure, scale, negate)
}

#' @rdname make_noisy_max
#' @export
then_noisy_max <- to_then(make_noisy_max)

#' @rdname make_noisy_max
#' @export
make_noisy_top_k <- function(input_domain, input_metric, output_measure, k, scale,
                             negate = FALSE) {
  build("make_noisy_top_k", input_domain, input_metric, output_measure, k, scale, negate)
}

#' @rdname make_noisy_max
#' @export
then_noisy_top_k <- to_then(make_noisy_top_k)

#' @rdname make_noisy_max
#' @export
make_report_noisy_max_gumbel <- function(input_domain, input_metric, scale, optimize = "max") {
  deprecate_name("make_report_noisy_max_gumbel", "make_noisy_max")
  build("make_report_noisy_max_gumbel", input_domain, input_metric, scale, optimize)
}

#' @rdname make_noisy_max
#' @export
then_report_noisy_max_gumbel <- to_then(make_report_noisy_max_gumbel)

#' Release a quantile
#'
#' Releases a public candidate near a quantile of the data: about a share `alpha` of the data lies
#' below it and `1 - alpha` above. Each candidate's score is its distance from this balance, counted
#' in rows, and [make_noisy_max()] selects one with a small score.
#'
#' @param input_domain (`domain`) Vector of numbers without NaN. A known size makes the loss for
#'   replaced rows smaller. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param output_measure (`measure`) [max_divergence()] or [zero_concentrated_divergence()]. Public.
#' @param candidates (vector, or `list` of single elements) Distinct candidates, in the type of the
#'   data and in any order. Only these can be released, so do not take them from the data. Public.
#' @param alpha (`numeric(1)`) Quantile level, from 0 to 1, where 0.5 is the median. Public.
#' @param scale (`numeric(1)`) Noise scale in rows, at least 0. The balance is typically missed by
#'   about this many rows. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From data to one of the candidates.
#' @section Privacy: One added or removed row changes scores by at most `m = max(alpha, 1 - alpha)`
#'   rows. In data of known size, two such rows change them by at most 1 row. With `s = m * d_in`,
#'   or `s = floor(d_in / 2)` for a known size, the loss is
#'   * `epsilon = 2 * s / scale` under [max_divergence()],
#'   * `rho = (2 * s / scale)^2 / 8` under [zero_concentrated_divergence()].
#'
#'   Both are rounded up. Without a known size, an `alpha` that is not a fraction with a denominator
#'   below 10000 is rounded down to a multiple of 1/10000.
#' @section Errors: Raises `dp_error_make_measurement` for a NaN among the candidates, or a scale
#'   that is negative or not finite. Raises `dp_error_make_transformation` if there are no
#'   candidates, if one is repeated, or if `alpha` is not in `[0, 1]`. Raises `dp_error_failed_cast`
#'   for candidates of a different type, and `dp_error_type` for a different metric or measure. The
#'   map raises `dp_error_overflow` for a distance that does not fit 64 bits.
#' @template ref-smith-2011
#' @template ref-mckenna-sheldon-2020
#' @examples
#' enable_features("contrib")
#' median_age <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_private_quantile(max_divergence(), candidates = 0:100, alpha = 0.5, scale = 2)
#' median_age(arg = PUMS5extract10000$age)
#' median_age(d_in = 1L)
#' @export
make_private_quantile <- function(input_domain, input_metric, output_measure, candidates, alpha,
                                  scale) {
  build(
    "make_private_quantile", input_domain, input_metric, output_measure, candidates, alpha, scale
  )
}

#' @rdname make_private_quantile
#' @export
then_private_quantile <- to_then(make_private_quantile)

#' Release several quantiles together
#'
#' Releases one public candidate for each of several quantiles of the data, in increasing order. It
#' makes one joint choice, whose loss does not grow with the number of quantiles.
#'
#' Each row counts at its nearest candidate. A choice of candidates divides the rows into those
#' below the first, between the first and the second, and so on. Its score is the total distance of
#' these row counts from the shares that `alphas` ask for. Rows at a chosen candidate can count on
#' either side of it, in any proportion, and the choice includes this proportion. Therefore repeated
#' equal rows do not distort neighbouring quantiles.
#'
#' @inheritParams make_private_quantile
#' @param input_domain (`domain`) Vector of numbers without NaN. A known size makes the loss for
#'   replaced rows smaller. Public.
#' @param input_metric (`metric`) [symmetric_distance()], [insert_delete_distance()],
#'   [change_one_distance()] or [hamming_distance()]. Public.
#' @param candidates (vector, or `list` of single elements) Increasing candidates, in the type of
#'   the data. Only these can be released, so do not take them from the data. Public.
#' @param alphas (`numeric`) Increasing quantile levels, from 0 to 1, rounded to the nearest
#'   1/10000. Public.
#' @param scale (`numeric(1)`) Noise scale in rows, at least 2^-15. The score of the choice is
#'   typically within this many rows of the best. Public.
#' @returns (`measurement`) From data to a vector of candidates, one for each of `alphas`, in
#'   increasing order.
#' @section Privacy: The choice follows the exponential mechanism, with a probability proportional
#'   to `exp(-score / scale)`. Replacing one row changes the score by 2 rows at most. Under
#'   [change_one_distance()] or [hamming_distance()], let `s = 2 * d_in`. Under the other metrics,
#'   let `s = 2 * floor(d_in / 2)` for a known size, and otherwise `s = 2 * (1 - step) * d_in`,
#'   where `step` is the smallest difference between 0, `alphas` and 1. Then the loss is
#'   * `epsilon = 2 * s / scale` under [max_divergence()],
#'   * `rho = (2 * s / scale)^2 / 8` under [zero_concentrated_divergence()].
#'
#'   Both are rounded up.
#' @section Errors: Raises `dp_error_make_measurement` for invalid `alphas` or an invalid `scale`.
#'   Raises `dp_error_make_transformation` if there are no candidates, if they are not increasing,
#'   or if there are more than 2^24 pairs of a candidate and an alpha. Raises `dp_error_failed_cast`
#'   for candidates of a different type, and `dp_error_type` for a different metric or measure.
#' @references Gillenwater, Joseph and Kulesza (2021), *Differentially Private Quantiles*. Cesar and
#'   Rogers (2021), *Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for
#'   Data Analytics*, for rho.
#' @seealso [dpQuantiles()] for a column of a data frame, [make_private_quantile()] for one
#'   quantile.
#' @examples
#' enable_features("contrib")
#' quartiles <- c(vector_domain(atom_domain(.T = "i32"), size = 10000), change_one_distance()) |>
#'   then_joint_quantiles(max_divergence(), 0:100, alphas = c(0.25, 0.5, 0.75), scale = 40)
#' quartiles(arg = PUMS5extract10000$age)
#' quartiles(d_in = 1L)
#' @export
make_joint_quantiles <- function(input_domain, input_metric, output_measure, candidates, alphas,
                                 scale) {
  build(
    "make_joint_quantiles", input_domain, input_metric, output_measure, candidates, alphas, scale
  )
}

#' @rdname make_joint_quantiles
#' @export
then_joint_quantiles <- to_then(make_joint_quantiles)

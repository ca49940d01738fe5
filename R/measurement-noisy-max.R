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

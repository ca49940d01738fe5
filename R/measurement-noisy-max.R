#' Select the best by noisy scores
#'
#' Of candidates with private scores, releases which is best: the place of one with a score near the
#' greatest, or of several. The scores stay private, and their number is public.
#'
#' * `make_noisy_max()`: one place.
#' * `make_noisy_top_k()`: the places of `k` candidates, best first. One is selected and taken away,
#'   `k` times, or until none is left.
#' * `make_report_noisy_max_gumbel()`: deprecated, `make_noisy_max()` under [max_divergence()].
#'
#' How one is selected depends on the measure. Under [max_divergence()] candidates come in a random
#' order, and the first is taken that passes a coin with `P = exp((score - best) / scale)`
#' (permute-and-flip). Under [zero_concentrated_divergence()] a candidate is taken with a
#' probability proportional to `exp(score / scale)` (the exponential mechanism, or the greatest of
#' scores with Gumbel noise). All of these probabilities are exact.
#'
#' @param input_domain (`domain`) A vector of numbers without NaN: a score for each candidate.
#'   Public.
#' @param input_metric (`metric`) [linf_distance()] in the type of the scores: by how much any score
#'   may change. With `monotonic = TRUE`, scores of neighbouring data all rise or all fall, and the
#'   loss is half as large. Public.
#' @param output_measure (`measure`) [max_divergence()] or [zero_concentrated_divergence()]. Public.
#' @param k (whole number) How many are selected. Public.
#' @param scale (`numeric(1)`) At least 0, in the unit of the scores; 0 selects the best, the last
#'   among equals. Public.
#' @param negate (`logical(1)`) Whether the least score is best. Public.
#' @param optimize (`character(1)`) `"max"` or `"min"`. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From scores to one place, `numeric(1)`, or to a vector of at most `k`.
#'   Places are counted **from 0**, as in the framework: add 1 to index an R vector.
#' @section Privacy: Per selection, with `d = 2 * d_in`, or `d = d_in` if the metric is monotonic:
#'   * under [max_divergence()], `epsilon = d / scale`;
#'   * under [zero_concentrated_divergence()], `rho = (d / scale)^2 / 8`.
#'
#'   `k` selections cost `k` times as much. All rounded up; 0 at `d_in = 0`, `Inf` at scale 0.
#' @section Errors: `dp_error_make_measurement` if scores may be NaN, the scale is negative or not
#'   finite, or `k` exceeds the size of the domain; `dp_error_type` for another domain, metric or
#'   measure. The map: `dp_error_invalid_distance` for a negative distance, `dp_error_overflow` if
#'   the loss is not finite. Invocation: `dp_error_failed_function` for data out of the domain, or
#'   without candidates.
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

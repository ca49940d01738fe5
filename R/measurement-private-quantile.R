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

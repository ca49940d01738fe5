#' Release a quantile
#'
#' Of public candidates, releases one that is near a quantile of the data: that for which about a
#' share `alpha` of the data lies below and `1 - alpha` above. Candidates are scored by how far they
#' are from this balance, counted in rows, and [make_noisy_max()] selects among the least.
#'
#' @param input_domain (`domain`) A vector of numbers without NaN. A known size makes the loss of an
#'   exchange of rows smaller. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param output_measure (`measure`) [max_divergence()] or [zero_concentrated_divergence()]. Public.
#' @param candidates (vector, or `list` of single elements) In the type of the data, each once, in
#'   any order. Only these can be released, so they must not come from the data. Public.
#' @param alpha (`numeric(1)`) Which quantile, from 0 to 1; 0.5 is the median. Public.
#' @param scale (`numeric(1)`) Of the noise, at least 0, in rows: the balance may be missed by about
#'   as many. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From data to one of the candidates.
#' @section Privacy: By one row added or removed scores change by `m = max(alpha, 1 - alpha)` rows
#'   at most, and in data of a known size by 1 row for each two. With `s = m * d_in`, or
#'   `s = floor(d_in / 2)` for a known size:
#'   * under [max_divergence()], `epsilon = 2 * s / scale`;
#'   * under [zero_concentrated_divergence()], `rho = (2 * s / scale)^2 / 8`.
#'
#'   Rounded up. Without a known size, an `alpha` that is no fraction with a denominator below 10000
#'   counts as the multiple of 1/10000 below it.
#' @section Errors: `dp_error_make_measurement` for a NaN among the candidates, or a scale that is
#'   negative or not finite; `dp_error_make_transformation` if there are no candidates, one is there
#'   twice, or `alpha` is not in `[0, 1]`; `dp_error_failed_cast` for candidates of another type;
#'   `dp_error_type` for another metric or measure. The map: `dp_error_overflow` for a distance
#'   beyond what 64 bits hold.
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

#' Score public candidates for a quantile
#'
#' Scores each candidate by its distance from splitting the rows as `alpha` requires. Lower is
#' better. The scores are private, so choose among them with noise.
#'
#' With `alpha = num / den` the score of a candidate is
#' \deqn{|(den - num) \min(\#\{rows < c\}, l) - num \min(\#\{rows > c\}, l)|}{
#'   |(den - num) min(#(rows < c), l) - num min(#(rows > c), l)|}
#' in whole numbers. Rows that equal the candidate count on neither side. The limit `l` is the known
#' size, or the largest number of rows without overflow. `alpha` is used exactly if its denominator
#' is small (below 10000, or below 2^64 / `size` for a known size). Otherwise it is rounded down to
#' a multiple of one over that.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type, without NaN or nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param candidates (numbers) Strictly increasing candidates, in the type and the unit of the rows.
#'   Public.
#' @param alpha (`numeric(1)`, 0 to 1) Quantile level: 0.5 is the median. Public.
#' @returns (`transformation`) From a vector to one score of type `u64` per candidate, under
#'   `linf_distance("u64")`. R sees doubles, exact up to 2^53.
#' @section Stability: The largest change of any score is `d_in * max(num, den - num)`, or
#'   `floor(d_in / 2) * den` for a known size.
#' @section Errors: Raises `dp_error_make_transformation` if rows can be NaN, unless there are
#'   candidates and they are strictly increasing, or for an `alpha` out of its range. Raises
#'   `dp_error_overflow` if the size is 0, and `dp_error_failed_cast` for candidates of a different
#'   type, or if rows can be null. Raises `dp_error_type` unless rows are numbers, or for a
#'   different metric. The map raises `dp_error_overflow`.
#' @template ref-smith-2011
#' @examples
#' enable_features("contrib")
#' scores <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_quantile_score_candidates(candidates = c(0L, 25L, 50L, 75L, 100L), alpha = 0.5)
#' scores(arg = 0:100)
#' scores(d_in = 1L)
#' @export
make_quantile_score_candidates <- function(input_domain, input_metric, candidates, alpha) {
  build("make_quantile_score_candidates", input_domain, input_metric, candidates, alpha)
}

#' @rdname make_quantile_score_candidates
#' @export
then_quantile_score_candidates <- to_then(make_quantile_score_candidates)

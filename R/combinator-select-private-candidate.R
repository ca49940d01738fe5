#' Run a measurement until its release is good enough
#'
#' Runs a measurement, which releases a pair of a score and a candidate, until a score reaches the
#' `threshold`, and releases that pair. After each run below the threshold, it stops with
#' probability `stop_probability`, and releases `NULL`. It costs two runs, whatever their number.
#'
#' The run time depends on the data. With `stop_probability = 0` and a threshold that no score
#' reaches, it runs until you interrupt it.
#'
#' @param measurement (`measurement`) Measurement under [max_divergence()]. Its release is a list of
#'   two: the score, a number, and the candidate. A [composition][make_composition()] of two
#'   measurements has such a release. NaN counts as the lowest number, and any other form counts as
#'   below the threshold.
#' @param stop_probability (`numeric(1)`) Probability of stopping after each run, in `[0, 1)`.
#'   Public.
#' @param threshold (`numeric(1)`) Finite threshold. Public: choose it without looking at the data.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`, so name the others then. After anything else,
#'   give `measurement`.
#' @returns (`measurement`) A measurement that releases `list(score, candidate)` or `NULL`.
#' @section Privacy: `2 * epsilon`, rounded up, for every `stop_probability`.
#' @section Errors: Raises `dp_error_type` for a different measure. Raises
#'   `dp_error_make_measurement` if `stop_probability` is not in `[0, 1)`, if `threshold` is not
#'   finite, or for an amplified measurement. Raises `dp_error_failed_cast` if either is not a
#'   number.
#' @template ref-liu-talwar-2019
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' pair <- make_composition(list(
#'   space |> then_laplace(scale = 2), space |> then_laplace(scale = 4)
#' ))
#' best <- make_select_private_candidate(pair, stop_probability = 0.01, threshold = 5)
#' best(d_in = 1L)
#' best(arg = 3L)
#' @export
make_select_private_candidate <- function(measurement, stop_probability, threshold) {
  build("make_select_private_candidate", measurement, stop_probability, threshold)
}

#' @rdname make_select_private_candidate
#' @export
then_select_private_candidate <- function(lhs, measurement, stop_probability, threshold) {
  then_recast(make_select_private_candidate, lhs, measurement, stop_probability, threshold)
}

#' Run a measurement until its release is good enough
#'
#' Runs a measurement, whose release is a pair of a score and a candidate, until a score is at least
#' the `threshold`, and releases that pair. After each run that falls short a coin ends it with
#' probability `stop_probability`, and `NULL` is released. It costs two runs, however many there
#' are.
#'
#' How long it takes depends on the data. With `stop_probability = 0` and a threshold that no score
#' reaches it goes on until it is interrupted.
#'
#' @param measurement (`measurement`) Under [max_divergence()]. Its release is a list of two: the
#'   score, a number, and the candidate; a [composition][make_composition()] of two measurements has
#'   such a release. NaN counts as the lowest number; what has another form falls short.
#' @param stop_probability (`numeric(1)`) In `[0, 1)`. Public.
#' @param threshold (`numeric(1)`) Finite. Public: chosen without looking at the data.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe: a
#'   measurement replaces the argument `measurement`, name the others then. After anything
#'   else, `measurement` must be given.
#' @returns (`measurement`) Its release is `list(score, candidate)` or `NULL`.
#' @section Privacy: `2 * epsilon`, rounded up, whatever `stop_probability` is.
#' @section Errors: `dp_error_type` for another measure; `dp_error_make_measurement` if
#'   `stop_probability` is not in `[0, 1)` or `threshold` is not finite, or for an amplified
#'   measurement; `dp_error_failed_cast` if
#'   one is not a number.
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

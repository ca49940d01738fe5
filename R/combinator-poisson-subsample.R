#' Release from a secret random sample
#'
#' Draws a sample that includes each row with probability `rate`, independently of the others, and
#' releases the measurement on it. Each release draws a new sample from the secure source: one exact
#' coin per row, in time that does not depend on the outcome. No promise of yours is needed, so
#' [compose_pld()] can compose many such releases.
#'
#' Under [max_divergence()] and its [approximate()] form, the measure does not change. Under
#' [zero_concentrated_divergence()] and [smoothed_max_divergence()], and their approximate forms, it
#' becomes [smoothed_max_divergence()]: the loss is a privacy profile, and [make_fix_delta()] turns
#' it into a pair.
#'
#' Compositors, odometers and [make_population_amplification()] reject a subsampled measurement and
#' everything built on it, because sums of such bounds far exceed the actual loss. To release
#' several statistics from one sample, subsample their composition.
#'
#' @param measurement (`measurement`) Measurement on vectors of any size, or on data frames, under
#'   [symmetric_distance()] or [insert_delete_distance()].
#' @param rate (`numeric(1)`) q, the probability of each row, above 0 and at most 1. The exact value
#'   of the double is used. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`, so name `rate` then. After anything else, give
#'   `measurement`.
#' @returns (`measurement`) A measurement with the domain and metric of `measurement`.
#' @section Privacy: For c added or removed rows, `c = d_in`, let `h(c) = 1 - (1 - q)^c` be the
#'   probability that the sample has one of them. Then
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   and the loss is never more than without sampling, nor than the group loss of c steps of one
#'   row.
#'
#'   A profile, and [compose_pld()], are tighter. Let P and Q be the laws of the release on datasets
#'   that differ by one row. For one row, the losses are those between
#'
#'   `(1 - q) Q + q P` and `Q`, for the dataset with the row, and between
#'
#'   `P` and `(1 - q) P + q Q`, for the dataset without it.
#'
#'   Each direction is composed separately, and the larger delta is reported at each epsilon. The
#'   result is never below the true delta. For one release it is within a relative 1e-5 of it, or
#'   within 1e-3 for epsilons below 0.002 if both `rate` and the noise are small. For many releases,
#'   the gap grows as `rate` shrinks. At deltas far below the delta of one release from the whole
#'   data, the bound can be very loose. A composition that is subsampled as a whole, and two rows or
#'   more, are less exact: the profile of the release gives
#'
#'   `h(c) * delta(log(1 + (exp(epsilon) - 1) / h(c)))`.
#'
#'   Behind a transformation, the larger delta of both directions counts for each, because an added
#'   row can become a removed one. So subsample last.
#' @section Errors: Raises `dp_error_make_measurement` if `rate` is out of range, if the number of
#'   rows is public (a sample's is not), and for a measurement that is subsampled or amplified.
#'   Raises `dp_error_type` for a different metric, and for Renyi and user divergences. The map
#'   raises `dp_error_failed_map` if the measurement has a loss at distance 0.
#' @template ref-zhu-dong-wang-2022
#' @template ref-balle-barthe-gaboardi-2018
#' @seealso [make_subsample_without_replacement()] if the number of rows is public,
#'   [make_population_amplification()] for data that are already a sample.
#' @examples
#' enable_features("contrib")
#' rows <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' noisy <- rows |>
#'   then_sum() |>
#'   then_gaussian(scale = 20)
#' sampled <- noisy |> then_poisson_subsample(rate = 0.01)
#' sampled(arg = rep(5L, 1000))
#'
#' # A thousand releases:
#' compose_pld(noisy, d_in = 1L, times = 1000)(delta = 1e-6)
#' compose_pld(sampled, d_in = 1L, times = 1000)(delta = 1e-6)
#'
#' # One number for one release:
#' counted <- rows |>
#'   then_count() |>
#'   then_laplace(scale = 1)
#' make_poisson_subsample(counted, rate = 0.01)(d_in = 1L)
#' @export
make_poisson_subsample <- function(measurement, rate) {
  build("make_poisson_subsample", measurement, rate)
}

#' @rdname make_poisson_subsample
#' @export
then_poisson_subsample <- function(lhs, measurement, rate) {
  then_recast(make_poisson_subsample, lhs, measurement, rate)
}

#' Release from a random sample that nobody sees
#'
#' Draws a sample in which each row is with probability `rate`, independently of the others, and
#' makes the release of a measurement from it. Each release draws a sample of its own, from the
#' secure source: one exact coin for each row, in the same time whichever side comes up. As no
#' promise of the caller is needed, [compose_pld()] adds up many of them.
#'
#' Under [max_divergence()] and its [approximate()] form the measure stays. Under
#' [zero_concentrated_divergence()] and [smoothed_max_divergence()], and their approximate forms, it
#' becomes [smoothed_max_divergence()]: the loss is a privacy profile, and [make_fix_delta()] turns
#' it into a pair.
#'
#' Compositors, odometers and [make_population_amplification()] refuse a subsampled measurement, and
#' what is built on it: the sum of such bounds is many times what is lost. To release several things
#' from one sample, subsample their composition.
#'
#' @param measurement (`measurement`) On vectors of any size, or on data frames, under
#'   [symmetric_distance()] or [insert_delete_distance()].
#' @param rate (`numeric(1)`) q, the probability of each row: above 0, and at most 1. The double is
#'   taken exactly as it is. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe: a
#'   measurement replaces the argument `measurement`, name `rate` then. After anything else,
#'   `measurement` must be given.
#' @returns (`measurement`) With the domain and metric of the one given.
#' @section Privacy: For c rows that were added or removed, `c = d_in`, and the probability `h(c) =
#'   1 - (1 - q)^c` that the sample has one of them:
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   never more than without sampling, nor than c steps of one row lose as a group.
#'
#'   A profile, and [compose_pld()], know more. Let P and Q be the laws of the release on datasets
#'   that are one row apart. For one row the losses are those of
#'
#'   `(1 - q) Q + q P` against `Q`, for the dataset that has the row, and of
#'
#'   `P` against `(1 - q) P + q Q`, for the one that has not.
#'
#'   Each direction is composed by itself, and the larger delta is reported at each epsilon: never
#'   below the truth, and of one release within a relative 1e-5 of it; but at epsilons below 0.002,
#'   where `rate` is small and the noise is small, too, within 1e-3. Of many it is further above
#'   the smaller `rate` is, and at deltas far below those of one release from the whole data may
#'   say much less than is true. A composition that is subsampled as a whole, and two rows or more,
#'   are less exact: the profile of the release gives
#'
#'   `h(c) * delta(log(1 + (exp(epsilon) - 1) / h(c)))`.
#'
#'   Behind a transformation the larger delta of both directions counts for either, because a row
#'   more may become a row less. So subsample last.
#' @section Errors: `dp_error_make_measurement` if `rate` is out of range, if the number of rows is
#'   public, as that of a sample is not, and for a measurement that is subsampled or amplified;
#'   `dp_error_type` for another metric, and for Renyi and users' divergences. The map raises
#'   `dp_error_failed_map` if the measurement loses anything at a distance of 0.
#' @template ref-zhu-dong-wang-2022
#' @template ref-balle-barthe-gaboardi-2018
#' @seealso [make_subsample_without_replacement()] where the number of rows is public;
#'   [make_population_amplification()] for data that are a sample already.
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

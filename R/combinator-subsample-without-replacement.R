#' Release from a random sample of fixed size that nobody sees
#'
#' Draws `size` of `population` rows without replacement, and makes the release of a measurement
#' from them. Each release draws a sample of its own, from the secure source: all sequences of so
#' many different rows are equally likely, so the rows of a sample come in random order. As no
#' promise of the caller is needed, [compose_pld()] adds up many of them.
#'
#' Both numbers are public, and neighbours differ in replaced rows. Where the number of rows is
#' private, and neighbours differ in rows that were added or removed, it is
#' [make_poisson_subsample()] that samples.
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
#' @param measurement (`measurement`) On vectors of `size` rows, under [change_one_distance()] or
#'   [hamming_distance()].
#' @param size (whole number) m, the number of rows of a sample: from 1 to `population`. Public.
#' @param population (whole number) N, the number of rows of the data. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe: a
#'   measurement replaces the argument `measurement`, name `size` and `population` then. After
#'   anything else, `measurement` must be given.
#' @returns (`measurement`) On vectors of `population` rows, with the metric of the one given.
#' @section Privacy: For c replaced rows, `c = d_in`, and the probability `h(c) = 1 - (1 - m / N) *
#'   (1 - m / (N - 1)) * ...`, with c factors, that the sample has one of them:
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   never more than without sampling, nor than c steps of one row lose as a group.
#'
#'   A profile, and [compose_pld()], know more. For one row, with `q = m / N` and the profile
#'   `delta` of the release from datasets of which one row was replaced, the profile is
#'
#'   `q * delta(log(1 + (exp(epsilon) - 1) / q))`,
#'
#'   and compositions are those of a pair of laws that has this profile whichever of two datasets
#'   comes first. Both are never below the truth, and the profile is within a relative 1e-5 of the
#'   formula. Compositions of a composition that is subsampled as a whole, and those of several
#'   rows, which have `h(c)` in place of `q`, are less exact.
#' @section Errors: `dp_error_make_measurement` unless `size` is from 1 to `population`, if
#'   `measurement` takes another number of rows, and for a measurement that is subsampled or
#'   amplified; `dp_error_failed_cast` if `size` or `population` is no whole number, or for data
#'   other than vectors; `dp_error_type` for another metric, and for Renyi and users' divergences.
#' @template ref-balle-barthe-gaboardi-2018
#' @template ref-zhu-dong-wang-2022
#' @seealso [make_population_amplification()] for data that are a sample already.
#' @examples
#' enable_features("contrib")
#' sample <- c(
#'   vector_domain(atom_domain(bounds = c(0L, 10L)), size = 50L), change_one_distance()
#' )
#' noisy <- sample |>
#'   then_metric_unbounded() |>
#'   then_sum() |>
#'   then_gaussian(scale = 20)
#' sampled <- noisy |> then_subsample_without_replacement(size = 50L, population = 1000L)
#' sampled(arg = rep(5L, 1000))
#'
#' # A thousand releases:
#' compose_pld(noisy, d_in = 1L, times = 1000)(delta = 1e-6)
#' compose_pld(sampled, d_in = 1L, times = 1000)(delta = 1e-6)
#' @export
make_subsample_without_replacement <- function(measurement, size, population) {
  build("make_subsample_without_replacement", measurement, size, population)
}

#' @rdname make_subsample_without_replacement
#' @export
then_subsample_without_replacement <- function(lhs, measurement, size, population) {
  then_recast(make_subsample_without_replacement, lhs, measurement, size, population)
}

#' Release from a secret random sample of fixed size
#'
#' Draws `size` of `population` rows without replacement, and releases the measurement on them. Each
#' release draws a new sample from the secure source. All sequences of `size` different rows are
#' equally likely, so the rows of a sample are in random order. No promise of yours is needed, so
#' [compose_pld()] can compose many such releases.
#'
#' Both numbers are public, and neighbours differ in replaced rows. If the number of rows is
#' private, and neighbours differ in added or removed rows, use [make_poisson_subsample()].
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
#' @param measurement (`measurement`) Measurement on vectors of `size` rows, under
#'   [change_one_distance()] or [hamming_distance()].
#' @param size (whole number) m, the number of rows in a sample, from 1 to `population`. Public.
#' @param population (whole number) N, the number of rows of the data. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`, so name `size` and `population` then. After
#'   anything else, give `measurement`.
#' @returns (`measurement`) A measurement on vectors of `population` rows, with the metric of
#'   `measurement`.
#' @section Privacy: For c replaced rows, `c = d_in`, let
#'   `h(c) = 1 - (1 - m / N) * (1 - m / (N - 1)) * ...`, with c factors, be the probability that the
#'   sample has one of them. Then
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   and the loss is never more than without sampling, nor than the group loss of c steps of one
#'   row.
#'
#'   A profile, and [compose_pld()], are tighter. For one row, let `q = m / N`, and let `delta` be
#'   the profile of the release on datasets that differ in one replaced row. The profile is then
#'
#'   `q * delta(log(1 + (exp(epsilon) - 1) / q))`.
#'
#'   Compositions use a pair of laws with this profile for either order of the two datasets. Both
#'   are never below the true delta, and the profile is within a relative 1e-5 of the formula.
#'   Compositions of a composition that is subsampled as a whole are less exact. So are those for
#'   several rows, which use `h(c)` instead of `q`.
#' @section Errors: Raises `dp_error_make_measurement` unless `size` is from 1 to `population`, if
#'   `measurement` takes a different number of rows, and for a measurement that is subsampled or
#'   amplified. Raises `dp_error_failed_cast` if `size` or `population` is not a whole number, or
#'   for data other than vectors. Raises `dp_error_type` for a different metric, and for Renyi and
#'   user divergences.
#' @template ref-balle-barthe-gaboardi-2018
#' @template ref-zhu-dong-wang-2022
#' @seealso [make_population_amplification()] for data that are already a sample.
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

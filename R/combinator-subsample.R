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

#' Take credit for the data being a secret sample
#'
#' Makes the same release, with a privacy map for populations of `population_size` = N records. The
#' data must be a simple random sample of n of them, drawn without replacement. The package cannot
#' check this, so you promise it when you enable the feature `"honest-but-curious"`. Keep the sample
#' secret and amplify it only once.
#'
#' Releases from one sample add up before the sampling hides them. Therefore [make_composition()],
#' all compositors and odometers, [compose_pld()], [make_select_private_candidate()] and this
#' function reject an amplified measurement, and everything built on it. To amplify several
#' releases, amplify their composition.
#'
#' @param measurement (`measurement`) Measurement on vectors of a known size n, under
#'   [max_divergence()] or [fixed_smoothed_max_divergence()].
#' @param population_size (whole number) N, the size of the population, at least n. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe. A
#'   measurement replaces the argument `measurement`, so name `population_size` then. After anything
#'   else, give `measurement`.
#' @returns (`measurement`) A measurement with the domain, metric, measure and function of
#'   `measurement`.
#' @section Privacy: Let c be the number of changed records, which is `d_in` under
#'   [change_one_distance()] and [hamming_distance()], and `floor(d_in / 2)` under the other
#'   metrics. Then
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   where `h(c) = 1 - (1 - n / N) * (1 - n / (N - 1)) * ...`, with c factors, is the probability
#'   that the sample has a changed record. The loss never exceeds the loss without amplification. If
#'   `a` and `b` are epsilon' and delta' for one changed record, group privacy gives the bound
#'   `c * a` and `b * (1 + exp(a) + ... + exp((c - 1) * a))` as well. This is the loss if both of
#'   its parts are at most as large.
#'
#'   The published bindings use `n / N` for any number of changed records, which is too small if the
#'   inner map is flat. See the site's article *Where published privacy bounds are too small*.
#' @section Errors: Raises `dp_error_make_measurement` unless the domain is a vector of known size
#'   that is at most `population_size`, and for a measurement that is already amplified. Raises
#'   `dp_error_type` for a different measure, or a metric that is not a distance between datasets,
#'   and `dp_error_failed_cast` if `population_size` is not a whole number.
#' @template ref-balle-barthe-gaboardi-2018
#' @seealso [make_subsample_without_replacement()], which draws the sample itself.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' sample <- c(
#'   vector_domain(atom_domain(bounds = c(0L, 10L)), size = 10L), change_one_distance()
#' )
#' noisy <- sample |>
#'   then_metric_unbounded() |>
#'   then_sum() |>
#'   then_laplace(scale = 10)
#' noisy(d_in = 1L)
#' amplified <- noisy |> then_population_amplification(population_size = 1000L)
#' amplified(d_in = 1L)
#' @export
make_population_amplification <- function(measurement, population_size) {
  build("make_population_amplification", measurement, population_size)
}

#' @rdname make_population_amplification
#' @export
then_population_amplification <- function(lhs, measurement, population_size) {
  then_recast(make_population_amplification, lhs, measurement, population_size)
}

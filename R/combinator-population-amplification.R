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

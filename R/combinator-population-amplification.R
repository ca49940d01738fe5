#' Take credit for the data being a secret sample
#'
#' Makes the same release, with a map on populations of `population_size` = N records, of which the
#' data are a simple random sample of n, drawn without replacement. The package cannot check this;
#' enabling the feature `"honest-but-curious"` is your statement that it holds. Keep the sample
#' secret and amplify it once.
#'
#' Releases from one sample add up before the sampling hides them. Therefore an amplified
#' measurement, and whatever is built on it, is refused by [make_composition()], all compositors and
#' odometers, [compose_pld()], [make_select_private_candidate()] and this function itself. To
#' amplify several releases, amplify their composition.
#'
#' @param measurement (`measurement`) On vectors of a known size n, under [max_divergence()] or
#'   [fixed_smoothed_max_divergence()].
#' @param population_size (whole number) N, at least n. Public.
#' @param lhs (`measurement`, `transformation` or `c(domain, metric)`) The left side of the pipe: a
#'   measurement replaces the argument `measurement`, name `population_size` then. After
#'   anything else, `measurement` must be given.
#' @returns (`measurement`) With the domain, metric, measure and function of the one given.
#' @section Privacy: For c changed records, which is `d_in` under [change_one_distance()] and
#'   [hamming_distance()], and `floor(d_in / 2)` under the others:
#'
#'   `epsilon' = log(1 + h(c) * (exp(epsilon) - 1))` and `delta' = h(c) * delta`, rounded up,
#'
#'   where `h(c) = 1 - (1 - n / N) * (1 - n / (N - 1)) * ...`, with c factors, is the probability
#'   that the sample has a changed record. Never more than the loss without amplification. If `a`
#'   and `b` are these for one changed record, `c * a` and `b * (1 + exp(a) + ... + exp((c - 1) *
#'   a))` hold as well (group privacy), and are the loss where both are at most as large.
#'
#'   The published bindings take `n / N` for any number of changed records, which is too little when
#'   the inner map is flat, see the site's article *Where published privacy bounds are too small*.
#' @section Errors: `dp_error_make_measurement` unless the domain is a vector of known size that is
#'   at most `population_size`, and for a measurement that is amplified already; `dp_error_type` for
#'   another measure, or a metric that is no distance between datasets; `dp_error_failed_cast` if
#'   `population_size` is no whole number.
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

#' Answer queries one by one, with fixed losses
#'
#' Releases a [queryable][queryables] that answers one measurement per element of `d_mids`. The i-th
#' answer can cost at most `d_mids[i]`, and each measurement can depend on earlier answers.
#' `make_sequential_composition()` is the deprecated name.
#'
#' If a query costs less than its share, the rest of the share is lost. A query is charged when it
#' is accepted, before it touches the data, and stays charged if it fails or is interrupted. (The
#' published bindings charge only on success, so a failure, which can depend on the data, is free.)
#' A rejected query costs nothing, and the rejection depends only on this query and earlier ones.
#'
#' A query can release a queryable itself, such as a nested compositor. You can alternate between
#' such queryables, unless the measure is `approximate(zero_concentrated_divergence())`, because no
#' proof covers that case. Under this measure, the release of a query stops answering when the next
#' query begins.
#'
#' @param input_domain (`domain`) Domain of the data. Public.
#' @param input_metric (`metric`) Distance between datasets. Public.
#' @param output_measure (`measure`) Privacy measure: [max_divergence()],
#'   [zero_concentrated_divergence()], or the [approximate()] form of either. Public.
#' @param d_in (distance) Distance between inputs that the losses cover, in the type of
#'   `input_metric`. Public.
#' @param d_mids (`numeric`, or `list` of pairs for approximate measures) Largest loss of each
#'   query, at least one. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) A measurement that releases a `queryable`. Call it as
#'   `queryable(query = m)` with measurements `m` of the same space and measure.
#' @section Privacy: The sum of `d_mids`, rounded up (for pairs, part by part), at any distance up
#'   to `d_in`. It holds for every choice of queries.
#' @section Errors: Raises `dp_error_make_measurement` if `d_mids` is empty, `dp_error_type` for a
#'   measure without such a sum, and `dp_error_failed_cast` if a distance is not of its type. Raises
#'   `dp_error_failed_map` for a negative loss, and `dp_error_metric_space` if domain and metric do
#'   not belong together. The map raises `dp_error_relation_debug` beyond `d_in`. A query raises
#'   `dp_error_failed_cast` unless it is a measurement, and `dp_error_domain_mismatch`,
#'   `dp_error_metric_mismatch` or `dp_error_measure_mismatch` if it is in a different space. It
#'   raises `dp_error_make_measurement` if it is amplified, see [make_population_amplification()],
#'   and `dp_error_failed_map` if its map gives no valid loss. It raises `dp_error_failed_function`
#'   if it costs more than its share, or if all shares are spent.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
#' @template ref-haney-2023
#' @seealso [make_fully_adaptive_composition()], which lets you choose the losses as you go.
#' @examples
#' enable_features("contrib")
#' incomes <- c(vector_domain(atom_domain(bounds = c(0, 100)), size = 100L), symmetric_distance())
#' compositor <- incomes |>
#'   then_adaptive_composition(max_divergence(), d_in = 2L, d_mids = c(0.2, 0.8))
#' compositor(d_in = 2L)
#'
#' queryable <- compositor(arg = rep(c(20, 30), 50))
#' rough <- queryable(query = incomes |> then_mean() |> then_laplace(scale = 5.1))
#' # The answer decides on the bounds of the next query.
#' bounds <- if (rough < 50) c(0, 50) else c(0, 100)
#' queryable(query = incomes |> then_clamp(bounds) |> then_mean() |> then_laplace(scale = 1.3))
#' @export
make_adaptive_composition <- function(input_domain, input_metric, output_measure, d_in, d_mids) {
  build("make_adaptive_composition", input_domain, input_metric, output_measure, d_in, d_mids)
}

#' @rdname make_adaptive_composition
#' @export
then_adaptive_composition <- to_then(make_adaptive_composition)

#' @rdname make_adaptive_composition
#' @export
make_sequential_composition <- function(input_domain, input_metric, output_measure, d_in, d_mids) {
  deprecate_name("make_sequential_composition", "make_adaptive_composition")
  make_adaptive_composition(input_domain, input_metric, output_measure, d_in, d_mids)
}

#' @rdname make_adaptive_composition
#' @export
then_sequential_composition <- to_then(make_sequential_composition)

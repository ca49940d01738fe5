#' Choose measurements one after the other, within losses fixed beforehand
#'
#' Releases a [queryable][queryables] that keeps the data and answers measurements: the first if its
#' loss is at most the first of `d_mids`, and so on, until all are spent. Each may depend on the
#' answers before. `make_sequential_composition()` is the deprecated name.
#'
#' The part of its share that a query does not use is lost. A query is charged when it is accepted,
#' before it touches the data, and stays charged if it fails or is interrupted. (The published
#' bindings charge on success only, so that a failure, which may depend on the data, is free.) A
#' query that is refused costs nothing, and the refusal depends on nothing but the query and those
#' before.
#'
#' A query may release a queryable itself, a nested compositor for instance. These may be used
#' alternately, unless the measure is `approximate(zero_concentrated_divergence())`, for which
#' nothing is proved about that: there, the releases of a query fall silent when the next query
#' comes.
#'
#' @param input_domain (`domain`) Of the data. Public.
#' @param input_metric (`metric`) How far apart two of them are. Public.
#' @param output_measure (`measure`) What losses are counted in: [max_divergence()],
#'   [zero_concentrated_divergence()], or the [approximate()] form of either. Public.
#' @param d_in Distance between inputs that the losses are promised for, in the type of
#'   `input_metric`. Public.
#' @param d_mids (`numeric`, or `list` of pairs for approximate measures) Largest loss of each
#'   query, at least one. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) Its release is a `queryable`, called as `queryable(query = m)` with
#'   measurements `m` of the same space and measure.
#' @section Privacy: The sum of `d_mids`, rounded up, part by part if they are pairs, at any
#'   distance up to `d_in`. It holds however the queries are chosen.
#' @section Errors: `dp_error_make_measurement` if `d_mids` is empty; `dp_error_type` for a measure
#'   that has no such sum; `dp_error_failed_cast` if a distance is not of its type;
#'   `dp_error_failed_map` for a negative loss; `dp_error_metric_space` if domain and metric do not
#'   belong together. The map: `dp_error_relation_debug` beyond `d_in`. Queries:
#'   `dp_error_failed_cast` unless it is a measurement; `dp_error_domain_mismatch`,
#'   `dp_error_metric_mismatch` or `dp_error_measure_mismatch` if it is of another space;
#'   `dp_error_make_measurement` if it is amplified, see [make_population_amplification()];
#'   `dp_error_failed_map` if its map gives no valid loss; `dp_error_failed_function` if it costs
#'   more than its share, or all are spent.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
#' @template ref-haney-2023
#' @seealso [make_fully_adaptive_composition()], where losses are chosen on the way.
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

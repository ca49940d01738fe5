#' Choose measurements and their losses on the way
#'
#' An [odometer][odometers] that answers any measurement of its space, and reports at any time what
#' all of them have cost together.
#'
#' A measurement is charged when it is accepted, before it touches the data, and stays charged if it
#' fails. The odometer keeps its map, so that you can ask for the loss at any distance. A
#' release that answers queries itself may be used alternately with others, unless the measure is
#' `approximate(zero_concentrated_divergence())`: there, it falls silent when the next query comes.
#'
#' @param input_domain (`domain`) Of the data. Public.
#' @param input_metric (`metric`) How far apart two of them are. Public.
#' @param output_measure (`measure`) What losses are counted in: [max_divergence()],
#'   [zero_concentrated_divergence()], the [approximate()] form of either, or [renyi_divergence()].
#'   Public.
#' @param lhs (`c(domain, metric)`) The left side of the pipe. An odometer is not chained after a
#'   transformation.
#' @returns (`odometer`)
#' @section Privacy: Of an odometer queryable at `d_in`: the sum of the maps of all measurements
#'   that it has accepted, each at `d_in`, rounded up, part by part if losses are pairs, at each
#'   alpha if they are curves; 0 at first. It holds however queries and their losses were chosen.
#' @section Errors: `dp_error_metric_space` if domain and metric do not belong together;
#'   `dp_error_type` for a measure that does not compose. Queries: `dp_error_failed_cast` unless it
#'   is a measurement; `dp_error_domain_mismatch`, `dp_error_metric_mismatch` or
#'   `dp_error_measure_mismatch` if it is of another space; `dp_error_make_measurement` if it is
#'   amplified, see [make_population_amplification()]; `dp_error_failed_map` if its map gives no
#'   valid loss at distances 0 or 1. Asking for the loss: what the maps of the measurements throw.
#' @template ref-rogers-roth-ullman-vadhan-2016
#' @template ref-whitehouse-ramdas-rogers-wu-2023
#' @template ref-haney-2023
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' queryable <- (space |> then_fully_adaptive_composition(zero_concentrated_divergence()))(
#'   arg = 100L
#' )
#' queryable(query = space |> then_gaussian(scale = 2))
#' queryable(d_in = 1L)
#' queryable(d_in = 2L)
#' @export
make_fully_adaptive_composition <- function(input_domain, input_metric, output_measure) {
  build("make_fully_adaptive_composition", input_domain, input_metric, output_measure)
}

#' @rdname make_fully_adaptive_composition
#' @export
then_fully_adaptive_composition <- to_then(make_fully_adaptive_composition)

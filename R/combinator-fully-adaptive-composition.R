#' Choose measurements and their losses as you go
#'
#' Makes an [odometer][odometers] that answers any measurement of its space, and reports the total
#' loss of all answers at any time.
#'
#' A measurement is charged when it is accepted, before it touches the data, and stays charged if it
#' fails. The odometer keeps its map, so you can ask for the loss at any distance. You can alternate
#' between a released queryable and other queries, unless the measure is
#' `approximate(zero_concentrated_divergence())`. Under this measure, the queryable stops answering
#' when the next query begins.
#'
#' @param input_domain (`domain`) Domain of the data. Public.
#' @param input_metric (`metric`) Distance between datasets. Public.
#' @param output_measure (`measure`) Privacy measure: [max_divergence()],
#'   [zero_concentrated_divergence()], the [approximate()] form of either, or [renyi_divergence()].
#'   Public.
#' @param lhs (`c(domain, metric)`) The left side of the pipe. An odometer cannot follow a
#'   transformation.
#' @returns (`odometer`) The odometer.
#' @section Privacy: The loss of an odometer queryable at `d_in` is the sum of the maps of all
#'   measurements that it has accepted, each at `d_in`, rounded up. It is 0 at first. Pairs are
#'   added part by part, and curves at each alpha. The sum holds for every choice of queries and
#'   losses.
#' @section Errors: Raises `dp_error_metric_space` if domain and metric do not belong together, and
#'   `dp_error_type` for a measure that does not compose. A query raises `dp_error_failed_cast`
#'   unless it is a measurement, and `dp_error_domain_mismatch`, `dp_error_metric_mismatch` or
#'   `dp_error_measure_mismatch` if it is in a different space. It raises
#'   `dp_error_make_measurement` if it is amplified, see [make_population_amplification()], and
#'   `dp_error_failed_map` if its map gives no valid loss at distances 0 or 1. Asking for the loss
#'   raises the errors of the maps of the measurements.
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

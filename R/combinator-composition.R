#' Make several releases from the same data
#'
#' Runs every measurement on the same data, in order. `make_basic_composition()` is the deprecated
#' name.
#'
#' @param measurements (`list` of `measurement`) At least one measurement. All must have the same
#'   input domain, input metric and output measure.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space of the measurements.
#' @returns (`measurement`) A measurement whose release is a list of the releases, in the same
#'   order.
#' @section Privacy: The sum of the losses at `d_in`, rounded up, part by part if a loss has
#'   several. It composes under [max_divergence()], [zero_concentrated_divergence()], their
#'   [approximate()] forms and [renyi_divergence()]. For a privacy profile, first fix a point, see
#'   [make_fix_delta()].
#' @section Errors: Raises `dp_error_make_measurement` if the list is empty or a measurement is
#'   amplified, see [make_population_amplification()]. Raises `dp_error_domain_mismatch` if input
#'   domains differ, `dp_error_metric_mismatch` if metrics or measures differ, and `dp_error_type`
#'   for a measure that does not compose. The map raises `dp_error_overflow` if a loss is infinite.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' both <- make_composition(list(
#'   space |> then_laplace(scale = 10),
#'   space |> then_laplace(scale = 20)
#' ))
#' both(arg = 100L)
#' both(d_in = 1L)
#' @export
make_composition <- function(measurements) build("make_composition", measurements)

#' @rdname make_composition
#' @export
then_composition <- to_then_fixed(make_composition)

#' @rdname make_composition
#' @export
make_basic_composition <- function(measurements) {
  deprecate_name("make_basic_composition", "make_composition")
  make_composition(measurements)
}

#' @rdname make_composition
#' @export
then_basic_composition <- to_then_fixed(make_basic_composition)

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

#' Limit the loss of an odometer
#'
#' Makes a measurement that releases an odometer queryable. The queryable answers as long as the
#' loss of all its answers, including the new one, stays within a budget.
#'
#' The query that would exceed the budget raises an error before it touches the data, and ends the
#' dialogue: every later query then raises an error, and so do questions about the loss. The
#' queryable charges each query when it accepts it, as the odometer describes. A pair of losses
#' exceeds the budget if either part does.
#'
#' @param odometer (`odometer`) Odometer to limit, see [make_fully_adaptive_composition()].
#' @param d_in (distance) Distance between inputs that the budget covers, in the type of the input
#'   metric. Public.
#' @param d_out (loss) The budget: a number, or `list(epsilon, delta)` (`list(rho, delta)`) for
#'   approximate measures. With `Inf` there is no limit: the release is the odometer's. Public.
#' @param lhs (`odometer`, `transformation` or `c(domain, metric)`) The left side of the pipe. An
#'   odometer replaces the argument `odometer`, so name the others then. After anything else, give
#'   `odometer`.
#' @returns (`measurement`) A measurement whose release is an [odometer_queryable][odometers].
#' @section Privacy: `d_out`, at any distance up to `d_in`.
#' @section Errors: Raises `dp_error_type` for a measure without such a budget (Renyi), and
#'   `dp_error_failed_map` for a negative or NaN budget. The map raises `dp_error_relation_debug`
#'   beyond `d_in`. Queries raise the errors of the odometer, and `dp_error_failed_function` once
#'   the budget is exceeded.
#' @template ref-rogers-roth-ullman-vadhan-2016
#' @template ref-whitehouse-ramdas-rogers-wu-2023
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' filter <- space |>
#'   then_fully_adaptive_composition(max_divergence()) |>
#'   then_privacy_filter(d_in = 1L, d_out = 1)
#' filter(d_in = 1L)
#' queryable <- filter(arg = 100L)
#' queryable(query = space |> then_laplace(scale = 2))
#' queryable(d_in = 1L)
#' @export
make_privacy_filter <- function(odometer, d_in, d_out) {
  build("make_privacy_filter", odometer, d_in, d_out)
}

#' @rdname make_privacy_filter
#' @export
then_privacy_filter <- function(lhs, odometer, d_in, d_out) {
  if (missing(odometer) && inherits(lhs, "odometer")) {
    make_privacy_filter(lhs, d_in, d_out)
  } else {
    chain(lhs, make_privacy_filter(odometer, d_in, d_out))
  }
}

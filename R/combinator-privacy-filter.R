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

#' Put a limit on an odometer
#'
#' A measurement whose release is an odometer queryable that answers as long as the loss of all its
#' answers, the new one included, stays within a budget.
#'
#' The query that would exceed the budget is refused before it touches the data, and ends the
#' dialogue: from then on everything is refused, questions for the loss too. Queries are charged
#' when they are accepted, as the odometer says. A pair of losses that is larger than the budget in
#' one part exceeds it.
#'
#' @param odometer (`odometer`) See [make_fully_adaptive_composition()].
#' @param d_in Distance between inputs that the budget is for, in the type of the input metric.
#'   Public.
#' @param d_out The budget: a number, or `list(epsilon, delta)` (`list(rho, delta)`) for approximate
#'   measures. `Inf` is no limit: the release is that of the odometer. Public.
#' @param lhs (`odometer`, `transformation` or `c(domain, metric)`) The left side of the pipe: an
#'   odometer replaces the argument `odometer`, name the others then. After anything else,
#'   `odometer` must be given.
#' @returns (`measurement`) Its release is an [odometer_queryable][odometers].
#' @section Privacy: `d_out`, at any distance up to `d_in`.
#' @section Errors: `dp_error_type` for a measure without such a budget (Renyi);
#'   `dp_error_failed_map` for a negative or NaN budget. The map: `dp_error_relation_debug` beyond
#'   `d_in`. Queries: as those of the odometer; `dp_error_failed_function` once the budget is
#'   exceeded.
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

# Losses with their privacy measure, and holders of a budget: sessions in memory, ledgers in a file.

#' Privacy losses
#'
#' Makes the loss that a [session][dp_session()], release or batch may have. A session has one
#' privacy measure: epsilon, for pure or, with a delta, approximate differential privacy, or rho,
#' for zero-concentrated differential privacy, with or without a delta.
#'
#' @param epsilon,rho (`numeric(1)`) The loss, above 0. Public.
#' @param delta (`numeric(1)`) Probability of a larger loss, at least 0 and below 1. Required if
#'   group keys are private, see [dp_keys()]. Public.
#' @param x (`dp_loss`) Loss to print or format.
#' @param ... Not used.
#' @returns An object of class `dp_loss`.
#' @section Measure: `dp_epsilon()` is [max_divergence()], `dp_zcdp()` is
#'   [zero_concentrated_divergence()]. With a delta, both have the [approximate()] form.
#' @section Errors: Raises `dp_error_invalid_argument` if a number is outside its range.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
#' @examples
#' dp_epsilon(1)
#' dp_zcdp(0.5, delta = 1e-7)
#' @name dp_loss
NULL

#' @rdname dp_loss
#' @export
dp_epsilon <- function(epsilon, delta = 0, ...) {
  check_names(...)
  check_number(epsilon, above = 0)
  new_loss("epsilon", epsilon, check_delta(delta))
}

#' @rdname dp_loss
#' @export
dp_zcdp <- function(rho, delta = 0, ...) {
  check_names(...)
  check_number(rho, above = 0)
  new_loss("rho", rho, check_delta(delta))
}

check_delta <- function(delta, call = rlang::caller_env()) {
  check_number(delta, min = 0, below = 1, arg = "delta", call = call)
}

new_loss <- function(measure, amount, delta) {
  parts <- stats::setNames(list(as.double(amount), as.double(delta)), c(measure, "delta"))
  structure(as_it_is(parts), class = "dp_loss")
}

measure_name <- function(loss) names(loss)[[1]]

amount_of <- function(loss) unclass(loss)[[1]]

# The measure of a budget, under its name in the core.
measure_of_loss <- function(loss) {
  inner <- if (measure_name(loss) == "rho") "ZeroConcentratedDivergence" else "MaxDivergence"
  if (loss$delta > 0) paste0("Approximate<", inner, ">") else inner
}

#' @rdname dp_loss
#' @export
format.dp_loss <- function(x, ...) {
  paste0(
    measure_name(x), " ", show_loss(amount_of(x), 7),
    if (x$delta > 0) paste0(", delta ", show_loss(x$delta, 7))
  )
}

#' @rdname dp_loss
#' @export
print.dp_loss <- function(x, ...) {
  cat("<dp_loss> ", format(x), "\n", sep = "")
  invisible(x)
}

#' @rdname dp_allocate
#' @export
dp_allocate <- function(x, loss, ...) UseMethod("dp_allocate")

#' @export
dp_allocate.default <- function(x, loss, ...) {
  stop_argument("a session or a ledger", describe(x), "x", quote(dp_allocate()))
}

# The budget of a session or a ledger: a list of
#   total, protection         the whole loss, and the unit, see budget-unit.R
#   reuses                    whether stored releases are returned by default
#   version(version, call)    the version of the data, checked
#   cost(claim)              the cost of a claim, see claim_on(): list(loss, key, charge)
#   stored(claim)             list(value, reused, receipt), or NULL
#   receipt(claim)            the fields of a receipt that are known before the charge
#   charge(claim)             charges for good, NULL if there is not enough left
#   keep(claim, charged, value, parts, shown)   stores the release: its receipt, or NULL
#   spent(), remaining()      c(loss, delta)
#   records()                 a data frame, see budget-history.R
#   records()                 a data frame, see budget-history.R
budget_of <- function(x) UseMethod("budget_of")

#' @exportS3Method
budget_of.default <- function(x) {
  stop_argument("a session or a ledger", describe(x), rlang::caller_arg(x), rlang::caller_env())
}

new_like <- function(loss, parts) new_loss(measure_name(loss), parts[[1]], parts$delta)

left_in <- function(budget) new_like(budget$total, as.list(budget$remaining()))

refuse_over_budget <- function(budget, claim, call) {
  left <- left_in(budget)
  measure <- measure_name(left)
  cost <- lapply(claim$cost$loss, as.numeric)
  short <- if (cost[[measure]] > amount_of(left)) measure else "delta"
  buys <- if (!is.function(claim$loss[[1]])) {
    paste0(". `dp_preview()` shows the accuracy that ", show_number(left[[short]], 7), " buys")
  }
  # With seven digits, a double just above 0.1 looks equal to the rest of nine such charges.
  is_close <- show_loss(cost[[short]], 7) == show_number(left[[short]], 7)
  digits <- if (is_close) 17 else 7
  stop_with_hint(
    "budget",
    paste0(
      "This costs ", short, " ", show_loss(cost[[short]], digits), "; ",
      show_number(left[[short]], digits), " is left of ", show_number(budget$total[[short]], 7),
      ". Nothing was spent, no data were read."
    ),
    paste0("`dp_history()` lists what was spent", buys, "."), call
  )
}

# What sessions, which live in memory, and ledgers have in common: losses with their currency, and
# questions about a budget.

#' Privacy losses, with their currency
#'
#' What a budget may lose in all: epsilon, of pure or, with a delta, approximate differential
#' privacy; or rho, of zero-concentrated differential privacy, with or without a delta.
#'
#' @param epsilon,rho (`numeric(1)`) The loss, above 0. Public.
#' @param delta (`numeric(1)`) Probability with which the loss may be larger, at least 0 and below
#'   1. Public.
#' @param x (`dp_loss`)
#' @param ... Not used.
#' @returns An object of class `dp_loss`.
#' @section Measure: `dp_epsilon()` is [max_divergence()], `dp_zcdp()` is
#'   [zero_concentrated_divergence()], with a delta the [approximate()] form of either.
#' @section Errors: `dp_error_invalid_argument` for what is no such number.
#' @examples
#' dp_epsilon(1)
#' dp_zcdp(0.5, delta = 1e-7)
#' @name dp_loss
NULL

#' @rdname dp_loss
#' @export
dp_epsilon <- function(epsilon, delta = 0) {
  check_number(epsilon, above = 0)
  new_loss("epsilon", epsilon, check_delta(delta))
}

#' @rdname dp_loss
#' @export
dp_zcdp <- function(rho, delta = 0) {
  check_number(rho, above = 0)
  new_loss("rho", rho, check_delta(delta))
}

check_delta <- function(delta, call = rlang::caller_env()) {
  check_number(delta, min = 0, below = 1, arg = "delta", call = call)
}

new_loss <- function(currency, amount, delta) {
  parts <- stats::setNames(list(as.double(amount), as.double(delta)), c(currency, "delta"))
  structure(parts, class = "dp_loss")
}

currency_of <- function(loss) names(loss)[[1]]

amount_of <- function(loss) unclass(loss)[[1]]

#' @rdname dp_loss
#' @export
format.dp_loss <- function(x, ...) {
  paste0(
    currency_of(x), " ", show_number(amount_of(x), 7),
    if (x$delta > 0) paste0(", delta ", show_number(x$delta, 7))
  )
}

#' @rdname dp_loss
#' @export
print.dp_loss <- function(x, ...) {
  cat("<dp_loss> ", format(x), "\n", sep = "")
  invisible(x)
}

#' What was spent of a budget
#'
#' @param x What keeps a budget, such as a ledger ([dp_ledger()]).
#' @returns `dp_spent()` and `dp_remaining()`: a named vector, `c(epsilon = , delta = )` or
#'   `c(rho = , delta = )`. What was spent is rounded up, what remains is rounded down.
#'   `dp_history()`: a data frame with a row for each charge, and for whatever else moves budget.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", "row", dp_epsilon(1), version = "2026-03")
#' dp_remaining(ledger)
#' dp_history(ledger)
#' @name dp_spent
NULL

#' @rdname dp_spent
#' @export
dp_spent <- function(x) UseMethod("dp_spent")

#' @rdname dp_spent
#' @export
dp_remaining <- function(x) UseMethod("dp_remaining")

#' @rdname dp_spent
#' @export
dp_history <- function(x) UseMethod("dp_history")

# What keeps a budget: list(total, charge, spent, remaining, history), see R/ledger.R.
budget_of <- function(x) UseMethod("budget_of")

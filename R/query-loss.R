#' Privacy losses, with their currency
#'
#' What a [session][dp_session()] may lose in all, or a release or plan of it. A session counts in
#' one currency: epsilon, of pure or, with a delta, approximate differential privacy; or rho, of
#' zero-concentrated differential privacy, with or without a delta.
#'
#' @param epsilon,rho (`numeric(1)`) The loss, above 0. Public.
#' @param delta (`numeric(1)`) Probability with which the loss may be larger, at least 0 and below
#'   1. Groups whose keys are not public need one, see [dp_keys()]. Public.
#' @param x (`dp_loss`)
#' @param ... Not used.
#' @returns An object of class `dp_loss`.
#' @section Measure: `dp_epsilon()` is [max_divergence()], `dp_zcdp()` is
#'   [zero_concentrated_divergence()], with a delta the [approximate()] form of either.
#' @section Errors: `dp_error_invalid_argument` for what is no such number.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
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
    currency_of(x), " ", show_loss(amount_of(x), 7),
    if (x$delta > 0) paste0(", delta ", show_loss(x$delta, 7))
  )
}

#' @rdname dp_loss
#' @export
print.dp_loss <- function(x, ...) {
  cat("<dp_loss> ", format(x), "\n", sep = "")
  invisible(x)
}

# The loss that a caller asks for in the currency of a session; `NULL` parts were not given.
asked_loss <- function(session, epsilon, rho, delta, call) {
  currency <- currency_of(session$loss)
  given <- Filter(Negate(is.null), list(epsilon = epsilon, rho = rho))
  wrong <- setdiff(names(given), currency)
  if (length(wrong) > 0) {
    stop_query(
      "budget", paste0("This session counts in ", currency, ", not in ", wrong, "."),
      paste0("Say `", currency, " = `."), call
    )
  }
  if (length(given) == 0) {
    stop_query(
      "budget", paste0("`", currency, "` must be given: what this release may lose."),
      paste0("Say `", currency, " = `. ", format(left_in(session)), " is left."), call
    )
  }
  amount <- check_number(given[[1]], above = 0, arg = currency, call = call)
  new_loss(currency, amount, check_delta(delta %||% 0, call))
}

# What the core must stay within, so that the decimals that were asked for cover it.
within_asked <- function(loss) {
  lapply(unclass(loss), core_within_decimal)
}

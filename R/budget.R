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
#   total, protection         the whole loss, and the unit, see below
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

# A loss in words ----------------------------------------------------------------------------------

# Sources: NIST SP 800-226 (2025), section 2.2; Wood et al. (2018), Differential Privacy: A Primer
# for a Non-technical Audience.

# An even chance that a reader gives to a statement about a unit grows to at most
# e^epsilon / (1 + e^epsilon) by the release. A loss in rho has this bound up to a probability.
delta_of_words <- 1e-6
large_delta <- 1e-3

loss_in_words <- function(loss) {
  amount <- amount_of(loss)
  delta <- loss$delta
  if (measure_name(loss) == "rho") {
    delta <- delta + delta_of_words
    amount <- core_closed_form_cdp_epsilon(amount, delta_of_words)
  }
  c(
    paste0("a reader's even chance about one unit grows from 50% to at most ",
      chance_in_words(amount), if (delta > 0) paste0(", ", exception_in_words(delta))
    ),
    if (delta > large_delta) "the probability of that exception is large"
  )
}

# Rounded up, so it is never shown as less than it is. 1 - p keeps its digits for large losses.
chance_in_words <- function(epsilon) {
  rest <- 100 * stats::plogis(-epsilon)
  if (rest > 0.1) paste0(show_loss(100 * stats::plogis(epsilon), 3), "%") else "100%"
}

exception_in_words <- function(delta) {
  people <- format(floor(1 / delta), big.mark = ",", scientific = FALSE)
  paste0("except with probability ", show_loss(delta, 2), ", for one unit in ", people)
}

# The unit that a budget protects ------------------------------------------------------------------

# Losses for people and losses for rows do not add up, so a budget has one unit: the unit of its
# ledger, or of the first release that it was charged for.

# State that a session shares with every session allocated from it: `unit` is a dp_unit, the words
# of a ledger that has no unit, or NULL before the first charge. Releases on a ledger may protect
# more than its unit, but a session takes one unit: its losses are read at the unit of its first
# release.
new_protection <- function(unit = NULL, takes_more = FALSE) {
  list2env(list(unit = unit, takes_more = takes_more), parent = emptyenv())
}

# Ledgers of older versions keep their words.
unit_words <- function(unit) {
  one_person <- inherits(unit, "dp_unit") && unit$kind == "id" && unit$count == 1
  paste0(if (one_person || is.character(unit)) "one ", format(unit))
}

# Advises how to charge a table to a ledger that protects `owed`.
unit_for_ledger <- function(unit, owed) {
  if (!inherits(owed, "dp_unit")) {
    return("Create a ledger with the unit of `dp_tbl()`.")
  }
  distance <- core_distance_of_neighbours(unit_fields(owed), unit_fields(mapped_unit(unit)))
  if (is.null(distance)) {
    return("Give `dp_tbl()` the unit of the ledger, or create a ledger with the unit of the table.")
  }
  argument <- if (unit$kind == "id") "n" else unit$kind
  paste0("Give `dp_tbl()` a unit with `", argument, " = ", distance, "`, or more.")
}

# A promise makes each row a person. Words cannot be compared, so their curator vouches.
is_protected <- function(unit, protection, promise = NULL) {
  owed <- protection$unit
  if (is.null(unit)) {
    return(!is.null(promise) || is.character(owed))
  }
  if (!inherits(owed, "dp_unit")) {
    return(TRUE)
  }
  if (isTRUE(protection$takes_more) || !is.null(promise)) {
    parts <- unit_fields(owed)
    if (!is.null(promise)) parts <- as_rows(parts)
    return(protects(unit_fields(mapped_unit(unit)), parts))
  }
  identical(unit_fields(unit), unit_fields(owed))
}

# Runs before anything is charged. `unit` is the `dp_unit` that the release called `label` protects,
# NULL if it has none.
check_unit_of_release <- function(protection, unit, label, promise = NULL, call = NULL) {
  if (is_protected(unit, protection) || is_protected(unit, protection, promise)) {
    return(invisible())
  }
  stop_other_unit(unit, protection, label, way_out(protection, promise), call)
}

stop_other_unit <- function(unit, protection, label, hint, call) {
  owed <- protection$unit
  without <- "no unit, because its metric does not define one"
  released <- if (is.null(unit)) without else unit_words(unit)
  sentence <- if (is.null(owed)) {
    paste0("A session protects one unit, but ", label, " protects ", released, ".")
  } else {
    verb <- if (label == "the unit") " is " else " protects "
    paste0(keeper(protection), " protects ", unit_words(owed), ", but ", label, verb, released, ".")
  }
  stop_with_hint("unit", sentence, hint, call)
}

keeper <- function(protection) if (isTRUE(protection$takes_more)) "The ledger" else "This session"

way_out <- function(protection, promise = NULL) {
  owed <- protection$unit
  if (!is.null(promise)) {
    return(paste(
      "A promise makes each person one row: the release must protect that many rows, in the same",
      "relation."
    ))
  }
  if (is.null(owed)) {
    return("Use a measurement whose metric counts rows.")
  }
  if (!isTRUE(protection$takes_more)) {
    return("Use a separate session for another unit: losses for two units do not add up.")
  }
  if (!replaces(owed)) {
    return(paste(
      "You can charge queries of a table with this unit here. A ledger with `dp_unit(changes = 1)`",
      "takes statistics."
    ))
  }
  whose <- if (owed$kind == "id") paste(owed$id, collapse = " and ") else "person"
  paste0("Make one row per ", whose, ", and say so: `promise = \"one row per ", whose, "\"`.")
}

# A promise makes each person one row: the same number of units, in the same relation.
as_rows <- function(parts) {
  parts$what <- "rows"
  parts$columns <- list()
  parts
}

# A promise makes each row a person. It does not hide whether a person is present: the number of
# rows of a statistic is public.
check_promise <- function(promise, protection, call) {
  check_string(promise, null = TRUE, call = call)
  if (is.null(promise)) {
    return(NULL)
  }
  if (!grepl("[^[:space:]]", promise)) stop_argument("words", "a blank string", "promise", call)
  owed <- protection$unit
  if (is.null(owed)) {
    stop_with_hint("unit", "This session has no unit yet, so there is nothing to promise.",
      "Leave out `promise`.", call
    )
  }
  if (!inherits(owed, "dp_unit")) {
    stop_with_hint("unit",
      "This ledger has words of an older version as its unit, so it records no promise.",
      "Create a ledger with a `dp_unit()`.", call
    )
  }
  if (!replaces(owed)) {
    stop_with_hint("unit",
      paste0(
        keeper(protection), " hides whether ", unit_words(owed), " is in the data. No promise can ",
        "do so: the number of rows of a statistic is public."
      ),
      "Use a ledger with `relation = \"replace\"`: its number of people is public.", call
    )
  }
  enc2utf8(promise)
}

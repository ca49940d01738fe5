# Charges of a budget, and their sums. Sessions and ledgers give the same records: a data frame with
# a row for each charge and each other movement of budget, and the columns
#   promise, table
#   kind                                     type of the ledger record, "charge" in a session
#   inner, delta, spent                      doubles, rounded up, negative for returned budget
#   inner_text, delta_text                   exact decimals, which the core adds

#' List the charges of a budget, and sum them
#'
#' `dp_spent()` and `dp_remaining()` give sums. `dp_history()` lists the charges. All results are
#' public, and have the same form for sessions and ledgers.
#'
#' @param x A session ([dp_session()]) or a ledger ([dp_ledger()]).
#' @param since,until (`Date(1)`, `POSIXct(1)`, `character(1)`) Counts only charges between these
#'   times, both included. A date, or a text such as `"2026-03-31"`, includes its whole day. `NULL`
#'   means no limit.
#' @param by (`character(1)`) `"day"`, `"week"` (from Monday), `"month"`, `"quarter"` or `"year"`,
#'   to get a row for each period. `NULL`: one sum.
#' @param tz (`character(1)`) The time zone of the days, one of [OlsonNames()].
#' @returns `dp_spent()` and `dp_remaining()`: a named vector, `c(epsilon = , delta = )` or
#'   `c(rho = , delta = )`. Spent budget is rounded up, remaining budget is rounded down. With `by`,
#'   `dp_spent()` gives a data frame with the columns `from` (`Date`, the first day of the period),
#'   `epsilon` or `rho`, and `delta`. It has a row for each period from the first to the last, even
#'   for periods without a charge.
#'
#'   `dp_history()`: a data frame of class `dp_history` with a row for each charge and each other
#'   movement of budget. Its columns are
#'   * `time` (`POSIXct`, UTC): when the budget was charged, by the clock of the process that did.
#'   * `what` (`character`): a description such as `"mean of age"`, `"n, cost by ward"` or
#'     `"batch of 3"`. Charges that an older version recorded are named `"charge"`.
#'   * `who` (`character`): the user name of the process that charged.
#'   * `version` (`character`): the version of the data. `NA` in sessions without a ledger.
#'   * `epsilon` or `rho`, and `delta` (`numeric`): the loss. It is negative for returned budget,
#'     see [dp_take_back()], and `NA` for a larger total, see [dp_raise()].
#'   * `spent` (`numeric`): the sum of all losses so far, in epsilon or rho.
#'   * `plan` (`character`): the hash of the release, see [plan_hash()].
#'   * `record` (`numeric`): the number of the record in the ledger, or of the charge in the
#'     session.
#'   * `unit` (`character`): the unit that the budget protects.
#'   * `table` (`character`): the name of the table, see [dp_tbl()], or `NA`. A batch of queries
#'     about several tables has a line for each.
#'   * `promise` (`character`): your promise, see [with_ledger()], or `NA`.
#'
#'   `print()` shows the record in front of each row, times in UTC and 12 digits of the plan. It
#'   leaves out uninformative columns.
#' @section Sums: The core adds exact decimals and rounds each sum up once. Returned budget counts
#'   as negative in the period of its return. So the sum of a period can be negative. The sums of
#'   all periods together are the budget that is spent now.
#' @section Errors: `dp_error_invalid_argument` for an invalid argument. `dp_error_stale_object` for
#'   a session of another process. `dp_error_ledger` for a damaged ledger.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(changes = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.25
#' )
#' release(age, data = PUMS5extract10000, on = ledger)
#' dp_remaining(ledger)
#' dp_history(ledger)
#' dp_spent(ledger, by = "month")
#' dp_spent(ledger, until = "2026-01-01")
#' @name dp_spent
NULL

#' @rdname dp_spent
#' @export
dp_spent <- function(x, since = NULL, until = NULL, by = NULL, tz = "UTC") UseMethod("dp_spent")

#' @rdname dp_spent
#' @export
dp_remaining <- function(x) UseMethod("dp_remaining")

#' @rdname dp_spent
#' @export
dp_history <- function(x) UseMethod("dp_history")

#' @export
dp_spent.default <- function(x, since = NULL, until = NULL, by = NULL, tz = "UTC") {
  call <- quote(dp_spent())
  budget <- budget_of(x)
  check_choice(by, names(period_starts), null = TRUE, call = call)
  check_time_zone(tz, call)
  since <- check_time(since, call = call)
  until <- check_time(until, call = call)
  if (is.null(by) && is.null(since) && is.null(until)) {
    return(budget$spent())
  }
  records <- budget$records()
  records <- records[!is.na(records$inner_text), ]
  times <- times_of_records(records)
  records <- records[is_since(times, since, tz) & is_until(times, until, tz), ]
  sums <- if (is.null(by)) sums_of(records) else sums_by_period(records, since, until, by, tz)
  names(sums)[names(sums) == "inner"] <- measure_name(budget$total)
  if (is.null(by)) unlist(sums) else sums
}

#' @export
dp_remaining.default <- function(x) budget_of(x)$remaining()

#' @export
dp_history.default <- function(x) {
  budget <- budget_of(x)
  records <- budget$records()
  history <- data.frame(
    time = times_of_records(records), what = records$what, who = records$who,
    version = records$version, inner = records$inner, delta = records$delta,
    spent = records$spent, plan = records$plan, record = records$record
  )
  names(history)[names(history) == "inner"] <- measure_name(budget$total)
  unit <- budget$protection$unit
  history$unit <- rep(if (is.null(unit)) NA_character_ else format(unit), nrow(history))
  history[c("table", "promise")] <- records[c("table", "promise")]
  class(history) <- c("dp_history", class(history))
  history
}

times_of_records <- function(records) {
  as.POSIXct(records$time, format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
}

utc_now <- function() format(Sys.time(), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")

this_user <- function() enc2utf8(Sys.info()[["user"]])

# Print -------------------------------------------------------------------------------------------

#' @rdname dp_spent
#' @param ... For [print.data.frame()].
#' @export
format.dp_history <- function(x, ...) {
  check_names(...)
  shown <- unclass(x)[names(x)]
  if ("time" %in% names(x)) shown$time <- format(x$time, "%Y-%m-%d %H:%M")
  if ("plan" %in% names(x)) shown$plan <- substr(x$plan, 1, 12)
  if ("table" %in% names(x)) shown$table <- in_one_line(x$table)
  losses <- intersect(names(x), c("epsilon", "rho", "delta", "spent"))
  shown[losses] <- lapply(shown[losses], show_signed_loss)
  shown <- lapply(shown, function(column) ifelse(is.na(column), "", printable(column)))
  structure(shown, row.names = seq_len(nrow(x)), class = "data.frame")
}

#' @rdname dp_spent
#' @export
print.dp_history <- function(x, ...) {
  shown <- format(x)
  has_records <- "record" %in% names(x) && !anyDuplicated(x$record)
  if (has_records) row.names(shown) <- shown$record
  units <- unique(x$unit)
  if (length(units) == 1) cat("Budget that protects ", printable(units), "\n", sep = "")
  hidden <- c(
    if (has_records) "record", if (length(units) == 1) "unit", if (all(x$delta %in% 0)) "delta",
    names(Filter(function(part) all(is.na(part)), x[intersect(may_be_missing, names(x))]))
  )
  shown <- shown[setdiff(names(shown), hidden)]
  if (nrow(shown) == 0) {
    cat("Nothing was charged.\n")
  } else {
    print(shown, row.names = has_records, right = FALSE, ...)
  }
  invisible(x)
}

# Columns that print only if a row has a value.
may_be_missing <- c("version", "table", "promise")

show_signed_loss <- function(x) {
  shown <- rep(NA_character_, length(x))
  known <- !is.na(x)
  shown[known] <- paste0(ifelse(x[known] < 0, "-", ""), show_loss(abs(x[known]), 7))
  shown
}

# Sums of a history by period, and its times -------------------------------------------------------

sums_of <- function(records) {
  list(inner = core_sum_amounts(records$inner_text), delta = core_sum_amounts(records$delta_text))
}

sums_by_period <- function(records, since, until, by, tz) {
  days <- as.Date(times_of_records(records), tz = tz)
  first <- date_at(since, tz) %||% min_or_none(days)
  last <- date_at(until, tz) %||% max_or_none(days)
  none <- data.frame(from = as.Date(character()), inner = double(), delta = double())
  if (is.null(first) || is.null(last) || first > last) {
    return(none)
  }
  start_of <- period_starts[[by]]
  periods <- seq(start_of(first), start_of(last), by = if (by == "quarter") "3 months" else by)
  own <- start_of(days)
  sums <- lapply(periods, function(period) data.frame(sums_of(records[own == period, ])))
  cbind(data.frame(from = periods), do.call(rbind, sums))
}

min_or_none <- function(days) if (length(days) > 0) min(days)
max_or_none <- function(days) if (length(days) > 0) max(days)

# The first day of each date's period.
period_starts <- list(
  day = function(day) day,
  week = function(day) day - (as.POSIXlt(day)$wday + 6) %% 7,
  month = function(day) as.Date(format(day, "%Y-%m-01")),
  quarter = function(day) {
    as.Date(sprintf("%s-%02d-01", format(day, "%Y"), as.POSIXlt(day)$mon %/% 3 * 3 + 1))
  },
  year = function(day) as.Date(format(day, "%Y-01-01"))
)

# Parses a Date or a POSIXct.
check_time <- function(x, arg = rlang::caller_arg(x), call) {
  force(arg)
  given <- if (is_string(x)) name_public(x) else describe(x)
  if (is_string(x) && grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", x)) {
    x <- as.Date(x, format = "%Y-%m-%d")
  }
  is_time <- inherits(x, c("Date", "POSIXct")) && length(x) == 1 && is.finite(x)
  if (!is.null(x) && !is_time) {
    stop_argument("a date such as \"2026-03-31\", or a time", given, arg, call)
  }
  # Records have whole seconds, but a Date can have a fraction.
  if (inherits(x, "Date")) {
    as.Date(floor(as.double(unclass(x))), origin = "1970-01-01")
  } else if (!is.null(x)) {
    as.POSIXct(trunc(x, "secs"))
  }
}

check_time_zone <- function(tz, call) {
  check_string(tz, call = call)
  if (!tz %in% OlsonNames()) {
    stop_argument("one of `OlsonNames()`", "another string", "tz", call)
  }
}

date_at <- function(x, tz) if (inherits(x, "POSIXct")) as.Date(x, tz = tz) else x

is_since <- function(times, since, tz) {
  if (is.null(since)) {
    rep(TRUE, length(times))
  } else if (inherits(since, "Date")) {
    as.Date(times, tz = tz) >= since
  } else {
    times >= since
  }
}

is_until <- function(times, until, tz) {
  if (is.null(until)) {
    rep(TRUE, length(times))
  } else if (inherits(until, "Date")) {
    as.Date(times, tz = tz) <= until
  } else {
    times <= until
  }
}

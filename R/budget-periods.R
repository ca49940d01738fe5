# Sums of a history by period, and its times.

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

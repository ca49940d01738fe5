# Date functions in expressions, as in lubridate and base R.

# Functions of one date.
one_date_part <- c("year", "month", "day", "yday", "quarter", "week", "isoweek", "isoyear")

# Reads a function of one operand under its core name.
renamed_reader <- function(op) {
  force(op)
  function(expr, env, scope) simple_reader(op, 1)(expr, env, scope)
}

# First day of the week, as a literal from 1 (Monday) to 7 (Sunday). The option of lubridate counts
# as a constant.
week_start_of <- function(expr, env, scope) {
  start <- if (is.null(expr)) {
    getOption("lubridate.week.start", 7)
  } else {
    public_value(expr, env, scope)$value
  }
  if (!is_number(start) || !start %in% 1:7) {
    stop_query("unsupported", "`week_start` must be a public number from 1 (Monday) to 7 (Sunday).",
      "Write `week_start = 1`.", scope$call
    )
  }
  list(op = "literal", value = as.double(start))
}

read_wday <- function(expr, env, scope) {
  args <- matched(expr, function(x, week_start) NULL, scope)
  if (is.null(args$x)) stop_form(expr, scope)
  start <- week_start_of(args$week_start, env, scope)
  of_operands(list(args$x), env, function(x) list(op = "wday", args = c(x, list(start))))
}

read_floor_date <- function(expr, env, scope) {
  args <- matched(expr, function(x, unit, week_start) NULL, scope)
  if (is.null(args$x) || is.null(args$unit)) stop_form(expr, scope)
  unit <- public_value(args$unit, env, scope)$value
  start <- week_start_of(args$week_start, env, scope)$value
  of_floored_date(args$x, unit, start, "floor_date", env, scope)
}

# Accepted names of each unit, without plurals. The first one is the core name.
date_units <- list(
  day = c("day", "1 day"), week = c("week", "1 week"), month = c("month", "1 month"),
  bimonth = c("bimonth", "2 month"), quarter = c("quarter", "1 quarter", "3 month"),
  halfyear = c("halfyear", "6 month", "2 quarter"), year = c("year", "1 year", "12 month")
)

# Periods such as "2 months" have no public keys, because cut() counts them from the first date of
# the data.
units_of <- function(fun) {
  if (fun == "floor_date") {
    return(date_units)
  }
  lapply(date_units[c("day", "week", "month", "quarter", "year")], utils::head, 2)
}

of_floored_date <- function(x, unit, week_start, fun, env, scope) {
  units <- units_of(fun)
  named <- if (is_string(unit)) sub("s$", "", unit)
  unit <- names(units)[vapply(units, function(names) isTRUE(named %in% names), NA)]
  if (length(unit) != 1) {
    stop_query("unsupported",
      paste0(
        "The unit of `", fun, "()` must be one of ", toString(dQuote(names(units), FALSE)), "."
      ),
      paste0("Write `", fun, "(x, \"month\")`."), scope$call
    )
  }
  more <- list(list(op = "literal", value = unit))
  if (unit == "week") more <- c(more, list(list(op = "literal", value = as.double(week_start))))
  of_operands(list(x), env, function(x) list(op = "floor_date", args = c(x, more)))
}

# Returns days or weeks.
read_difftime <- function(expr, env, scope) {
  args <- matched(expr, function(time1, time2, tz, units) NULL, scope)
  units <- if (is.null(args$units)) "auto" else public_value(args$units, env, scope)$value
  if (is.null(args$time1) || is.null(args$time2) || !is.null(args$tz)) stop_form(expr, scope)
  if (!isTRUE(units %in% c("auto", "days", "weeks"))) {
    stop_query("unsupported", "The unit of a difference of dates must be \"days\" or \"weeks\".",
      "For other units, multiply or divide the days by a number.", scope$call
    )
  }
  of_operands(args[c("time1", "time2")], env, function(dates) {
    days <- list(op = "-", args = dates)
    if (units == "weeks") operation("/", days, literal(7, scope)) else days
  })
}

# Whether the result is a date, if the columns `dates` are dates.
gives_dates <- function(form, dates) {
  from_nested(form, function(form) {
    if (is.null(form$args)) {
      is_date <- if (form$op == "column") form$name %in% dates else identical(form$type, "date")
      return(list(value = is_date))
    }
    n <- length(form$args)
    values <- switch(form$op,
      floor_date = form$args[1], "+" = , "-" = , coalesce = , pmin = , pmax = form$args,
      if_else = form$args[-1], case_when = form$args[unique(c(seq_len(n %/% 2) * 2, n))]
    )
    list(parts = values, close = function(dates) {
      is_date <- as.logical(unlist(dates))
      if (form$op == "-") sum(is_date) == 1 else any(is_date)
    })
  })
}

# Names of time parts in as.POSIXlt().
time_parts <- list(hour = "hour", minute = "min", second = "sec")

advice_on_times <- function(part) {
  paste0(
    "Tables have no times of day. Before `dp_tbl()`, write `data$", part, " <- ",
    "as.POSIXlt(data$time, tz = zone)$", time_parts[[part]], "`, with the time zone of the clock, ",
    "such as `zone <- \"Europe/Zurich\"`. Declare the column with `dp_int()`. In a database, ",
    "make a view with `EXTRACT(", toupper(part), " FROM time)`, in the same zone."
  )
}

# Alternatives to date functions that have no counterpart.
date_advice <- local({
  floored <- "For dates, `floor_date(x, \"month\")` gives the first day of the month."
  days <- "`wday(x, week_start = 1)` is 1 on Mondays and 7 on Sundays."
  difference <- "Subtract two dates: the result is in days."
  parts <- paste(
    "For dates, `year(x)` and `month(x)` are numbers, and `floor_date(x, \"month\")` is the first",
    "day of the month."
  )
  list(
    format = parts, strftime = parts, as.yearmon = floored, yearmonth = floored,
    round_date = floored, ceiling_date = floored, weekdays = days,
    months = "`month(x)` is the number of the month, and `x + 30` is 30 days later.",
    quarters = "`quarter(x)` is the number of the quarter.",
    interval = difference, datediff = difference,
    days = "Add whole numbers to a date: they are days.",
    weeks = "Add whole numbers to a date: they are days.",
    epiweek = "`isoweek(x)` numbers weeks from Monday to Sunday."
  )
})

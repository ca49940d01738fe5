# Functions of dates in queries, against lubridate and base R, day by day.

# Packages that look for the machine's time zone may warn.
withr::local_envvar(TZ = "UTC", .local_envir = testthat::teardown_env())

# Each function as code for the column `day`, and its value for a date in R.
date_functions <- list(
  list(quote(year(day)), lubridate::year), list(quote(month(day)), lubridate::month),
  list(quote(day(day)), lubridate::day), list(quote(lubridate::mday(day)), lubridate::mday),
  list(quote(yday(day)), lubridate::yday), list(quote(quarter(day)), lubridate::quarter),
  list(quote(week(day)), lubridate::week), list(quote(isoweek(day)), lubridate::isoweek),
  list(quote(isoyear(day)), lubridate::isoyear), list(quote(wday(day)), lubridate::wday),
  list(quote(wday(day, week_start = 1)), function(x) lubridate::wday(x, week_start = 1)),
  list(quote(wday(day, week_start = 4)), function(x) lubridate::wday(x, week_start = 4)),
  list(quote(as.integer(day)), as.integer),
  list(quote(as.integer(day + 400 - day)), function(x) rep(400, length(x)) + 0 * as.integer(x)),
  list(quote(as.numeric(5L + day - as.Date("2000-02-29"))),
    function(x) as.numeric(x + 5 - as.Date("2000-02-29"))
  )
)
first_days <- list(
  list(quote(floor_date(day, "day")), "day", identity),
  list(quote(lubridate::floor_date(day, "month")), "month", lubridate::floor_date),
  list(quote(floor_date(day, "2 months")), "2 months", lubridate::floor_date),
  list(quote(floor_date(day, "quarter")), "quarter", lubridate::floor_date),
  list(quote(floor_date(day, "halfyear")), "halfyear", lubridate::floor_date),
  list(quote(floor_date(day, unit = "years")), "year", lubridate::floor_date),
  list(quote(floor_date(day, "week")), "week", lubridate::floor_date),
  list(quote(floor_date(day, "week", 1)), "week", function(x, unit) {
    lubridate::floor_date(x, unit, week_start = 1)
  }),
  list(quote(cut(day, "month")), "month", function(x, unit) as.Date(cut(x, unit))),
  list(quote(cut(day, "week")), "week", function(x, unit) as.Date(cut(x, unit))),
  list(quote(cut(day, "year")), "year", function(x, unit) as.Date(cut(x, unit)))
)
date_cases <- c(date_functions, lapply(first_days, function(one) {
  force(one)
  value <- if (identical(one[[3]], identity)) identity else function(x) one[[3]](x, one[[2]])
  list(call("as.integer", one[[1]]), function(x) as.integer(value(x)))
}))

# Each date with the values that R has, as c1, c2, ...
dates_with_values <- function(days) {
  values <- lapply(date_cases, function(one) as.integer(one[[2]](days)))
  data.frame(day = days, stats::setNames(values, paste0("c", seq_along(date_cases))))
}

# How often each function differs from R's value, or is missing where it has one. `source_of` makes
# a source of the data.
expect_same_dates <- function(days, source_of, ...) {
  data <- dates_with_values(days)
  columns <- lapply(stats::setNames(nm = names(data)[-1]), function(name) dp_int(-2e6, 2e6))
  domain <- do.call(dp_domain, c(
    list(day = dp_date(as.Date("1500-01-01"), as.Date("3100-12-31"))), columns
  ))
  table <- dp_tbl(plenty(), source_of(data), dp_unit(rows = 1), domain, ...)
  differs <- Map(function(one, name) {
    rlang::expr(dp_sum(coalesce(!!one[[1]], -3000000L) != coalesce(!!as.name(name), -3000000L)))
  }, date_cases, names(columns))
  names(differs) <- vapply(date_cases, function(one) deparse1(one[[1]]), "")
  released <- exact_release(rlang::inject(summarise(table, !!!differs)))
  counts <- round(unlist(as.data.frame(released)))
  expect_identical(names(counts)[counts != 0], character())
  expect_length(counts, length(date_cases))
}

# Year ends, leap days and their neighbours in all years, and days at random.
odd_days <- function() {
  ends <- as.Date(paste0(1582:3000, "-12-31"))
  first_of_march <- as.Date(paste0(1582:3000, "-03-01"))
  c(ends + 1, ends, first_of_march - 1, first_of_march,
    as.Date("1582-01-01") + withr::with_seed(1, sample(518000, 300)), NA
  )
}

test_that("functions of dates have the values of lubridate and base R on each day", {
  local_verbs()
  days <- c(seq(as.Date("1582-01-01"), as.Date("3000-12-31"), by = in_tier(11, 1)), odd_days())
  expect_same_dates(days, identity)
})

test_that("functions of dates have the same values in SQLite", {
  local_verbs()
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  expect_same_dates(odd_days(), function(data) {
    DBI::dbWriteTable(connection, "days", transform(data, day = format(day)))
    dplyr::tbl(connection, "days")
  })
})

date_server <- local_postgres(env = testthat::teardown_env())
date_engines <- list(
  PostgreSQL = function(env) local_connection(date_server, env),
  DuckDB = function(env) local_duckdb(env)
)
for (engine in names(date_engines)) {
  test_that(paste("functions of dates have the same values in", engine), {
    local_verbs()
    connection <- date_engines[[engine]](environment())
    source <- NULL
    source_of <- function(data) source <<- source %||% stays_on(connection, data, "days")
    for (route in c("push", "stream")) expect_same_dates(odd_days(), source_of, execute = route)
  })
}

# Stays by month -----------------------------------------------------------------------------------

ward_stays <- function() {
  admitted <- as.Date("2025-11-20") + c(0, 15, 20, 45, 45, 100, NA)
  data.frame(admitted = admitted, discharged = admitted + c(3, 1, 0, 10, NA, 4, 1))
}

stays_to_ask <- function() {
  year <- dp_date(as.Date("2025-11-15"), as.Date("2026-04-14"))
  dp_tbl(plenty(), ward_stays(), dp_unit(rows = 1), dp_domain(admitted = year, discharged = year))
}

test_that("a group by month has each month of the declared range as a date", {
  local_verbs()
  released <- stays_to_ask() |>
    group_by(month = floor_date(admitted, "month")) |>
    summarise(n = dp_count(), stay = dp_sum(discharged - admitted)) |>
    exact_release()
  expect_identical(released$month,
    seq(as.Date("2025-11-01"), as.Date("2026-04-01"), by = "month")
  )
  expect_equal(round(released$n), c(1, 2, 2, 1, 0, 0))
  expect_equal(round(released$stay), c(3, 1, 10, 4, 0, 0))
  weeks <- exact_release(count(stays_to_ask(), week = cut(admitted, "week")))
  expect_identical(weeks$week,
    seq(as.Date("2025-11-10"), as.Date("2026-04-13"), by = "week")
  )
})

test_that("a difference of dates has the bounds of both columns", {
  local_verbs()
  query <- summarise(stays_to_ask(), stay = dp_mean(discharged - admitted))
  made <- mutate(stays_to_ask(),
    stay = discharged - admitted, weeks = difftime(discharged, admitted, units = "weeks"),
    next_day = discharged + 1L - 400
  )
  fields <- fields_of(made)
  expect_equal(c(fields$stay$lower, fields$stay$upper), c(-150, 150))
  expect_lt(abs(fields$weeks$upper - 150 / 7), 1e-12)
  expect_identical(fields$next_day$type, "date")
  expect_equal(fields$next_day$lower, as.double(as.Date("2025-11-15") - 399))
  expect_equal(exact_release(query)$stay, mean(c(3, 1, 0, 10, 4)), tolerance = 1e-3)
})

test_that("computed dates are compared with dates that are written as texts", {
  local_verbs()
  kept <- stays_to_ask() |>
    filter(floor_date(admitted, "month") == "2025-12-01", admitted + 1 > "2025-12-01") |>
    summarise(n = dp_count(), next_day = dp_mean(admitted + 1)) |>
    exact_release()
  expect_equal(round(kept$n), 2)
  expect_s3_class(kept$next_day, "Date")
})

test_that("months that are chosen among others are dates without public months", {
  local_verbs()
  table <- stays_to_ask()
  first <- fields_of(mutate(table, m = floor_date(admitted, "month")))$m$lower
  expect_equal(first, as.double(as.Date("2025-11-01")))
  mixed <- mutate(table, m = coalesce(floor_date(admitted, "month"), as.Date("2026-01-15")))
  released <- exact_release(count(mixed, m))
  expect_true(as.Date("2026-01-15") %in% released$m)
  expect_error(
    count(table, m = floor_date(admitted, "month")) |>
      dp_keys(data.frame(m = as.Date("2026-01-15"))) |> dp_preview(epsilon = 1),
    class = "dp_error_domain"
  )
})

test_that("units, starts of weeks and sums that dates do not have are refused", {
  local_verbs()
  refused <- function(expr, text) {
    error <- expect_error(mutate(stays_to_ask(), x = {{ expr }}), class = "dp_error_unsupported")
    expect_match(conditionMessage(error), text, fixed = TRUE)
  }
  refused(floor_date(admitted, "5 days"), "must be one of")
  refused(cut(admitted, "2 months"), "must be one of")
  refused(floor_date(admitted), "form")
  refused(wday(admitted, week_start = 8), "week_start")
  refused(admitted + discharged, "Subtract a date")
  refused(5 - admitted, "Subtract a date")
  refused(admitted + 0.5, "whole days")
  refused(admitted + 3000000, "years 1 to 9999")
  refused(difftime(discharged, admitted, units = "hours"), "\"days\" or \"weeks\"")
  refused(hour(admitted), "Tables have no times of day")
  refused(format(admitted, "%Y-%m"), "floor_date(x, \"month\")")
})

# Charges with their time and purpose, in the same form for sessions and ledgers.

columns_of_history <- c(
  "time", "what", "who", "version", "epsilon", "delta", "spent", "plan", "record", "unit",
  "table", "promise"
)

# Charges of 0.1, 0.2, 0.3 and 0.05: at the end of one month, in the next month, and a year later.
dated_ledger <- function(env = parent.frame()) {
  ledger <- local_ledger(1, env = env)
  session <- dp_session(ledger = ledger)
  for (loss in c(0.1, 0.2, 0.3, 0.05)) dp_allocate(session, dp_epsilon(loss))
  times <- c(
    "2026-01-31T23:30:00Z", "2026-02-01T00:30:00Z", "2026-04-15T12:00:00Z", "2027-02-03T00:00:00Z"
  )
  rewritten_ledger(ledger, function(record) {
    if (record$kind == "charge") record$time <- times[[record$seq - 1]]
    record
  })
}

test_that("a session and a ledger have the same history", {
  ledger <- local_ledger(1, unit = dp_unit(changes = 1))
  session <- dp_session(dp_epsilon(1))
  histories <- lapply(list(ledger, session), function(on) {
    before <- Sys.time() - 1
    release(mean_age(0.25), data = hundred, on = on)
    release(mean_age(0.5), data = hundred, on = on)
    history <- dp_history(on)
    expect_identical(names(history), columns_of_history)
    expect_s3_class(history$time, "POSIXct")
    expect_identical(attr(history$time, "tzone"), "UTC")
    expect_true(all(history$time >= before & history$time <= Sys.time()))
    expect_identical(history$what, rep("mean of age", 2))
    expect_identical(history$who, rep(Sys.info()[["user"]], 2))
    history
  })
  alike <- setdiff(columns_of_history, c("time", "version", "record"))
  expect_identical(
    as.list(histories[[1]])[alike], as.list(histories[[2]])[alike]
  )
  expect_identical(histories[[1]]$spent, c(0.25, 0.75))
  expect_identical(histories[[1]]$version, rep("2026-03", 2))
  expect_identical(histories[[2]]$version, rep(NA_character_, 2))
})

test_that("an empty history has all columns", {
  for (on in list(dp_session(dp_epsilon(1)), local_ledger(1))) {
    history <- dp_history(on)
    expect_identical(names(history), columns_of_history)
    expect_identical(nrow(history), 0L)
    expect_output(print(history), "Nothing was charged")
  }
})

test_that("charges of older versions have no description", {
  expect_identical(dp_history(dp_ledger(older_ledger("plain")))$what[1:4], rep("charge", 4))
})

test_that("moved budget is described, and returned budget counts as negative", {
  ledger <- local_ledger(1)
  child <- dp_allocate(ledger, dp_epsilon(0.5), withr::local_tempfile())
  release(mean_age(0.125), data = hundred, on = child)
  dp_take_back(ledger, child)
  history <- dp_history(ledger)
  id <- substr(state_of(child)$id, 1, 12)
  expect_identical(history$what, paste(c("allocation to", "return of"), "ledger", id))
  expect_identical(history$epsilon, c(0.5, -0.375))
  expect_identical(history$spent, c(0.5, 0.125))
  expect_identical(dp_spent(ledger, since = "2000-01-01")[["epsilon"]], 0.125)
  expect_identical(dp_history(child)$what, c("mean of age", "return to the parent ledger"))
})

test_that("a description is one bounded line, cut between characters", {
  ledger <- local_ledger(1)
  claim <- list(plan = strrep("a", 64), loss = list(c(0.25, 0), c(0.25, 0)), version = "2026-03")
  claim$what <- core_description(paste0("a\u0007b\n", strrep("\u00e9", 500)))
  charge_ledger(ledger, claim)
  expect_identical(dp_history(ledger)$what, claim$what)
  expect_match(claim$what, "^a b \u00e9+[.]{3}$")
  expect_lte(nchar(claim$what, "bytes"), 256)
  for (what in c(strrep("x", 257), "a\nb")) {
    claim$what <- what
    expect_error(charge_ledger(ledger, claim), "what", class = "dp_error_ledger")
  }
  expect_identical(nrow(dp_history(ledger)), 1L)
})

test_that("a ledger with a description that is too long does not open", {
  ledger <- local_ledger(1)
  release(mean_age(0.25), data = hundred, on = ledger)
  for (what in c(strrep("x", 257), "a\u001b[2J", "")) {
    copy <- local_ledger(1)
    file.copy(ledger_text(ledger), ledger_text(copy), overwrite = TRUE)
    expect_error(rewritten_ledger(copy, function(record) {
      if (record$kind == "charge") record$what <- what
      record
    }), "`what` is missing, or has another form", class = "dp_error_ledger")
  }
})

test_that("a printed history shortens hashes and shows losses as they were written", {
  session <- dp_session(dp_epsilon(1))
  for (loss in c(0.1, 0.2)) dp_allocate(session, dp_epsilon(loss))
  release(mean_age(0.25), data = hundred, on = session)
  shown <- capture.output(print(dp_history(session)))
  expect_length(shown, 5)
  expect_identical(shown[[1]], "Budget that protects 1 replaced row")
  expect_match(shown[[4]], "^2 .* allocation to a session +[^ ]+ +0.2 +0.3 ")
  expect_match(shown[[5]], "^3 .* mean of age .* 0.25 +0.55 +[0-9a-f]{12} *$")
  expect_output(print(dp_history(session)[c("what", "epsilon")]), "mean of age")
})

test_that("spending by period has one row per period", {
  ledger <- dated_ledger()
  months <- dp_spent(ledger, by = "month")
  expect_identical(names(months), c("from", "epsilon", "delta"))
  expect_identical(nrow(months), 14L)
  expect_identical(
    months$epsilon[months$epsilon > 0],
    c(0.1, 0.2, core_sum_amounts("0.3"), core_sum_amounts("0.05"))
  )
  expect_identical(
    format(months$from[months$epsilon > 0]),
    c("2026-01-01", "2026-02-01", "2026-04-01", "2027-02-01")
  )
  expect_identical(dp_spent(ledger, by = "quarter")$epsilon[1:2] < 0.3000001, c(TRUE, TRUE))
  expect_identical(
    format(dp_spent(ledger, by = "quarter")$from),
    c("2026-01-01", "2026-04-01", "2026-07-01", "2026-10-01", "2027-01-01")
  )
  expect_identical(format(dp_spent(ledger, by = "week")$from[[1]]), "2026-01-26")
  expect_identical(format(dp_spent(ledger, by = "year")$from), c("2026-01-01", "2027-01-01"))
  expect_identical(nrow(dp_spent(ledger, by = "day")), 369L)
})

test_that("a period contains its times in the given time zone", {
  ledger <- dated_ledger()
  spent <- function(...) show_loss(dp_spent(ledger, ...)[["epsilon"]], 7)
  expect_identical(spent(since = "2026-02-01"), "0.55")
  expect_identical(spent(since = as.Date("2026-02-01"), until = "2026-04-15"), "0.5")
  expect_identical(spent(until = "2026-01-31"), "0.1")
  expect_identical(spent(until = "2026-01-31", tz = "America/New_York"), "0.3")
  expect_identical(spent(since = "2026-02-01", until = "2026-02-01", tz = "Europe/Berlin"), "0.3")
  expect_identical(spent(until = as.POSIXct("2026-02-01 00:30:00", tz = "UTC")), "0.3")
  expect_identical(spent(until = as.POSIXct("2026-02-01 00:29:59", tz = "UTC")), "0.1")
  expect_identical(dp_spent(ledger, until = "2025-12-31"), c(epsilon = 0, delta = 0))
  expect_identical(nrow(dp_spent(ledger, until = "2025-12-31", by = "month")), 0L)
  empty <- dp_spent(ledger, since = "2025-11-30", until = "2025-12-31", by = "month")
  expect_identical(empty$epsilon, c(0, 0))
})

test_that("sums are exact and rounded up once", {
  session <- dp_session(dp_epsilon(1))
  for (i in 1:10) dp_allocate(session, dp_epsilon(0.1))
  expect_identical(dp_spent(session, since = "2000-01-01"), c(epsilon = 1, delta = 0))
  expect_identical(dp_spent(session, by = "year")$epsilon |> sum(), 1)
  expect_identical(core_sum_amounts(c("0.1", "0.2")), 0.30000000000000004)
  expect_identical(core_sum_amounts(c("0.3", "-0.1")), 0.2)
  expect_identical(core_sum_amounts(c("0.1", "-0.3")), -0.2 * (1 - 2^-53))
  expect_identical(core_sum_amounts(character()), 0)
  expect_error(core_sum_amounts("1e-3"), class = "dp_error_ledger")
})

test_that("an invalid time, period or zone raises an error that names it", {
  session <- dp_session(dp_epsilon(1))
  expect_error(dp_spent(session, since = "March"), "since", class = "dp_error_invalid_argument")
  expect_error(dp_spent(session, until = NA), "until", class = "dp_error_invalid_argument")
  expect_error(dp_spent(session, by = "hour"), "by", class = "dp_error_invalid_argument")
  expect_error(dp_spent(session, tz = "Mars"), "tz", class = "dp_error_invalid_argument")
  expect_error(dp_spent(1), "a session or a ledger", class = "dp_error_invalid_argument")
  expect_error(dp_history(1), "a session or a ledger", class = "dp_error_invalid_argument")
})

test_that("a loss that the core rounded up is not rounded up again", {
  expect_identical(show_loss(0.30000000000000004, 7), "0.3")
  expect_identical(show_loss(0.1, 7), "0.1")
  expect_identical(show_loss(0.30000000000000010, 7), "0.3000001")
  expect_identical(show_loss(0.33333333333, 7), "0.3333334")
  ledger <- local_ledger(1)
  dp_allocate(dp_session(ledger = ledger), dp_epsilon(0.3))
  expect_identical(dp_ledger_verify(ledger$where)$detail[[2]], "spent epsilon 0.3 of epsilon 1")
})

test_that("a period begins at the second, or on the day, of `since`", {
  ledger <- local_ledger()
  with_ledger(ledger, mean_age()$release(hundred))
  charged <- dp_history(ledger)$time
  expect_identical(dp_spent(ledger, since = charged + 0.9)[["epsilon"]], 0.25)
  day <- as.Date(charged)
  expect_identical(sum(dp_spent(ledger, since = day - 7.25, by = "day")$epsilon), 0.25)
  expect_identical(sum(dp_spent(ledger, since = day + 0.5, by = "week")$epsilon), 0.25)
  expect_error(dp_spent(ledger, since = "2026-01"), "\"2026-01\"", fixed = TRUE,
    class = "dp_error_invalid_argument"
  )
})

# How the data fit their declaration.

checked_rows <- data.frame(
  id = rep(1:60, each = 10), age = rep(c(10, 20, 30, 70, NA), c(60, 240, 180, 90, 30)),
  sex = rep(c(0, 1, 2, NA), c(300, 200, 60, 40)),
  ward = rep(c("N", "S", "W", NA), c(400, 100, 70, 30)),
  day = as.Date("2026-01-01") + rep(0:5, 100), flag = rep(c(TRUE, NA), c(540, 60)),
  note = "x", free = 1
)

checked_schema <- function() {
  dp_schema(
    age = dp_int(18, 65), sex = dp_levels(0, 1), ward = dp_levels("N", "S"),
    day = dp_date(as.Date("2026-01-02"), as.Date("2026-01-04")), flag = dp_flag(),
    note = dp_text(), free = dp_num()
  )
}

checked_table <- function(budget = 1e7, rows = checked_rows, unit = dp_unit(rows = 1)) {
  dp_tbl(dp_session(dp_epsilon(budget)), rows, unit, checked_schema())
}

exact_check <- function(...) exactly(dp_check(checked_table(...), epsilon = 1e6))

test_that("each row is in one class of each column", {
  found <- exact_check()
  expect_s3_class(found, c("dp_checked", "data.frame"), exact = TRUE)
  expect_identical(found$column, names(checked_schema()))
  classes <- c("fits", "missing", "unknown", "below", "above")
  counts <- as.matrix(as.data.frame(unclass(found)[classes]))
  expect_equal(round(rowSums(counts, na.rm = TRUE)), rep(600, 7))
  expect_equal(round(counts), unname(rbind(
    c(420, 30, NA, 60, 90), c(500, 40, 60, NA, NA), c(500, 30, 70, NA, NA),
    c(300, 0, NA, 100, 200), c(540, 60, NA, NA, NA), c(600, 0, NA, NA, NA), c(600, 0, NA, NA, NA)
  )), ignore_attr = TRUE)
})

test_that("a check is charged, and its noise is that of one row in one class of each column", {
  session <- dp_session(dp_epsilon(1))
  table <- dp_tbl(session, checked_rows, dp_unit(rows = 1), checked_schema())
  found <- dp_check(table, epsilon = 0.7)
  expect_equal(dp_spent(session)[[1]], 0.7, tolerance = 1e-9)
  # Seven columns share the loss: the scale of each count is 10, and exp(-17 / 10) is below 0.2.
  expect_equal(found$accuracy, rep(ceiling(10 * log(1 / 0.05)), 7), tolerance = 0.1)
  expect_error(dp_check(table, epsilon = 0.7), class = "dp_error_budget")
})

test_that("a check of people counts the rows that a cap leaves, and none without an id", {
  rows <- checked_rows
  rows$id[1:100] <- NA
  people <- checked_table(rows = rows, unit = dp_unit(id = id))
  expect_error(dp_check(people, epsilon = 1), class = "dp_error")
  found <- exactly(dp_check(dp_truncate(people, max_rows = 4), epsilon = 1e6))
  expect_equal(round(found$fits[[6]]), 200)
})

test_that("other verbs and groups are refused before any charge", {
  session <- dp_session(dp_epsilon(1))
  table <- dp_tbl(session, checked_rows, dp_unit(rows = 1), checked_schema())
  for (other in list(
    dplyr::filter(table, age > 20), dplyr::mutate(table, x = age + 1), dplyr::group_by(table, ward)
  )) {
    expect_error(dp_check(other, epsilon = 1), class = "dp_error_unsupported")
  }
  expect_error(dp_check(checked_rows, epsilon = 1), class = "dp_error_invalid_argument")
  expect_equal(dp_spent(session)[[1]], 0)
})

test_that("a check names the columns that do not fit, and what to change", {
  text <- paste(format(exact_check()), collapse = "\n")
  expect_match(text, "`age`: about 30% of rows do not fit, most are above", fixed = TRUE)
  expect_match(text, "raise `upper`, or name codes for missing values with `na =`", fixed = TRUE)
  expect_match(text, "`ward`: about 17% of rows do not fit, most are unknown", fixed = TRUE)
  expect_no_match(text, "`note`: about|`free`: about")
  expect_output(print(exact_check()), "Checked: age, sex")
})

test_that("a check on a ledger has a receipt", {
  ledger <- create_ledger(withr::local_tempfile(), "survey", dp_unit(rows = 1), dp_epsilon(1),
    version = "1")
  table <- dp_tbl(dp_session(ledger = ledger), checked_rows, dp_unit(rows = 1), checked_schema())
  found <- suppressMessages(dp_check(table, epsilon = 0.1))
  expect_s3_class(dp_receipt(found), "dp_receipt")
})

test_that("a table of SQLite is checked as the same data frame is", {
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  rows <- transform(checked_rows, day = as.character(day), flag = as.integer(flag))
  DBI::dbWriteTable(con, "rows", rows)
  stored <- dp_tbl(dp_session(dp_epsilon(1e7)), dplyr::tbl(con, "rows"), dp_unit(rows = 1),
    checked_schema()
  )
  classes <- c("fits", "missing", "unknown", "below", "above")
  counts <- function(x) lapply(unclass(x)[classes], round)
  expect_identical(counts(exactly(dp_check(stored, epsilon = 1e6))), counts(exact_check()))
})

test_that("codes of missing values and invalid bytes are missing", {
  rows <- data.frame(
    age = rep(c(-9, 10, 30), c(20, 30, 50)), ward = rep(c("N", "?", "N"), c(40, 10, 50))
  )
  rows$ward[91:100] <- "Z\xfcrich"
  schema <- dp_schema(age = dp_int(18, 65, na = -9), ward = dp_levels("N", na = "?"))
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), rows, dp_unit(rows = 1), schema)
  found <- exactly(dp_check(table, epsilon = 1e6))
  expect_equal(round(found$missing), c(20, 20))
  expect_equal(round(found$below), c(30, NA))
  expect_equal(round(found$unknown), c(NA, 0))
  expect_equal(round(found$fits), c(50, 80))
})

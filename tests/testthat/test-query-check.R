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
  classes <- cell_classes
  counts <- as.matrix(as.data.frame(unclass(found)[classes]))
  expect_equal(round(rowSums(counts, na.rm = TRUE)), rep(600, 7))
  expect_equal(round(counts), unname(rbind(
    c(420, 30, NA, 60, 90, 0), c(500, 40, 60, NA, NA, 0), c(500, 30, 70, NA, NA, 0),
    c(300, 0, NA, 100, 200, 0), c(540, 60, NA, NA, NA, 0), c(600, 0, NA, NA, NA, 0),
    c(600, 0, NA, NA, NA, 0)
  )), ignore_attr = TRUE)
})

test_that("a check is charged, and its noise hides one row in one class of each column", {
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
  counts <- function(x) lapply(unclass(x)[cell_classes], round)
  expect_identical(counts(exactly(dp_check(stored, epsilon = 1e6))), counts(exact_check()))
})

test_that("codes are missing values, and invalid bytes are undecodable", {
  rows <- data.frame(
    age = rep(c(-9, 10, 30), c(20, 30, 50)), ward = rep(c("N", "?", "N"), c(40, 10, 50))
  )
  rows$ward[86:100] <- "Z\xfcrich"
  schema <- dp_schema(age = dp_int(18, 65, na = -9), ward = dp_levels("N", na = "?"))
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), rows, dp_unit(rows = 1), schema)
  found <- exactly(dp_check(table, epsilon = 1e6))
  expect_equal(round(found$missing), c(20, 10))
  expect_equal(round(found$below), c(30, NA))
  expect_equal(round(found$unknown), c(NA, 0))
  expect_equal(round(found$undecodable), c(0, 15))
  expect_equal(round(found$fits), c(50, 75))
  expect_match(format(found), "most are undecodable.*declare the `encoding =` of its texts",
    all = FALSE
  )
})

# Texts in columns of other declarations ----------------------------------------------------------

texts_of_days <- c(
  "2026-01-31", "2026-01-31 10:00:00", "2026-01-31T10:00", "2026-01-31 10:00:00.25", "31.01.2026",
  "2026-02-30", "2026-01-31 24:00", "2026-01-31T10:00:00Z", "2026-01-31 10", "2025-12-31 23:59",
  "2027-01-01", "1900-01-01 00:00", NA
)

schema_of_texts <- function() {
  dp_schema(
    day = dp_date("2026-01-01", "2026-12-31", na = as.Date("1900-01-01")),
    code = dp_levels(0:16), word = dp_levels("01", "b"), note = dp_text()
  )
}

texts_of_columns <- function() {
  data.frame(
    day = texts_of_days,
    code = c("1", "01", "001", "0", "00", "-01", "1.0", "+1", "17", "", "b", " 1", NA),
    word = c("01", "1", "b", "01", "", "B", "b ", "001", NA, "b", "b", "b", "b"),
    note = rep(c("a", NA), c(10, 3))
  )
}

counts_of_texts <- rbind(
  day = c(4, 2, NA, 1, 1, 5), code = c(5, 1, 7, NA, NA, 0), word = c(7, 1, 5, NA, NA, 0),
  note = c(10, 3, NA, NA, NA, 0)
)

expect_checked <- function(source, schema, counts) {
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), source, dp_unit(rows = 1), schema)
  found <- exactly(dp_check(table, epsilon = 1e6))
  expect_equal(round(as.matrix(as.data.frame(unclass(found)[cell_classes]))),
    unname(counts[names(schema), ]),
    ignore_attr = TRUE
  )
}

test_that("texts of days and of numbers are read by one rule, and others are counted", {
  expect_checked(texts_of_columns(), schema_of_texts(), counts_of_texts)
  factors <- as.data.frame(lapply(texts_of_columns(), factor))
  expect_checked(factors, schema_of_texts(), counts_of_texts)
  arrow <- nanoarrow::as_nanoarrow_array_stream(texts_of_columns())
  expect_checked(arrow, schema_of_texts(), counts_of_texts)
})

test_that("a query reads the texts that a check says fit", {
  local_verbs()
  table <- dp_tbl(plenty(), texts_of_columns(), dp_unit(rows = 1), schema_of_texts())
  days <- exact_release(count(table, day))
  expect_equal(days$day[round(days$n) > 0], as.Date("2026-01-31"))
  expect_equal(round(sum(days$n)), 4)
  codes <- exact_release(count(table, code))
  expect_equal(round(codes$n[codes$code %in% 0:1]), c(2, 3))
})

test_that("advice for texts that are no dates names no format as the right one", {
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), data.frame(day = rep("31.12.2025", 50)),
    dp_unit(rows = 1), dp_domain(day = dp_date("2025-01-01", "2026-01-01"))
  )
  advice <- paste(format(exactly(dp_check(table, epsilon = 1e6))), collapse = " ")
  expect_match(advice, "with their format, such as")
  expect_identical(as.Date("31.12.2025", format = "%d.%m.%Y"), as.Date("2025-12-31"))
  for (line in c("%d.%m.%Y\")` for 31.12.2025", "%m/%d/%Y\")` for 12/31/2025")) {
    expect_match(advice, line, fixed = TRUE)
  }
})

test_that("SQLite counts the same classes, and cells of other types as undecodable", {
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "texts", texts_of_columns())
  expect_checked(dplyr::tbl(con, "texts"), schema_of_texts(), counts_of_texts)
  DBI::dbExecute(con, "CREATE TABLE cells (n NUMERIC, flag INTEGER, day, note)")
  DBI::dbExecute(con, paste(
    "INSERT INTO cells VALUES (1, 1, 20454, 'a'), (99, 0, 20454.9, 2), ('x', 'yes', x'00', x'01'),",
    "(NULL, NULL, NULL, NULL), (-9, -9, '2026-01-01', 'a')"
  ))
  expect_checked(dplyr::tbl(con, "cells"),
    dp_schema(
      n = dp_int(0, 5, na = -9), flag = dp_flag(na = -9), day = dp_date("2026-01-01", "2026-12-31"),
      note = dp_text()
    ),
    rbind(
      n = c(1, 2, NA, 0, 1, 1), flag = c(2, 2, NA, NA, NA, 1), day = c(3, 1, NA, 0, 0, 1),
      note = c(2, 1, NA, NA, NA, 2)
    )
  )
})

test_that("no advice follows from counts that may be noise alone", {
  table <- dp_tbl(dp_session(dp_epsilon(1e-3)), data.frame(x = rep(1, 10)), dp_unit(rows = 1),
    dp_schema(x = dp_int(0, 5))
  )
  checked <- dp_check(table, epsilon = 1e-3)
  checked[cell_classes] <- list(3, 500, NA, -40, 900, 20)
  checked$accuracy <- 3000
  expect_no_match(format(checked), "do not fit")
  checked$accuracy <- 100
  expect_match(format(checked), "`x`: about [0-9.]+% of rows do not fit", all = FALSE)
})

test_that("an advice for missing values is not given where the declaration has chosen", {
  rows <- data.frame(g = rep(c("a", NA, "z"), c(50, 40, 10)))
  advice <- function(schema) {
    table <- dp_tbl(dp_session(dp_epsilon(1e7)), rows, dp_unit(rows = 1), schema)
    paste(format(exactly(dp_check(table, epsilon = 1e6))), collapse = "\n")
  }
  expect_match(advice(dp_schema(g = dp_levels("a"))), "50% of rows do not fit, most are missing")
  for (missing in list("a", NA, dp_drop())) {
    text <- advice(dp_schema(g = dp_levels("a", missing = missing)))
    expect_match(text, "10% of rows do not fit, most are unknown", fixed = TRUE)
  }
})

test_that("a check after a truncation by order counts the rows that it keeps", {
  local_verbs()
  rows <- data.frame(id = rep(1:50, each = 2), t = rep(1:2, 50), x = rep(c(1, 99), 50))
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), rows, dp_unit(id = id),
    dp_schema(t = dp_int(0, 9), x = dp_int(0, 5))
  )
  kept <- function(keep) {
    checked <- dp_check(dp_truncate(table, max_rows = 1, keep = keep, order = t), epsilon = 1e6)
    round(exactly(checked)$above[[2]])
  }
  expect_equal(c(kept("first"), kept("last")), c(0, 50))
})

for (engine in c("DuckDB", "PostgreSQL")) {
  test_that(paste(engine, "counts the classes of a data frame"), {
    local_verbs()
    con <- if (engine == "DuckDB") local_duckdb() else local_connection(local_postgres())
    rows <- data.frame(
      n = c(1, 5.4, 5.5, -0.5, NaN, NA, Inf, -Inf, -9, 1e300),
      i = c(0L, 5L, 6L, -1L, NA, -9L, 3L, 3L, 3L, 3L), f = rep(c(TRUE, FALSE, NA), c(4, 4, 2)),
      g = c("a", "b", "c", "", NA, "?", "a", "A", "a ", "a"),
      code = c("1", "01", "002", "2", "3", "", NA, "x", "-1", "0"),
      day = as.Date("2026-01-01") + c(0, 1, 400, -1, NA, -2, 5, 5, 5, 5)
    )
    schema <- dp_schema(
      n = dp_int(0, 5, na = -9), i = dp_int(0, 5, na = -9), f = dp_flag(),
      g = dp_levels("a", "b", na = "?"), code = dp_levels(1:2), day = dp_date(
        "2026-01-01", "2026-12-31", na = as.Date("2025-12-30")
      )
    )
    unbounded <- dp_schema(i = dp_int(), g = dp_text(na = "?"), day = dp_date())
    numbers <- dp_schema(n = dp_num(0, 5, na = -9), i = dp_levels(0:5))
    DBI::dbWriteTable(con, "rows", rows)
    for (declared in list(schema, unbounded, numbers)) {
      counts <- function(source) {
        table <- dp_tbl(dp_session(dp_epsilon(1e7)), source, dp_unit(rows = 1), declared)
        lapply(unclass(exactly(dp_check(table, epsilon = 1e6)))[cell_classes], round)
      }
      in_memory <- counts(rows)
      expect_identical(counts(dplyr::tbl(con, "rows")), in_memory)
      sums <- Reduce(`+`, lapply(in_memory, function(n) ifelse(is.na(n), 0, n)))
      expect_equal(sums, rep(10, length(declared)))
    }
  })
}

test_that("a check says which fractions are rounded", {
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), data.frame(n = c(1.2, 3), m = 1:2),
    dp_unit(rows = 1), dp_schema(n = dp_int(0, 5), m = dp_int(0, 5))
  )
  lines <- format(small(dp_check(table, epsilon = 1e6)))
  expect_identical(lines[length(lines)], "  fractions in `n` are rounded to whole numbers")
})

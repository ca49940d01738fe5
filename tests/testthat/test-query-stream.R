# Rows that arrive in chunks from SQLite.

local_sqlite <- function(env = parent.frame()) {
  connection <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  connection
}

exact_stays <- function(source, ...) {
  dp_tbl(plenty(), source, dp_unit(id = patient), hospital_domain(), ...) |>
    filter(days > 2) |>
    dp_truncate(max_rows = 100) |>
    group_by(ward) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
      urgent = dp_sum(urgent), none = dp_n_missing(admitted)
    ) |>
    exact_release() |>
    as.data.frame()
}

test_that("SQLite gives the data frame's result over several chunks", {
  local_verbs()
  connection <- local_sqlite()
  data <- hospital(120000)
  data$cost[seq_len(150000)] <- NA # a first chunk without any value
  data$ward[[9]] <- NA
  data$admitted[c(5, 200000)] <- NA
  expect_gt(nrow(data), 2 * rows_of_chunk)
  table <- stays_on(connection, data)
  expect_equal(exact_stays(table), exact_stays(data), tolerance = 1e-9)
  expect_equal(exact_stays(table, execute = "stream"), exact_stays(data), tolerance = 1e-9)
  DBI::dbExecute(connection, "DELETE FROM stays")
  expect_equal(exact_stays(table)$n, c(0, 0, 0), tolerance = 1e-9)
})

test_that("unknown keys and caps hold across chunks", {
  local_verbs()
  connection <- local_sqlite()
  data <- data.frame(
    who = rep(1:50000, each = 6), town = sprintf("town %d", 1:300000 %% 7), pay = 1
  )
  table <- stays_on(connection, data)
  released <- dp_tbl(dp_session(dp_zcdp(1e14, 0.5)), table, dp_unit(id = who),
    dp_domain(town = dp_text(), pay = dp_num(0, 2))
  ) |>
    dp_truncate(max_groups = 2, max_rows_per_group = 1, by = town) |>
    group_by(town) |>
    summarise(n = dp_count(), people = dp_n_ids(), pay = dp_sum(pay)) |>
    dp_keys("threshold") |>
    release(rho = 1e13, delta = 0.1)
  expect_setequal(released$town, paste("town", 0:6))
  expect_equal(sum(released$n), 100000, tolerance = 1e-6)
  expect_equal(sum(released$pay), 100000, tolerance = 1e-6)
})

test_that("a cell of another type is missing, without a warning or merged people", {
  local_verbs()
  connection <- local_sqlite()
  DBI::dbExecute(connection, "CREATE TABLE odd (who, size, name, day, yes)")
  cells <- c(
    "1, 4, 'a', '2026-01-31', 1", "'1', '5', X'00', '2026-13-01', 'yes'", "1.0, 1e400, 7, 12, 2",
    "9007199254740993, -3, 'a' || char(0) || 'b', 'x', 0",
    "9007199254740992, NULL, 'a', NULL, NULL", "'a', 'abc', 'a ', 20484.0, 1.5",
    "'a' || char(0) || 'b', 2, 'a', '2026-01-31', 1"
  )
  for (row in cells) DBI::dbExecute(connection, paste0("INSERT INTO odd VALUES (", row, ")"))
  bound <- dp_tbl(plenty(), dplyr::tbl(connection, "odd"), dp_unit(id = who),
    dp_domain(
      size = dp_int(-9, 9), name = dp_levels("a", "b"), yes = dp_flag(),
      day = dp_date(as.Date("2026-01-01"), as.Date("2026-12-31"))
    )
  )
  expect_no_warning(
    released <- bound |>
      dp_truncate(max_rows = 9) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), size = dp_sum(size), sizes = dp_n_missing(size),
        names = dp_n_missing(name), yes = dp_sum(yes), days = dp_n_missing(day)
      ) |>
      exact_release()
  )
  # 1.0 is 1, and who has a text with a zero byte has no id.
  found <- vapply(as.data.frame(released), as.double, 0)
  expect_equal(found, c(
    n = 6, people = 5, size = 10, sizes = 3, names = 4, yes = 2, days = 3
  ), tolerance = 1e-9)
})

# Neighbours of the largest double below which all integers are doubles, and 64-bit limits.
wide_numbers <- c(
  "9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993",
  "9223372036854775807", "9223372036854775806", "-9223372036854775807"
)

test_that("64-bit integers are exact as ids, whatever their declaration, and as keys", {
  local_verbs()
  connection <- local_sqlite()
  DBI::dbExecute(connection, "CREATE TABLE wide (who, key)")
  for (number in c(wide_numbers, "1", "2.0", "2.5", "1e300", "'7'", "(-9223372036854775807 - 1)")) {
    DBI::dbExecute(connection, paste0("INSERT INTO wide VALUES (", number, ", ", number, ")"))
  }
  declarations <- list(
    dp_domain(who = dp_int(0, 9)), dp_domain(who = dp_int()), dp_domain(who = dp_num(0, 9)),
    dp_domain(who = dp_levels(1, 2)), dp_domain(key = dp_int(0, 9))
  )
  for (domain in declarations) {
    released <- dp_tbl(
      plenty(), dplyr::tbl(connection, "wide"), dp_unit(id = who), domain
    ) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count(), people = dp_n_ids()) |>
      exact_release()
    # Extra people: 1 and 2.0 if ids are declared. Otherwise 1, a string and the least integer.
    people <- length(wide_numbers) + if (is.null(domain$who)) 3 else 2
    expect_equal(released$people, people, info = format(domain))
    expect_equal(released$n, people, info = format(domain))
  }
  by_key <- dp_tbl(
    plenty(), dplyr::tbl(connection, "wide"), dp_unit(rows = 1),
    dp_domain(key = dp_levels(2, 2^53, 2^53 + 2))
  ) |>
    group_by(key) |>
    summarise(n = dp_count()) |>
    exact_release()
  expect_equal(by_key$n, c(1, 1, 1))
})

test_that("declaring a column as a flag does not merge people", {
  local_verbs()
  connection <- local_sqlite()
  DBI::dbExecute(connection, "CREATE TABLE flags (who)")
  DBI::dbExecute(connection, "INSERT INTO flags VALUES (0), (1), (2), (3), (NULL)")
  released <- dp_tbl(plenty(), dplyr::tbl(connection, "flags"),
    dp_unit(id = who), dp_domain(who = dp_flag())
  ) |>
    dp_truncate(max_rows = 9) |>
    summarise(n = dp_count(), people = dp_n_ids()) |>
    exact_release()
  expect_equal(c(released$n, released$people), c(2, 2))
})

test_that("tables and receipts name SQLite, and SQLite never receives a salt", {
  local_verbs()
  where <- file.path(withr::local_tempdir(), "stays.ledger")
  ledger <- create_ledger(where, "stays", dp_unit(id = patient), dp_epsilon(1), version = "1")
  query <- stays_in(dp_session(ledger = ledger), stays_on(local_sqlite())) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  expect_output(explain(query), "engine: SQLite", fixed = TRUE)
  expect_output(show_query(query), "engine: SQLite", fixed = TRUE)
  receipt <- unclass(dp_receipt(release(query, epsilon = 0.25)))
  expect_identical(receipt$engine, "SQLite")
  expect_identical(c(receipt$salt, receipt$sql), c("", ""))
})

test_that("only plain tables whose rows may be read are streamed", {
  local_verbs()
  connection <- local_sqlite()
  stays <- stays_on(connection)
  session <- dp_session(dp_epsilon(1))
  bound <- function(data, ...) {
    dp_tbl(session, data, dp_unit(id = patient), hospital_domain(), ...)
  }
  expect_error(bound(stays, rows = "stay"), "R must read", class = "dp_error_unsupported")
  expect_error(bound(stays, execute = "push"), class = "dp_error_unsupported")
  expect_error(bound(filter(stays, days > 3)), "must be a bare table")
  DBI::dbExecute(connection, "CREATE VIEW seen AS SELECT * FROM stays")
  DBI::dbExecute(connection, "CREATE TEMPORARY VIEW passing AS SELECT * FROM stays LIMIT 2")
  for (view in c("seen", "passing")) {
    expect_error(bound(dplyr::tbl(connection, view)), "not a plain table",
      class = "dp_error_source"
    )
  }
  DBI::dbExecute(connection, "CREATE TABLE made (age INTEGER, half AS (json_extract(age, '$')))")
  expect_error(
    dp_tbl(session, dplyr::tbl(connection, "made"), dp_unit(rows = 1),
      dp_domain(half = dp_int(0, 9))
    ),
    "computed columns",
    class = "dp_error_source"
  )
  expect_error(
    dp_tbl(session, stays, dp_unit(id = patient), dp_domain(age = dp_int(0, 9))), "no column `age`",
    class = "dp_error_domain"
  )
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("a day that no calendar has is missing, as in R", {
  local_verbs()
  connection <- local_sqlite()
  days <- c("2020-02-29", "2020-02-30", "2021-02-29", "2020-04-31", "2020-00-01", "2020-12-31")
  data <- data.frame(id = seq_along(days), day = days)
  DBI::dbWriteTable(connection, "days", data)
  data$day <- as.Date(vapply(days, function(day) {
    as.character(tryCatch(as.Date(day, "%Y-%m-%d"), error = function(error) NA))
  }, ""))
  released <- function(source) {
    dp_tbl(plenty(), source, dp_unit(rows = 1),
      dp_domain(day = dp_date(as.Date("2020-01-01"), as.Date("2022-01-01")))
    ) |>
      mutate(month = month(day)) |>
      summarise(none = dp_n_missing(day), months = dp_sum(month, bounds = c(1, 12))) |>
      exact_release() |>
      without_noise()
  }
  expect_equal(released(dplyr::tbl(connection, "days")), released(data), tolerance = 1e-6)
  expect_equal(released(data)$none, 4)
})

test_that("SQLite's virtual tables are refused, whatever LIKE does", {
  local_verbs()
  connection <- local_sqlite()
  DBI::dbExecute(connection, "PRAGMA case_sensitive_like = ON")
  DBI::dbExecute(connection, "CREATE VIRTUAL TABLE found USING fts5(name)")
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, "found"), dp_unit(rows = 1),
      dp_domain(name = dp_text())
    ),
    "not a plain table",
    class = "dp_error_source"
  )
})

test_that("a release leaves a transaction of SQLite as it was", {
  local_verbs()
  connection <- local_sqlite()
  bound <- dp_tbl(plenty(), stays_on(connection), dp_unit(id = patient),
    hospital_domain()
  )
  query <- summarise(dp_truncate(bound, max_rows = 100), n = dp_count())
  DBI::dbExecute(connection, "BEGIN")
  DBI::dbExecute(connection, "DELETE FROM stays WHERE days > 10")
  expect_lt(exact_release(query)$n, nrow(hospital()))
  DBI::dbExecute(connection, "ROLLBACK")
  expect_equal(exact_release(query)$n, nrow(hospital()))
})

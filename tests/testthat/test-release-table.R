# Stored releases belong to the table that they were made from.

skip_if_not_installed("dplyr")
options(opendp_features = c("contrib", "honest-but-curious"))

north <- data.frame(age = rep(c(20, 40), 50))
south <- data.frame(age = rep(c(60, 80), 200))

rows_in <- function(data, on, name = NULL) {
  session <- if (inherits(on, "dp_ledger")) dp_session(ledger = on) else on
  dplyr::summarise(
    dp_tbl(session, data, dp_unit(rows = 1), dp_domain(age = dp_int(0, 100)), name = name),
    n = dp_count()
  )
}

# Without the message of a release that was stored.
count_rows <- function(..., epsilon = 0.25) {
  quietly_reused(small(release(rows_in(...), epsilon = epsilon)))$n
}

test_that("a stored release is returned for the table of its name only", {
  ledger <- local_ledger(100, unit = dp_unit(rows = 1))
  first <- count_rows(north, ledger, "north", epsilon = 8)
  second <- count_rows(south, ledger, "south", epsilon = 8)
  # Both intervals would have to miss by 100 rows: below exp(-800).
  expect_gt(second - first, 100)
  expect_identical(spent_in(ledger), 16)
  expect_identical(count_rows(north, ledger, "north", epsilon = 8), first)
  expect_identical(count_rows(south, dp_ledger(ledger$where), "south", epsilon = 8), second)
  # The rows are not compared: the name identifies the table.
  expect_no_warning(again <- count_rows(south, ledger, "north", epsilon = 8))
  expect_identical(again, first)
  expect_identical(spent_in(ledger), 16)
  expect_identical(dp_history(ledger)$table, c("north", "south"))
  expect_output(print(dp_history(ledger)), "south")
})

test_that("a table without a name does not get the release of one with a name, or gives it", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  named <- count_rows(north, ledger, "north")
  unnamed <- count_rows(north, ledger)
  expect_identical(spent_in(ledger), 0.5)
  expect_identical(dp_history(ledger)$table, c("north", NA))
  expect_identical(count_rows(north, ledger), unnamed)
  expect_identical(count_rows(north, ledger, "north"), named)
  expect_identical(spent_in(ledger), 0.5)
})

test_that("two data frames without a name do not share a stored release silently", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  first <- count_rows(north, ledger)
  expect_no_warning(count_rows(north, ledger))
  with_more <- cbind(north, other = 1)
  expect_no_warning(count_rows(with_more, ledger))
  warned <- expect_warning(again <- count_rows(south, ledger), class = "dp_warning_table")
  expect_match(conditionMessage(warned), "dp_tbl(name = )", fixed = TRUE)
  expect_identical(again, first)
  expect_warning(count_rows(south, ledger), class = "dp_warning_table")
  expect_no_warning(count_rows(north, ledger))
  expect_identical(spent_in(ledger), 0.25)
})

# Releases without a name for the data, as functions of these and of `on`.
kinds_with_data <- list(
  statistic = function(data, on) release(mean_age(), data = data, on = on, reuse = TRUE)$release,
  method = function(data, on) {
    with_ledger(on, mean_age()$release(data), reuse = TRUE)$release
  },
  measurement = function(data, on) {
    release(noisy_count(8), data = data$age, d_in = 2L, on = on, reuse = TRUE)
  },
  charged = function(data, on) charge(noisy_count(8), on, d_in = 2L, reuse = TRUE)(data$age)
)

for (kind in names(kinds_with_data)) {
  test_that(paste("a", kind, "does not give the release of other data silently"), {
    release_it <- function(...) quietly_reused(kinds_with_data[[kind]](...))
    other <- data.frame(age = rep(c(60, 80), 50))
    ledger <- local_ledger()
    first <- release_it(hundred, ledger)
    expect_no_warning(again <- release_it(hundred, ledger))
    expect_identical(again, first)
    # A column that is not read does not matter.
    expect_no_warning(release_it(cbind(hundred, other = 1), ledger))
    expect_warning(again <- release_it(other, ledger), "release(table = )", fixed = TRUE,
      class = "dp_warning_table"
    )
    expect_identical(again, first)
    expect_identical(spent_in(ledger), 0.25)

    session <- dp_session(dp_epsilon(1))
    release_it(hundred, session)
    release_it(hundred, session)
    expect_identical(spent_in(session), 0.25)
    expect_no_warning(release_it(other, session))
    expect_identical(spent_in(session), 0.5)
  })
}

test_that("data that do not fit the plan do not get its stored release", {
  sized <- c(
    vector_domain(atom_domain(bounds = c(0L, 10L)), size = 100L), symmetric_distance()
  ) |>
    then_sum() |>
    then_laplace(scale = 80)
  ledger <- local_ledger()
  release(mean_age(), data = hundred, on = ledger)
  release(sized, data = rep(1L, 100), d_in = 2L, on = ledger)
  spent <- spent_in(ledger)
  for (data in list(hundred[1:99, , drop = FALSE], data.frame(other = 1:100), 1:100)) {
    expect_error(release(mean_age(), data = data, on = ledger), class = "dp_error")
  }
  for (data in list(rep(1L, 99), letters)) {
    expect_error(release(sized, data = data, d_in = 2L, on = ledger), class = "dp_error")
  }
  expect_identical(spent_in(ledger), spent)
})

test_that("tables of an engine are distinguished by their paths", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "north", north)
  DBI::dbWriteTable(con, "south", south)
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  count_rows(dplyr::tbl(con, "north"), ledger)
  expect_no_warning(count_rows(dplyr::tbl(con, "north"), ledger))
  expect_warning(count_rows(dplyr::tbl(con, "south"), ledger), class = "dp_warning_table")
})

test_that("shards are distinguished by their data", {
  halves <- dp_shards(north, south, split_by_id = TRUE)
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  count_rows(halves, ledger)
  expect_no_warning(count_rows(dp_shards(north, south, split_by_id = TRUE), ledger))
  expect_warning(count_rows(dp_shards(north, north, split_by_id = TRUE), ledger),
    class = "dp_warning_table"
  )
})

test_that("a session in memory knows its tables, with or without names", {
  session <- dp_session(dp_epsilon(100))
  reused <- function(data, name = NULL) {
    quietly_reused(release(rows_in(data, session, name), epsilon = 8, reuse = TRUE))$n
  }
  first <- reused(north)
  expect_no_warning(second <- reused(south))
  expect_gt(second - first, 100)
  expect_identical(reused(north), first)
  expect_identical(dp_spent(session)[[1]], 16)
  reused(north, "north")
  expect_identical(dp_spent(session)[[1]], 24)
  expect_identical(dp_history(session)$table, c(NA, NA, "north"))
})

test_that("a batch has the names of its tables in the order of its queries", {
  ledger <- local_ledger(4, unit = dp_unit(rows = 1))
  session <- dp_session(ledger = ledger)
  both <- function(...) {
    names <- c(...)
    batch <- dp_batch(session, a = rows_in(north, session, names[[1]]),
      b = rows_in(south, session, names[[2]])
    )
    quietly_reused(small(release(batch, epsilon = 0.5)))
  }
  both("north", "south")
  both("south", "north")
  both("north", "north")
  expect_identical(spent_in(ledger), 1.5)
  both("north", "south")
  expect_identical(spent_in(ledger), 1.5)
  expect_identical(dp_history(ledger)$table, c("north\nsouth", "south\nnorth", "north"))
  expect_output(print(dp_history(ledger)), "north, south", fixed = TRUE)
})

test_that("statistics and measurements take the name of their table", {
  ledger <- local_ledger(20)
  age_in <- function(data, ...) {
    quietly_reused(release(mean_age(2), data = data, on = ledger, ...))$release
  }
  of_south <- data.frame(age = rep(c(60, 80), 50))
  first <- age_in(hundred, table = "north")
  second <- age_in(of_south, table = "south")
  # Laplace noise of scale 0.375 on means of 30 and 70: below exp(-50).
  expect_gt(second - first, 10)
  expect_identical(age_in(hundred, table = "north"), first)
  expect_identical(quietly_reused(with_ledger(ledger, mean_age(2)$release(of_south),
    table = "south"
  ))$release, second)
  expect_identical(spent_in(ledger), 4)

  count <- function(data, table) {
    quietly_reused(charge(noisy_count(1), ledger, d_in = 2L, table = table)(data))
  }
  expect_identical(count(north$age, "north"), count(north$age, "north"))
  expect_identical(spent_in(ledger), 6)
  count(south$age, "south")
  expect_identical(dp_history(ledger)$table, rep(c("north", "south"), 2))
  expect_error(release(rows_in(north, dp_session(ledger = ledger)), epsilon = 1, table = "north"),
    class = "dp_error"
  )
})

test_that("a receipt has the name of the table, and another name does not verify", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  receipt <- dp_receipt(release(rows_in(north, ledger, "north"), epsilon = 0.25))
  expect_identical(receipt$table, "north")
  expect_output(print(receipt), "table      north", fixed = TRUE)
  result_of <- function(receipt, check) {
    checks <- verify_release(receipt, ledger)
    checks$result[checks$check == check]
  }
  for (check in c("form", "record", "plan")) {
    expect_identical(result_of(receipt, check), "passed")
  }
  for (other in list("south", NULL)) {
    changed <- receipt
    changed$table <- other
    expect_identical(result_of(changed, "record"), "failed")
  }
  for (wrong in list("", 1, c("a", "b"))) {
    changed <- receipt
    changed$table <- wrong
    expect_identical(result_of(changed, "form"), "failed")
  }
  expect_null(dp_receipt(release(rows_in(north, ledger), epsilon = 0.25))$table)
})

test_that("a name is a text that people can read, and prints with the table", {
  session <- dp_session(dp_epsilon(1))
  for (wrong in list("", " ", "a\nb", "a\tb", "\u202e", strrep("a", 201), 1, NA_character_)) {
    expect_error(rows_in(north, session, wrong), class = "dp_error_invalid_argument")
    expect_error(with_ledger(session, 1, table = wrong), class = "dp_error_invalid_argument")
  }
  table <- dp_tbl(session, north, dp_unit(rows = 1), dp_domain(age = dp_int(0, 100)),
    name = "Waldstra\u00dfe"
  )
  expect_true("  name: Waldstra\u00dfe" %in% format(table))
})

test_that("a promise is shown in the history of ledgers and sessions alike", {
  unit <- dp_unit(id = id, relation = "replace")
  promise <- "one row per id"
  ledger <- local_ledger(unit = unit)
  places <- list(ledger, dp_allocate(dp_session(ledger = ledger), dp_epsilon(0.5)))
  for (place in places) {
    release(mean_age(), data = hundred, on = place, promise = promise)
    history <- dp_history(place)
    expect_identical(history$promise[history$what == "mean of age"], promise)
    expect_output(print(history), promise, fixed = TRUE)
  }
  expect_identical(dp_history(ledger)$promise, c(NA, promise))
  expect_false(any(grepl("promise", capture.output(print(dp_history(local_ledger()))))))
})

test_that("the order of columns does not make another table", {
  people <- data.frame(a = 1:20, b = 1:20)
  ledger <- local_ledger(unit = dp_unit(id = c(a, b)))
  counted <- function(unit) {
    table <- dp_tbl(dp_session(ledger = ledger), people, unit, dp_domain(b = dp_int(0, 20)))
    quietly_reused(small(release(
      dplyr::summarise(dp_truncate(table, max_rows = 1), n = dp_count()),
      epsilon = 0.25
    )))
  }
  counted(dp_unit(id = c(a, b)))
  expect_no_warning(counted(dp_unit(id = c(b, a))))
  expect_identical(spent_in(ledger), 0.25)
})

# Tests of results of engines that count.

engine_test("counts the rows of the data frame", "push", function(connection, it) {
  data <- hospital()
  data$cost[c(1, 5, 9)] <- c(NaN, Inf, NA)
  data$ward[3] <- "'; DROP TABLE stays; --"
  data$patient[7] <- NA
  released <- function(source) {
    dp_tbl(plenty(), source, dp_unit(id = patient), hospital_domain()) |>
      filter(!is.na(days), days %% 7 != 3) |>
      mutate(early = admitted < as.Date("2026-06-01")) |>
      dp_truncate(max_rows = 100) |>
      group_by(ward, early) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
        spread = dp_var(days), median = dp_median(days, at = 0:60), none = dp_n_missing(cost),
        weighted = dp_mean(days, weights = cost),
        quartiles = dp_quantile(days, 1:3 / 4, at = 0:60, weights = cost),
        half = dp_median(days, at = 0:60, weights = days)
      ) |>
      exact_release()
  }
  in_memory <- as.data.frame(released(data))
  in_engine <- as.data.frame(released(stays_on(connection, data)))
  expect_equal(in_engine, in_memory, tolerance = 1e-6, ignore_attr = TRUE)
  expect_gt(sum(in_memory$n), 100)
  expect_gt(sum(round(in_memory$none)), 0)
})

engine_test("counts random hostile tables exactly", character(), function(connection, it) {
  expect_counted_tables(
    function(data) stays_on(connection, data, "hostile"),
    lapply(stats::setNames(nm = it$routes), function(route) list(execute = route))
  )
})

engine_test("caps people in random tables of hostile values", "push", function(connection, it) {
  withr::local_seed(20261122)
  data <- hostile_tables(tables_in_one)
  # Columns that do not depend on which rows are drawn.
  capped <- c("batch", "n", "people", "capped", "dropped")
  expected <- hostile_counts(data, cap = 2)[capped]
  expect_lt(sum(round(expected$n)), sum(round(hostile_counts(data)$n)))
  found <- hostile_counts(stays_on(connection, data, "hostile"), cap = 2)[capped]
  expect_equal(found, expected, tolerance = 1e-6)
})

engine_test("joins public keys as a data frame does", "push", function(connection, it) {
  expect_joined_keys(function(data) stays_on(connection, data, "keyed"))
})

engine_test("keeps the groups of requested first or last rows", "push", function(connection, it) {
  expect_ordered_groups(function(data) stays_on(connection, data, "ordered"))
})

engine_test("accepts only plain tables with readable columns", "push", function(connection, it) {
  stays <- stays_on(connection)
  session <- dp_session(dp_epsilon(1))
  bound <- function(data, ...) {
    dp_tbl(session, data, dp_unit(id = patient), hospital_domain(), ...)
  }
  for (data in list(
    filter(stays, days > 3), head(stays), group_by(stays, ward), arrange(stays, days),
    dplyr::tbl(connection, dplyr::sql("SELECT * FROM stays LIMIT 2"))
  )) {
    expect_error(bound(data), "must be a bare table", class = "dp_error_source")
  }
  expect_error(bound(stays, execute = "stream", rows = "stay"), class = "dp_error_unsupported")
  DBI::dbExecute(connection,
    "CREATE OR REPLACE TEMPORARY VIEW passing AS SELECT * FROM stays LIMIT 2"
  )
  expect_error(bound(dplyr::tbl(connection, "passing")), class = "dp_error_source")
  times <- stays_on(connection, data.frame(patient = "a", seen = Sys.time()), "times")
  expect_error(
    dp_tbl(session, times, dp_unit(id = seen),
      dp_domain(patient = dp_text())
    ),
    "`seen`.* timestamp",
    class = "dp_error_source"
  )
  expect_error(
    dp_tbl(session, stays, dp_unit(id = patient), dp_domain(age = dp_int(0, 9))),
    "no column `age`",
    class = "dp_error_domain"
  )
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

engine_test("receives no query that it cannot count", "push", function(connection, it) {
  stays <- stays_on(connection)
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, stays, dp_unit(id = patient), hospital_domain(), rows = "stay") |>
    dp_per_unit(total = sum(cost)) |>
    summarise(total = dp_sum(total, bounds = c(0, 9)))
  expect_error(release(query, epsilon = 0.1), "real", class = "dp_error_unsupported")
  wrong <- function() {
    dp_tbl(session, stays, dp_unit(id = cost), hospital_domain(), execute = "push") |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count())
  }
  # Where rows cannot be read into R, the column rules refuse reals as ids.
  if (!"stream" %in% it$routes) {
    expect_error(wrong(), "cannot identify a person", fixed = TRUE, class = "dp_error_source")
  } else {
    expect_error(release(wrong(), epsilon = 0.1), "holds reals", class = "dp_error_unsupported")
  }
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

engine_test("appears by name in tables, queries and receipts", "push", function(connection, it) {
  stays <- stays_on(connection, name = "named")
  where <- file.path(withr::local_tempdir(), "stays.ledger")
  ledger <- create_ledger(where, "stays", dp_unit(id = patient), dp_epsilon(1), version = "1")
  query <- stays_in(dp_session(ledger = ledger), stays) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  name <- tbl_data(query$table)$engine
  expect_identical(name, it$engine)
  for (shown in list(query$table, query)) {
    expect_output(explain(shown), paste("engine:", name), fixed = TRUE)
  }
  expect_output(show_query(query), "WITH .*FROM [`\"][a-z_.`\"]*[.][`\"]named[`\"].*sha")
  receipt <- unclass(dp_receipt(release(query, epsilon = 0.25)))
  engine <- core_hidden(tbl_data(query$table)$rows)
  expect_identical(receipt$engine, name)
  expect_identical(receipt$sql, core_sha256(engine$sent$sql))
  expect_identical(receipt$salt, core_sha256(engine$sent$salt))
  expect_match(engine$sent$salt, "^[0-9a-f]{32}$")
  release(query, epsilon = 0.25, reuse = FALSE)
  expect_length(engine$sent$salt, 1)
  checks <- verify_release(structure(receipt, class = "dp_receipt"), ledger)
  expect_false("failed" %in% checks$result)
})

server <- local_postgres(env = testthat::teardown_env())

test_that("PostgreSQL counts what the data frame holds", {
  connection <- local_connection(server)
  local_verbs()
  data <- hospital()
  data$cost[c(1, 5, 9)] <- c(NaN, Inf, NA)
  data$ward[3] <- "'; DROP TABLE stays; --"
  data$patient[7] <- NA
  released <- function(source) {
    session <- dp_session(dp_epsilon(1e9))
    stays <- dp_tbl(session, source, dp_unit(id = patient), hospital_domain())
    stays |>
      filter(!is.na(days), days %% 7 != 3) |>
      mutate(early = admitted < as.Date("2026-06-01")) |>
      dp_truncate(max_rows = 100) |>
      group_by(ward, early) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
        spread = dp_var(days), median = dp_median(days, at = 0:60), none = dp_n_missing(early)
      ) |>
      release(epsilon = 1e8)
  }
  in_memory <- as.data.frame(released(data))
  in_engine <- as.data.frame(released(stays_on(connection, data)))
  expect_equal(in_engine, in_memory, tolerance = 1e-6, ignore_attr = TRUE)
  expect_gt(sum(in_memory$n), 100)
})

test_that("caps hold in PostgreSQL, under names that need quotes and in another schema", {
  connection <- local_connection(server)
  local_verbs()
  DBI::dbExecute(connection, "CREATE SCHEMA \"o'clinic\"")
  DBI::dbExecute(connection, paste(
    "CREATE TABLE \"o'clinic\".\"a\\b\"", "(\"who is\" bigint, \"k\"\"y\" text)"
  ))
  DBI::dbExecute(connection, paste(
    "INSERT INTO \"o'clinic\".\"a\\b\" SELECT i % 10, chr(97 + i % 3)",
    "FROM generate_series(1, 300) AS s(i)"
  ))
  source <- dplyr::tbl(connection, dbplyr::in_schema("o'clinic", "a\\b"))
  domain <- structure(
    list(`k"y` = unclass(dp_domain(k = dp_text()))[[1]]), class = class(dp_domain(k = dp_text()))
  )
  session <- dp_session(dp_epsilon(1e9, delta = 0.5))
  released <- dp_tbl(session, source, dp_unit(id = `who is`), domain) |>
    dp_truncate(max_rows = 2) |>
    summarise(n = dp_count(), people = dp_n_ids()) |>
    release(epsilon = 1e8)
  expect_equal(released$n, 20)
  expect_equal(released$people, 10)
})

test_that("only a bare table with columns that can be read is a source", {
  connection <- local_connection(server)
  local_verbs()
  stays <- stays_on(connection)
  session <- dp_session(dp_epsilon(1))
  bound <- function(data, ...) {
    dp_tbl(session, data, dp_unit(id = patient), hospital_domain(), ...)
  }
  for (data in list(
    filter(stays, days > 3), head(stays), group_by(stays, ward),
    dplyr::tbl(connection, dplyr::sql("SELECT * FROM stays LIMIT 2"))
  )) {
    expect_error(bound(data), "is not a table as it stands", class = "dp_error_source")
  }
  expect_error(bound(stays, execute = "stream"), class = "dp_error_unsupported")
  expect_error(bound(dplyr::tbl(connection, "pg_class")), class = "dp_error_domain")
  DBI::dbExecute(connection, "CREATE TABLE times (patient text, at timestamp)")
  expect_error(
    dp_tbl(session, dplyr::tbl(connection, "times"), dp_unit(id = at),
      dp_domain(patient = dp_text())
    ),
    "`at` is of the engine's type timestamp",
    class = "dp_error_source"
  )
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("what PostgreSQL cannot count is refused before the charge", {
  connection <- local_connection(server)
  local_verbs()
  stays <- stays_on(connection)
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, stays, dp_unit(id = patient), hospital_domain()) |>
    mutate(squared = cost * cost) |>
    dp_truncate(max_rows = 1) |>
    summarise(squared = dp_sum(squared))
  expect_error(release(query, epsilon = 0.1), "a product of reals", class = "dp_error_unsupported")
  wrong <- dp_tbl(session, stays, dp_unit(id = cost), hospital_domain()) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  expect_error(release(wrong, epsilon = 0.1), "holds reals", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("what the engine says is never shown, and the charge stays", {
  connection <- local_connection(server)
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, stays_on(connection), dp_unit(id = patient),
    hospital_domain()
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  DBI::dbExecute(connection, "DROP TABLE stays")
  said <- testthat::capture_output(
    error <- expect_error(release(query, epsilon = 0.25), class = "dp_error_backend"),
    print = TRUE
  )
  expect_no_match(paste(said, conditionMessage(error)), "stays\"|relation|SELECT")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("an engine that is not known is named", {
  connection <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "people", data.frame(age = 1:3))
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, "people"), dp_unit(rows = 1),
      dp_domain(age = dp_int(0, 9))
    ),
    "SQLiteConnection",
    class = "dp_error_unsupported"
  )
})

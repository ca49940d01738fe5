server <- local_postgres(env = testthat::teardown_env())

everything <- function() plenty()

# One row per setting of a snapshot, with 1 if the setting has a wrong value.
settings_view <- function(connection) {
  values <- paste0("('", names(snapshot_settings), "', '", snapshot_settings, "')")
  DBI::dbExecute(connection, paste0(
    "CREATE VIEW settings AS SELECT (s.setting <> v.setting)::int AS off, ",
    "(current_setting('transaction_isolation') <> 'repeatable read')::int AS isolation, ",
    "(current_setting('transaction_read_only') <> 'on')::int AS writes, ",
    "(current_setting('search_path') <> 'pg_catalog, pg_temp')::int AS path ",
    "FROM pg_settings s JOIN (VALUES ", toString(values), ") v (name, setting) ",
    "ON lower(v.name) = lower(s.name)"
  ))
}

hostile_session <- c(
  "SET statement_timeout = '10min'", "SET idle_in_transaction_session_timeout = '10min'",
  "SET jit = on", "SET extra_float_digits = -15", "SET quote_all_identifiers = on",
  "SET client_encoding = 'LATIN1'", "SET client_min_messages = 'debug1'",
  "SET standard_conforming_strings = off", "SET backslash_quote = off",
  "SET escape_string_warning = on", "SET DateStyle = 'SQL, DMY'",
  "SET IntervalStyle = 'iso_8601'", "SET TimeZone = 'Pacific/Apia'", "SET bytea_output = 'escape'",
  "SET lc_numeric = 'C.UTF-8'", "SET lc_monetary = 'C.UTF-8'", "SET lc_time = 'C.UTF-8'",
  "SET array_nulls = off", "SET transform_null_equals = on", "SET gin_fuzzy_search_limit = 1",
  "SET search_path = 'public'", "SET default_transaction_isolation = 'serializable'",
  "SET default_transaction_deferrable = on"
)

settings_now <- function(connection) {
  DBI::dbGetQuery(connection, "SELECT name, setting FROM pg_settings ORDER BY name")
}

seen_settings <- function(connection, ...) {
  dp_tbl(everything(), dplyr::tbl(connection, "settings"), dp_unit(rows = 1),
    dp_domain(off = dp_int(0, 1), isolation = dp_int(0, 1), writes = dp_int(0, 1),
      path = dp_int(0, 1)),
    ...
  ) |>
    summarise(
      n = dp_count(), off = dp_sum(off), isolation = dp_sum(isolation), writes = dp_sum(writes),
      path = dp_sum(path)
    ) |>
    exact_release() |>
    as.data.frame()
}

test_that("PostgreSQL reads use their own settings, which end with the release", {
  local_verbs()
  connection <- local_connection(server)
  settings_view(connection)
  withr::defer(on_server(server, "DROP VIEW settings"))
  for (sql in hostile_session) DBI::dbExecute(connection, sql)
  before <- settings_now(connection)
  for (execute in c("push", "stream")) {
    seen <- seen_settings(connection, execute = execute)
    expect_gte(seen$n, length(snapshot_settings) - 1) # one exists only on later servers
    expect_equal(unlist(seen[-1]), c(off = 0, isolation = 0, writes = 0, path = 0), info = execute)
    expect_identical(settings_now(connection), before)
    expect_false(is_transacting(connection))
  }
})

test_that("the tested session has a different value for each snapshot setting", {
  connection <- local_connection(server)
  for (sql in hostile_session) DBI::dbExecute(connection, sql)
  now <- settings_now(connection)
  found <- now$setting[match(tolower(names(snapshot_settings)), tolower(now$name))]
  same <- names(snapshot_settings)[!is.na(found) & found == snapshot_settings]
  # Servers before version 17 have no time limit for whole transactions.
  expect_identical(same, character())
  expect_true(all(names(snapshot_settings)[is.na(found)] == "transaction_timeout"))
})

test_that("a release joins an open transaction and leaves it unchanged", {
  local_verbs()
  connection <- local_connection(server)
  settings_view(connection)
  withr::defer(on_server(server, "DROP VIEW settings"))
  for (execute in c("push", "stream")) {
    DBI::dbExecute(connection, "BEGIN")
    DBI::dbExecute(connection, "CREATE TEMPORARY TABLE mine AS SELECT 1 AS one")
    DBI::dbExecute(connection, "SET LOCAL extra_float_digits = -15")
    before <- settings_now(connection)
    seen <- seen_settings(connection, execute = execute)
    # The caller sets the isolation level. Nothing is written in any case.
    expect_equal(seen$isolation, seen$n)
    expect_equal(seen$off + seen$writes + seen$path, 0)
    own <- dp_tbl(everything(), dplyr::tbl(connection, "mine"), dp_unit(rows = 1),
      dp_domain(one = dp_int(0, 1)),
      execute = execute
    )
    expect_equal(exact_release(summarise(own, n = dp_count()))$n, 1)
    expect_identical(settings_now(connection), before)
    expect_true(is_transacting(connection))
    expect_equal(DBI::dbExecute(connection, "INSERT INTO mine VALUES (2)"), 1)
    DBI::dbExecute(connection, "COMMIT")
    expect_equal(DBI::dbGetQuery(connection, "SELECT count(*)::int AS n FROM mine")$n, 2)
    DBI::dbExecute(connection, "DROP TABLE mine")
  }
})

test_that("a failed release leaves the connection and an open transaction usable", {
  local_verbs()
  connection <- local_connection(server)
  DBI::dbExecute(connection, paste(
    "CREATE VIEW breaking AS SELECT i AS who, 1 / (i - 7) AS one FROM generate_series(1, 9) s(i)"
  ))
  withr::defer(on_server(server, "DROP VIEW breaking"))
  for (begin in c("SELECT 1", "BEGIN")) {
    for (execute in c("push", "stream")) {
      DBI::dbExecute(connection, begin)
      session <- dp_session(dp_epsilon(1))
      query <- dp_tbl(session, dplyr::tbl(connection, "breaking"), dp_unit(rows = 1),
        dp_domain(one = dp_int(0, 1)),
        execute = execute
      ) |>
        summarise(one = dp_sum(one))
      expect_error(release(query, epsilon = 0.25), class = "dp_error_backend")
      expect_equal(dp_spent(session)[["epsilon"]], 0.25)
      expect_identical(is_transacting(connection), begin == "BEGIN")
      if (begin == "BEGIN") DBI::dbExecute(connection, "ROLLBACK")
    }
  }
})

test_that("a replaced table raises an error before the charge", {
  local_verbs()
  connection <- local_connection(server)
  source <- stays_on(connection, name = "changing")
  session <- dp_session(dp_epsilon(1))
  query <- function(...) {
    dp_tbl(session, source, dp_unit(id = patient), hospital_domain(), ...) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count())
  }
  queries <- list(query(), query(execute = "push"), query(execute = "stream"))
  DBI::dbExecute(connection, "ALTER TABLE changing ALTER COLUMN days TYPE text")
  for (one in queries) {
    expect_error(release(one, epsilon = 0.25), "has changed since .*, in `days`",
      class = "dp_error_source"
    )
  }
  DBI::dbExecute(connection, "DROP TABLE changing")
  for (one in queries) {
    expect_error(release(one, epsilon = 0.25), "has no table", class = "dp_error_source")
  }
  expect_equal(dp_spent(session)[["epsilon"]], 0)
  expect_false(is_transacting(connection))
})

test_that("a new table earlier on the search path does not replace the old one", {
  local_verbs()
  connection <- local_connection(server)
  source <- stays_on(connection, name = "first")
  withr::defer(on_server(server, "DROP TABLE public.first"))
  bound <- dp_tbl(everything(), source, dp_unit(id = patient), hospital_domain())
  DBI::dbExecute(connection, "CREATE TEMPORARY TABLE first AS SELECT * FROM first LIMIT 3")
  counted <- exact_release(summarise(dp_truncate(bound, max_rows = 100), n = dp_count()))
  expect_equal(counted$n, nrow(hospital()))
})

# Process that moves a row from one half to the other in each commit and adds one to a hundred rows.
# It pauses in the middle until the reader has seen it.
writer_script <- function(folder, commits, seen) {
  bquote({
    connection <- DBI::dbConnect(RPostgres::Postgres(),
      dbname = "postgres", host = .(folder), user = "curator"
    )
    for (i in seq_len(.(commits))) {
      DBI::dbExecute(connection, "BEGIN")
      DBI::dbExecute(connection, paste("UPDATE halves SET side = 1 - side WHERE i =", i %% 100))
      DBI::dbExecute(connection, "UPDATE halves SET seen = seen + 1")
      DBI::dbExecute(connection, "COMMIT")
      while (i == .(commits / 2) && !file.exists(.(seen))) Sys.sleep(0.01)
    }
    DBI::dbDisconnect(connection)
  })
}

test_that("a release reads one snapshot while 1000 commits change it", {
  local_verbs()
  connection <- local_connection(server)
  DBI::dbExecute(connection, paste(
    "CREATE TABLE halves AS SELECT i, i % 2 AS side, 0 AS seen FROM generate_series(0, 99) s(i)"
  ))
  folder <- withr::local_tempdir()
  script <- file.path(folder, "script.R")
  seen <- file.path(folder, "seen")
  writeLines(deparse(writer_script(server$folder, 1000, seen)), script)
  child <- processx::process$new(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
    stderr = file.path(folder, "stderr"), cleanup = TRUE
  )
  both <- function(execute) {
    dp_tbl(everything(), dplyr::tbl(connection, "halves"), dp_unit(rows = 1),
      dp_domain(side = dp_int(0, 1), seen = dp_int(0, 1000), i = dp_int(0, 99)),
      execute = execute
    ) |>
      mutate(other = 1L - side, first = if_else(i == 0L, seen, 0L)) |>
      summarise(
        n = dp_count(), ones = dp_sum(side), zeros = dp_sum(other), seen = dp_sum(seen),
        first = dp_sum(first), bins = dp_histogram(seen, breaks = c(0, 500, 1000))
      ) |>
      exact_release() |>
      as.data.frame()
  }
  steps <- numeric()
  repeat {
    alive <- child$is_alive()
    for (execute in c("push", "stream")) {
      found <- both(execute)
      expect_equal(found$n, 100)
      expect_equal(found$ones + found$zeros, 100)
      # All rows have seen the same commits, as has the other branch of the statement.
      expect_equal(found$seen, 100 * found$first)
      bins <- unlist(found[startsWith(names(found), "bins")])
      expect_length(bins, 2)
      expect_true(all(round(bins) %in% c(0, 100)))
      steps <- c(steps, round(found$first))
    }
    if (500 %in% steps) file.create(seen)
    if (!alive) break
  }
  expect_identical(child$get_exit_status(), 0L)
  expect_false(is.unsorted(steps))
  expect_equal(utils::tail(steps, 1), 1000)
  expect_true(500 %in% steps)
})

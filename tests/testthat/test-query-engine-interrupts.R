# Releases that are interrupted while an engine computes or its rows arrive.

server <- local_postgres(env = testthat::teardown_env())

streams <- list(
  PostgreSQL = function(env) local_connection(server, env),
  DuckDB = function(env) local_duckdb(env),
  SQLite = function(env) {
    connection <- DBI::dbConnect(RSQLite::SQLite())
    withr::defer(DBI::dbDisconnect(connection), envir = env)
    connection
  }
)

counted_stays <- function(session, source, ...) {
  dp_tbl(session, source, dp_unit(id = patient), hospital_domain(), ...) |>
    dp_truncate(max_rows = 100) |>
    summarise(n = dp_count(), people = dp_n_ids())
}

# How `code` ends.
ending <- function(code) {
  tryCatch(
    {
      code
      "released"
    },
    interrupt = function(condition) "interrupted"
  )
}

# Chunks of ten rows from a driver without batches. One chunk interrupts.
interrupting_chunks <- function(at, after, env = parent.frame()) {
  local_replaced("gives_batches", function(connection) FALSE, env)
  open <- open_chunks
  seen <- new.env()
  seen$closed <- 0
  local_replaced("rows_of_chunk", 10L, env)
  local_replaced("open_chunks", function(...) {
    if (at == 0) rlang::interrupt()
    chunks <- open(...)
    given <- 0
    following <- chunks$`next`
    close <- chunks$close
    chunks$`next` <- function() {
      given <<- given + 1
      if (given == at && !after) rlang::interrupt()
      chunk <- following()
      if (given == at && after) rlang::interrupt()
      chunk
    }
    chunks$close <- function() {
      seen$closed <- seen$closed + 1
      close()
    }
    chunks
  }, env)
  seen
}

for (engine in names(streams)) {
  test_that(paste(engine, "is unchanged after an interrupted stream, except for the charge"), {
    local_verbs()
    connection <- streams[[engine]](environment())
    data <- hospital(40)
    source <- stays_on(connection, data)
    session <- dp_session(dp_epsilon(1e14))
    query <- counted_stays(session, source, execute = "stream")
    spent <- 0
    for (at in c(0, 1, 2, 5)) {
      for (after in c(FALSE, TRUE)) {
        interrupted <- function() {
          seen <- interrupting_chunks(at, after)
          expect_identical(ending(release(query, epsilon = 1e12)), "interrupted")
          expect_equal(seen$closed, as.numeric(at > 0))
        }
        # A stream left open would cause a warning at the next statement.
        expect_no_warning(interrupted())
        spent <- spent + 1e12
        expect_equal(dp_spent(session)[["epsilon"]], spent)
        if (engine == "PostgreSQL") expect_false(is_transacting(connection))
        expect_no_warning(released <- release(query, epsilon = 1e12))
        spent <- spent + 1e12
        expect_equal(released$n, nrow(data))
        expect_equal(released$people, 40)
      }
    }
  })
}

for (engine in c("PostgreSQL", "DuckDB")) {
  test_that(paste(engine, "is unchanged after an interrupted statement"), {
    local_verbs()
    connection <- streams[[engine]](environment())
    data <- hospital(40)
    source <- stays_on(connection, data)
    session <- dp_session(dp_epsilon(1e14))
    query <- counted_stays(session, source, execute = "push")
    calls <- 0
    interrupted <- function() {
      checked <- engine_recheck
      local_replaced("engine_recheck", function(...) {
        checked(...)
        calls <<- calls + 1
        # The first check is before the charge.
        if (calls == 2) rlang::interrupt()
      })
      expect_identical(ending(release(query, epsilon = 1e12)), "interrupted")
    }
    expect_no_warning(interrupted())
    expect_equal(dp_spent(session)[["epsilon"]], 1e12)
    if (engine == "PostgreSQL") expect_false(is_transacting(connection))
    expect_equal(release(query, epsilon = 1e12)$n, nrow(data))
  })
}

# The core's own word that a pass takes long interrupts this process. Its last word, that the pass
# is over, does not. An interrupt that comes while R shows progress is heard right after.
interrupting_progress <- function(env = parent.frame()) {
  # Once: a second one could come when the release has ended, and end the tests.
  sent <- FALSE
  core_attend(function(share) {
    if (!sent && !identical(share, 1)) {
      sent <<- TRUE
      tools::pskill(Sys.getpid(), tools::SIGINT)
    }
  })
  withr::defer(core_attend(show_progress), envir = env)
}

test_that("an Arrow stream can be interrupted midway, and the charge stays", {
  local_verbs()
  interrupting_progress()
  session <- dp_session(dp_epsilon(1))
  # 2e9 rows, too many to finish.
  stream <- repeated_batch(data.frame(who = 0:999999 %% 5000L, days = 0:999999 %% 7L), 2000)
  query <- dp_tbl(session, stream, dp_unit(id = who), dp_domain(days = dp_int(0, 6))) |>
    dp_truncate(max_rows = 2) |>
    summarise(n = dp_count(), days = dp_sum(days))
  expect_identical(ending(release(query, epsilon = 0.25)), "interrupted")
  expect_false(nanoarrow::nanoarrow_pointer_is_valid(stream))
  expect_error(release(query, epsilon = 0.25), "read before", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("DuckDB answers after an interrupted stream of its rows", {
  local_verbs()
  interrupting_progress()
  connection <- local_duckdb()
  session <- dp_session(dp_epsilon(1e14))
  stream <- adbcdrivermanager::read_adbc(connection@adbc$connection,
    "SELECT i % 1000 AS who, CAST(i % 7 AS INTEGER) AS days FROM range(1000000000000) AS r(i)"
  )
  query <- dp_tbl(session, stream, dp_unit(id = who), dp_domain(days = dp_int(0, 6))) |>
    dp_truncate(max_rows = 2) |>
    summarise(n = dp_count())
  expect_identical(ending(release(query, epsilon = 1e12)), "interrupted")
  core_attend(show_progress)
  expect_equal(dp_spent(session)[["epsilon"]], 1e12)
  data <- hospital(40)
  session <- dp_session(dp_epsilon(1e14)) # budgets have one unit, and these people have another
  counted <- counted_stays(session, stays_on(connection, data), execute = "stream")
  expect_equal(release(counted, epsilon = 1e12)$n, nrow(data))
})

test_that("PostgreSQL's own interrupts end a release and keep the session intact", {
  local_verbs()
  connection <- DBI::dbConnect(RPostgres::Postgres(),
    dbname = "postgres", host = server$folder, user = "curator", check_interrupts = TRUE
  )
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbExecute(connection, paste(
    "CREATE VIEW slow AS SELECT i, 1 AS one, pg_sleep(60) IS NULL AS slept",
    "FROM generate_series(1, 3) s(i)"
  ))
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, dplyr::tbl(connection, "slow"), dp_unit(rows = 1),
    dp_domain(one = dp_int(0, 1), slept = dp_flag())
  ) |>
    filter(!slept) |>
    summarise(n = dp_count())
  before <- DBI::dbGetQuery(connection, "SELECT name, setting FROM pg_settings ORDER BY name")
  # Interrupts this process once the server works on its statement.
  folder <- withr::local_tempdir()
  script <- file.path(folder, "script.R")
  writeLines(deparse(bquote({
    connection <- DBI::dbConnect(RPostgres::Postgres(),
      dbname = "postgres", host = .(server$folder), user = "curator"
    )
    sql <- "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    while (nrow(DBI::dbGetQuery(connection, sql)) == 0) Sys.sleep(0.05)
    tools::pskill(.(Sys.getpid()), tools::SIGINT)
  })), script)
  child <- processx::process$new(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
    cleanup = TRUE
  )
  expect_identical(ending(release(query, epsilon = 0.25)), "interrupted")
  child$wait()
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
  expect_false(is_transacting(connection))
  now <- DBI::dbGetQuery(connection, "SELECT name, setting FROM pg_settings ORDER BY name")
  expect_identical(now, before)
})

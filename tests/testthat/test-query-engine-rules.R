server <- local_postgres("-c client_min_messages=error", env = testthat::teardown_env())

# Each test begins without tables.
empty_postgres <- function(env) {
  on_server(server, "DROP SCHEMA public CASCADE")
  on_server(server, "CREATE SCHEMA public")
  connection <- server$connect()
  withr::defer(if (DBI::dbIsValid(connection)) DBI::dbDisconnect(connection), envir = env)
  connection
}

open_sqlite <- function(env) {
  connection <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(if (DBI::dbIsValid(connection)) DBI::dbDisconnect(connection), envir = env)
  connection
}

both <- c("stream", "push")
paths <- list(
  `data frame` = frame_path,
  Arrow = arrow_path,
  SQLite = sql_path("stream", open_sqlite, DBI::dbDisconnect),
  DuckDB = sql_path(both, local_duckdb, close_duckdb),
  PostgreSQL = sql_path(both, empty_postgres, DBI::dbDisconnect)
)

for (engine in names(paths)) test_engine_rules(engine, paths[[engine]])

test_that("every engine has a cell in every row of the table of rules", {
  # test-source-spark.R has the cells of Spark.
  engines <- c(names(paths), "Spark")
  known <- c(
    frame = "data frame", arrow = "Arrow", sqlite = "SQLite", duckdb = "DuckDB",
    postgresql = "PostgreSQL", spark = "Spark"
  )
  methods <- ls(environment(release), pattern = "^engine_schema[.]")
  found <- sub("^engine_schema[.](.*)_table$", "\\1", methods)
  expect_setequal(found, names(known))
  expect_setequal(unname(known), engines)
  for (rule in names(engine_rules)) {
    expect_setequal(names(engine_rules[[rule]]), engines)
    expect_true(any(engine_rules[[rule]] %in% outcomes), info = rule)
  }
})

for (engine in c("SQLite", "DuckDB", "PostgreSQL")) {
  test_that(paste(engine, "refuses random replacements of a table, or counts their rows"), {
    local_verbs()
    withr::local_seed(20261127)
    for (route in paths[[engine]]$routes) {
      expect_replacements(paths[[engine]]$open(environment()), route, in_tier(10, 300))
    }
  })
}

# Every way to read a table of numbers as ids, and how many people it finds. NULL if it is refused.
people_of_reals <- function(source, execute) {
  session <- plenty()
  query <- dp_tbl(session, source, dp_unit(id = id), dp_domain(x = dp_int(0, 9)),
    execute = execute
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count(), people = dp_n_ids())
  released <- tryCatch(release(query, epsilon = 1e13), dp_error_unsupported = function(error) NULL)
  if (is.null(released)) expect_equal(dp_spent(session)[["epsilon"]], 0)
  if (!is.null(released)) round(c(released$n, released$people))
}

test_that("ids that are reals name the same people on every path, or are refused", {
  local_verbs()
  data <- data.frame(id = c(1, 1, 2, 2.5, -0, 0, 1e300, 2^53, 2^53 + 2, NA), x = 1L)
  people <- c(7, 7)
  expect_equal(people_of_reals(data, "auto"), people)
  expect_equal(people_of_reals(nanoarrow::as_nanoarrow_array(data), "auto"), people)
  for (engine in c("SQLite", "DuckDB", "PostgreSQL")) {
    connection <- switch(engine,
      SQLite = open_sqlite(environment()), DuckDB = local_duckdb(),
      PostgreSQL = empty_postgres(environment())
    )
    source <- stays_on(connection, data, "reals")
    for (execute in c("auto", "stream")) {
      expect_equal(people_of_reals(source, execute), people, info = paste(engine, execute))
    }
    if (engine != "SQLite") expect_null(people_of_reals(source, "push"), info = engine)
  }
})

test_that("decimals of PostgreSQL are not valid ids, because doubles merge some", {
  local_verbs()
  connection <- empty_postgres(environment())
  DBI::dbExecute(connection, "CREATE TABLE decimals (id numeric, x integer)")
  DBI::dbExecute(connection,
    "INSERT INTO decimals VALUES (9007199254740992, 1), (9007199254740993, 1)"
  )
  for (execute in c("auto", "stream", "push")) {
    expect_error(people_of_reals(dplyr::tbl(connection, "decimals"), execute), "holds decimals",
      class = "dp_error_source", info = execute
    )
  }
})

test_that("a release in an open transaction of DuckDB is a part of it, and leaves it open", {
  local_verbs()
  connection <- local_duckdb()
  run <- function(sql) DBI::dbExecute(connection, sql)
  write_cells(run)
  for (execute in both) {
    query <- cells_query(dplyr::tbl(connection, "cells"), plenty(),
      execute = execute
    )
    run("BEGIN TRANSACTION")
    run("DELETE FROM cells WHERE g = 'b'")
    expect_equal(exact_release(query)$n, c(10, 0), info = execute)
    expect_true(is_transacting_duckdb(connection), info = execute)
    run("ROLLBACK")
    expect_equal(exact_release(query)$n, c(10, 10), info = execute)
    expect_false(is_transacting_duckdb(connection), info = execute)
  }
})

test_that("a table that may not be read is refused without the engine's words", {
  local_verbs()
  owner <- empty_postgres(environment())
  write_cells(function(sql) DBI::dbExecute(owner, sql))
  on_server(server, "CREATE ROLE reader LOGIN")
  withr::defer(on_server(server, "DROP ROLE reader"))
  reader <- server$connect("reader")
  withr::defer(DBI::dbDisconnect(reader), priority = "first")
  # `tbl(reader, "cells")` would stop first.
  cells <- dplyr::tbl(owner, "cells")
  cells$src$con <- reader
  for (execute in c("auto", both)) {
    error <- expect_error(cells_query(cells, dp_session(dp_epsilon(1)), execute = execute),
      "has no table cells, or cannot read it",
      class = "dp_error_source"
    )
    expect_no_match(conditionMessage(error), "permission|denied|ERROR")
  }
})

test_that("the types of columns that are refused are named without their values", {
  local_verbs()
  connection <- local_duckdb()
  DBI::dbExecute(connection, paste(
    "CREATE TABLE kinds (id INTEGER, e ENUM('canary', 'b'), l ENUM('canary')[],",
    "s STRUCT(a ENUM('canary')), d DECIMAL(38, 2))"
  ))
  shown <- c(e = "enum", l = "enum[]", s = "struct", d = "decimal")
  for (name in names(shown)) {
    domain <- stats::setNames(dp_domain(x = dp_text()), name)
    error <- expect_error(
      dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, "kinds"), dp_unit(id = id), domain),
      class = "dp_error_source"
    )
    expect_match(conditionMessage(error), paste0("type ", shown[[name]], ", which"), fixed = TRUE)
    expect_no_match(conditionMessage(error), "canary")
  }
})

test_that("a driver that prints the engine's errors is refused", {
  connection <- structure(list(), class = "PostgreSQLConnection")
  error <- expect_error(dialect_of(connection, NULL), "RPostgres", class = "dp_error_unsupported")
  expect_match(conditionMessage(error), "private cells")
})

test_that("a name that several tables of DuckDB have is read as DuckDB reads it", {
  local_verbs()
  connection <- local_duckdb()
  run <- function(sql) DBI::dbExecute(connection, sql)
  path <- function(...) {
    table <- new_engine_table("duckdb", connection, c(...), "a")
    described_table(table, NULL)$path
  }
  run("CREATE TABLE \"Stays\" (a INTEGER)")
  expect_identical(path("stays"), c("memory", "main", "Stays"))
  expect_identical(path("main", "STAYS"), c("memory", "main", "Stays"))
  run("CREATE TEMPORARY TABLE stays (a INTEGER)")
  expect_identical(path("stays"), c("temp", "main", "stays"))
  expect_identical(path("main", "stays"), c("temp", "main", "stays"))
  expect_identical(path("memory", "stays"), c("memory", "main", "Stays"))
  expect_identical(path("memory", "main", "stays"), c("memory", "main", "Stays"))
  for (schema in c("x", "y")) {
    run(paste("CREATE SCHEMA", schema))
    run(paste0("CREATE TABLE ", schema, ".twice (a INTEGER)"))
  }
  expect_identical(path("x", "twice"), c("memory", "x", "twice"))
  expect_error(path("twice"), "has no table", class = "dp_error_source")
  run("SET search_path = 'memory.main,memory.y,memory.x'")
  expect_error(path("twice"), "name of several tables", class = "dp_error_source")
  run("ATTACH ':memory:' AS other")
  run("CREATE TABLE other.main.there (a INTEGER)")
  expect_identical(path("other", "there"), c("other", "main", "there"))
  # DuckDB's own views have such names.
  run("CREATE TABLE main.tables (a INTEGER)")
  expect_identical(path("tables"), c("memory", "main", "tables"))
})

server <- local_postgres("-c client_min_messages=error", env = testthat::teardown_env())

both <- c("stream", "push")

test_engine_rules("data frame", frame_path)
test_engine_rules("Arrow", arrow_path)

test_that("every engine has methods, a call of test_engine(), and cells in the table of rules", {
  sources <- core_data_sources()
  engines <- sources$name[sources$engine]
  class_of <- function(names) paste0(sub(".* ", "", tolower(names)), "_table")
  methods <- ls(environment(release), pattern = "^engine_schema[.]")
  expect_setequal(sub("^engine_schema[.]", "", methods), class_of(sources$name))
  lines <- unlist(lapply(list.files(pattern = "^test-.*[.]R$"), readLines, warn = FALSE))
  calls <- grep("^ *test_engine\\(\"", lines, value = TRUE)
  calls <- sub("^[^\"]*\"([^\"]*)\".*", "\\1", calls)
  # A built package does not contain test-source-*.R.
  if (length(list.files(pattern = "^test-source-")) > 0) expect_setequal(unique(calls), engines)
  for (rule in names(engine_rules)) {
    expect_setequal(names(engine_rules[[rule]]), sources$name)
    expect_true(any(engine_rules[[rule]] %in% outcomes), info = rule)
  }
})

test_that("ids that are reals name the same people in memory and in Arrow data", {
  local_verbs()
  expect_equal(people_of_reals(real_ids(), "auto"), c(7, 7))
  expect_equal(people_of_reals(nanoarrow::as_nanoarrow_array(real_ids()), "auto"), c(7, 7))
})

test_that("decimals of PostgreSQL are not valid ids, because doubles merge some", {
  local_verbs()
  connection <- empty_postgres(server, environment())
  DBI::dbExecute(connection, "CREATE TABLE decimals (id numeric, x integer)")
  DBI::dbExecute(connection,
    "INSERT INTO decimals VALUES (9007199254740992, 1), (9007199254740993, 1)"
  )
  for (execute in c("auto", "stream", "push")) {
    expect_error(people_of_reals(dplyr::tbl(connection, "decimals"), execute),
      "cannot identify a person",
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
  owner <- empty_postgres(server, environment())
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
  error <- expect_error(engine_name(connection, NULL), "RPostgres", class = "dp_error_unsupported")
  expect_match(conditionMessage(error), "private cells")
})

test_that("a name that several tables of DuckDB have is read as DuckDB reads it", {
  local_verbs()
  connection <- local_duckdb()
  run <- function(sql) DBI::dbExecute(connection, sql)
  path <- function(...) {
    table <- new_engine_table("DuckDB", connection, c(...), "a")
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

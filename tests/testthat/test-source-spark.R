# Tables of a real Spark. A built package does not contain these tests, which need sparklyr and
# Spark.

# Each test has a new database. A temporary view may be left over from the last test.
empty_spark <- function(ansi) {
  function(env) {
    connection <- local_spark(ansi, env)
    withr::defer(spark_run(connection, "USE default"), envir = env)
    for (sql in c(
      "DROP VIEW IF EXISTS cells", "DROP DATABASE IF EXISTS ruled CASCADE", "CREATE DATABASE ruled",
      "USE ruled"
    )) {
      spark_run(connection, sql)
    }
    connection
  }
}

# Settings that change how Spark plans, reads, compares or parses.
odd_spark_settings <- c(
  "spark.sql.ansi.enforceReservedKeywords" = "true",
  "spark.sql.ansi.doubleQuotedIdentifiers" = "true",
  "spark.sql.parser.escapedStringLiterals" = "true", "spark.sql.caseSensitive" = "true",
  "spark.sql.session.timeZone" = "Pacific/Apia", "spark.sql.groupByOrdinal" = "false",
  "spark.sql.codegen.wholeStage" = "false", "spark.sql.codegen.factoryMode" = "NO_CODEGEN",
  "spark.sql.adaptive.enabled" = "false", "spark.sql.parquet.enableVectorizedReader" = "false",
  "spark.sql.parquet.filterPushdown" = "false", "spark.sql.constraintPropagation.enabled" = "false",
  "spark.sql.subexpressionElimination.enabled" = "false",
  "spark.sql.windowExec.buffer.in.memory.threshold" = "1",
  "spark.sql.windowExec.buffer.spill.threshold" = "2", "spark.sql.shuffle.partitions" = "7",
  "spark.sql.storeAssignmentPolicy" = "LEGACY", "spark.sql.variable.substitute" = "false"
)

# One mode has all tests. In the quick tier the other has those that would notice most.
fewer_parts <- in_tier("mutants", c("results", "settings", "mutants"))

for (ansi in c(TRUE, FALSE)) {
  test_engine("Spark",
    open = empty_spark(ansi), close = NULL, routes = "push", run = spark_run,
    using = " USING parquet",
    types = c(
      decimal = "DECIMAL(6, 2)", varchar = "VARCHAR(3)", char = "CHAR(3)", other = "ARRAY<INT>"
    ),
    settings = paste0("SET ", names(odd_spark_settings), " = ", odd_spark_settings),
    reset = function(connection, setting) {
      spark_run(connection, sub("SET ([^ ]+) = .*", "RESET \\1", setting))
    },
    mutants = spark_mutants,
    unable = c(
      "behind a temporary table" = "it has no such tables", unreachable = "all its tests share one"
    ),
    label = paste("Spark, ANSI", if (ansi) "on," else "off,"),
    parts = if (ansi) names(engine_parts) else fewer_parts
  )
}

exactly <- function(loss = dp_epsilon(1e14)) dp_session(loss)

test_that("script 5: Spark counts logs in one statement and returns them as text", {
  local_verbs()
  sc <- local_spark(TRUE)
  withr::local_seed(20261130)
  iso3 <- c("DEU", "FRA", "GBR", "USA")
  data <- data.frame(
    user = sprintf("u%03d", sample(300, 900, TRUE)), country = sample(c(iso3, "ZZZ"), 900, TRUE),
    ms = sample(c(-5L, 0:70000), 900, TRUE)
  )
  # Keeps the same number of countries and rows per person as the script.
  nth <- stats::ave(match(data$country, c(iso3, "ZZZ")), data$user, FUN = function(x) {
    match(x, unique(x))
  })
  data <- data[nth <= 2, ]
  spark_run(sc, "CREATE DATABASE IF NOT EXISTS web")
  spark_table(sc, "web.logs", data)
  asked <- function(session, source) {
    logs <- dp_tbl(session, source, unit = dp_unit(id = user),
      domain = dp_domain(country = dp_levels(iso3), ms = dp_int(0, 6e4))
    )
    logs |>
      dp_truncate(max_groups = 2, max_rows_per_group = 10, by = country) |>
      group_by(country) |>
      summarise(p95 = dp_quantile(ms, 0.95, at = seq(0, 6e4, 250)))
  }
  s <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
  query <- asked(s, dplyr::tbl(sc, "web.logs"))
  released <- small(release(query, rho = 0.1))
  expect_identical(as.character(released$country), iso3)
  expect_equal(dp_spent(s)[["rho"]], 0.1)
  expect_length(core_hidden(tbl_data(query$table)$rows)$sent$sql, 1)
  exactly <- function(source) {
    as.data.frame(release(asked(dp_session(dp_zcdp(1e16)), source), rho = 1e14))
  }
  expect_equal(exactly(dplyr::tbl(sc, "web.logs")), exactly(data), tolerance = 1e-6)
})

test_that("two Spark tables and a data frame are one table in three places", {
  local_verbs()
  connection <- local_spark(TRUE)
  data <- hospital()
  place <- match(data$patient, unique(data$patient)) %% 3
  parts <- unname(split(data, place))
  released <- function(source) {
    dp_tbl(dp_session(dp_epsilon(1e14)), source, dp_unit(id = patient), hospital_domain()) |>
      filter(days > 2) |>
      dp_truncate(max_rows = 2, keep = "first", order = admitted) |>
      group_by(ward) |>
      summarise(n = dp_count(), people = dp_n_ids(), cost = dp_sum(cost), days = dp_var(days)) |>
      release(epsilon = 1e13) |>
      as.data.frame()
  }
  shards <- dp_shards(
    spark_table(connection, "stays", parts[[1]]), spark_table(connection, "named", parts[[2]]),
    parts[[3]],
    split_by_id = TRUE
  )
  expect_equal(released(shards), released(data), tolerance = 1e-9, ignore_attr = TRUE)
})

test_that("Spark keeps caps under quoted names, and rejects a name that it would replace", {
  local_verbs()
  connection <- local_spark(TRUE)
  data <- data.frame(who = rep(1:10, 30), key = rep(c("a", "b", "c"), 100))
  names(data) <- c("who is; --", "k y'\"\\")
  table <- spark_table(connection, "quoted", data)
  domain <- dp_domain(key = dp_text())
  names(domain) <- names(data)[[2]]
  released <- dp_tbl(exactly(), table, dp_unit(id = `who is; --`), domain) |>
    dp_truncate(max_rows = 2) |>
    summarise(n = dp_count(), people = dp_n_ids()) |>
    release(epsilon = 1e13)
  expect_equal(c(released$n, released$people), c(20, 10))
  session <- exactly()
  names(domain) <- "${x}"
  spark_run(connection, "DROP TABLE IF EXISTS replaced")
  spark_run(connection, "SET spark.sql.variable.substitute = false")
  withr::defer(spark_run(connection, "SET spark.sql.variable.substitute = true"))
  spark_run(connection, "CREATE TABLE replaced (`${x}` STRING) USING parquet")
  query <- dp_tbl(session, dplyr::tbl(connection, "replaced"), dp_unit(rows = 1), domain) |>
    summarise(n = dp_n_missing(`${x}`))
  expect_error(release(query, epsilon = 1), "must not hold", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("Spark counts bytes, 64-bit integers and decimals unchanged", {
  local_verbs()
  connection <- local_spark(TRUE)
  spark_run(connection, "DROP TABLE IF EXISTS kinds")
  spark_run(connection, paste(
    "CREATE TABLE kinds (who BIGINT, folded STRING COLLATE UTF8_LCASE, short VARCHAR(9),",
    "small TINYINT, narrow FLOAT, price DECIMAL(38,10)) USING parquet"
  ))
  spark_run(connection, paste(
    "INSERT INTO kinds VALUES (9007199254740992, 'a', 'x', 1, 0.5, 1.25),",
    "(9007199254740993, 'A', 'x ', 2, 0.25, 2.5), (9223372036854775807, 'A', NULL, -3, NULL, -99),",
    "(NULL, 'a', 'x', 100, 1, 1)"
  ))
  released <- dp_tbl(exactly(), dplyr::tbl(connection, "kinds"), dp_unit(id = who), dp_domain(
    folded = dp_levels("a", "A"), short = dp_levels("x", "x "), small = dp_int(-9, 9),
    narrow = dp_num(0, 1), price = dp_num(-10, 10)
  )) |>
    dp_truncate(max_rows = 9) |>
    group_by(folded) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), kinds = dp_n_distinct(short), small = dp_sum(small),
      narrow = dp_sum(narrow), price = dp_sum(price)
    ) |>
    release(epsilon = 1e13)
  expect_equal(as.list(released)[-1], list(
    n = c(1, 2), people = c(1, 2), kinds = c(1, 1), small = c(1, -1), narrow = c(0.5, 0.25),
    price = c(1.25, -7.5)
  ), tolerance = 1e-9)
})

test_that("Spark accepts only Parquet and ORC tables, and no column that it pads", {
  local_verbs()
  connection <- local_spark(TRUE)
  stays <- stays_on(connection)
  for (sql in c(
    "CREATE OR REPLACE TEMPORARY VIEW passing AS SELECT * FROM stays", "DROP VIEW IF EXISTS kept",
    "CREATE VIEW kept AS SELECT * FROM stays", "DROP TABLE IF EXISTS lines",
    "CREATE TABLE lines (days INT) USING csv", "DROP TABLE IF EXISTS padded",
    "CREATE TABLE padded (days INT, ward CHAR(9)) USING parquet PARTITIONED BY (days)"
  )) {
    spark_run(connection, sql)
  }
  bound <- function(name, domain = dp_domain(days = dp_int(0, 9))) {
    dp_tbl(exactly(), dplyr::tbl(connection, name), dp_unit(rows = 1), domain)
  }
  for (name in c("passing", "kept", "lines")) {
    expect_error(bound(name), "not a table of Parquet or ORC files", class = "dp_error_source")
  }
  expect_error(bound("padded", dp_domain(ward = dp_text())), "type char", class = "dp_error_source")
  expect_s3_class(bound("padded"), "dp_tbl")
  spark_run(connection, "SET spark.sql.parquet.datetimeRebaseModeInRead = EXCEPTION")
  withr::defer(spark_run(connection, "SET spark.sql.parquet.datetimeRebaseModeInRead = CORRECTED"))
  admitted <- hospital_domain()["admitted"]
  class(admitted) <- class(hospital_domain())
  expect_error(bound("stays", admitted), "datetimeRebaseModeInRead", class = "dp_error_source")
  expect_s3_class(bound("stays"), "dp_tbl")
})

counted_patients <- function(session, table) {
  dp_tbl(session, table, dp_unit(id = patient), hospital_domain()) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
}

test_that("changes before the charge cost nothing", {
  local_verbs()
  connection <- local_spark(TRUE)
  session <- dp_session(dp_epsilon(1))
  gone <- counted_patients(session, stays_on(connection, name = "gone"))
  spark_run(connection, "DROP TABLE gone")
  expect_error(release(gone, epsilon = 0.25), "has no table", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

# Tests that inspect Spark's files and processes run only with the tests' own Spark.
test_own_spark <- function(does, test) {
  if (!nzchar(Sys.getenv("PSILENCE_SPARK_MASTER"))) {
    test_that(does, {
      test()
    })
  }
}

test_own_spark("a failure after the charge reveals nothing", function() {
  local_verbs()
  connection <- local_spark(TRUE)
  session <- dp_session(dp_epsilon(1))
  emptied <- counted_patients(session, stays_on(connection, name = "emptied"))
  facts <- DBI::dbGetQuery(connection, "DESCRIBE TABLE EXTENDED emptied")
  folder <- sub("^file:", "", facts$data_type[facts$col_name == "Location"])
  for (file in list.files(folder, "[.]parquet$", full.names = TRUE)) writeLines("of nobody", file)
  said <- testthat::capture_output(
    error <- expect_error(release(emptied, epsilon = 0.25), class = "dp_error_backend"),
    print = TRUE
  )
  kept <- testthat::capture_messages(said_by <- capture.output(sparklyr::spark_last_error()))
  shown <- c(said, conditionMessage(error), format(unclass(error)), kept, said_by) |>
    paste(collapse = " ")
  expect_no_match(shown, "parquet|nobody|FAILED_READ|SELECT '0")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_own_spark("losing one of two executors changes no integer, or releases nothing", function() {
  local_verbs()
  folder <- normalizePath(withr::local_tempdir(tmpdir = "/tmp"))
  connection <- open_spark(folder, local_spark_cluster(folder), cluster_settings)
  withr::defer(sparklyr::spark_disconnect(connection))
  spark_run(connection, paste(
    "CREATE TABLE many USING parquet AS",
    "SELECT id % 20000 AS who, CAST(id % 7 AS INT) AS days FROM range(0, 400000, 1, 4)"
  ))
  session <- dp_session(dp_epsilon(1e14))
  query <- dp_tbl(session, dplyr::tbl(connection, "many"), dp_unit(id = who),
    dp_domain(days = dp_int(0, 6))
  ) |>
    dp_truncate(max_rows = 50) |>
    summarise(n = dp_count(), people = dp_n_ids(), days = dp_sum(days))
  killer <- start_killer(folder)
  released <- tryCatch(release(query, epsilon = 1e13), dp_error_backend = function(error) NULL)
  killer$wait(60000)
  expect_true(file.exists(file.path(folder, "killed")))
  if (!is.null(released)) {
    expect_equal(
      vapply(as.data.frame(released), as.double, 0),
      c(n = 4e5, people = 20000, days = sum((0:399999) %% 7)),
      tolerance = 1e-9
    )
  }
  expect_equal(dp_spent(session)[["epsilon"]], 1e13)
})

test_that("Spark classifies cells and invalid text like the data frame", {
  local_verbs()
  connection <- local_spark(TRUE)
  rows <- data.frame(
    n = c(1, 5.4, 5.5, -0.5, NA, 9, -9, 3), g = c("a", "b", "c", "", NA, "?", "a", "A"),
    code = c("1", "01", "002", "2", "3", "", NA, "x"),
    day = as.Date("2026-01-01") + c(0, 1, 400, -1, NA, -2, 5, 5)
  )
  schema <- dp_schema(
    n = dp_int(0, 5, na = -9), g = dp_levels("a", "b", na = "?"), code = dp_levels(1:2),
    day = dp_date("2026-01-01", "2026-12-31", na = as.Date("2025-12-30"))
  )
  classes <- function(source, schema) {
    table <- dp_tbl(dp_session(dp_epsilon(1e7)), source, dp_unit(rows = 1), schema)
    lapply(unclass(dp_check(table, epsilon = 1e6))[cell_classes], round)
  }
  cells <- stays_on(connection, rows, "cells")
  expect_identical(classes(cells, schema), classes(rows, schema))
  spark_run(connection, paste(
    "CREATE TABLE bytes USING parquet AS SELECT CAST(X'5AFF' AS STRING) AS g",
    "UNION ALL SELECT 'N' AS g"
  ))
  found <- classes(dplyr::tbl(connection, "bytes"), dp_schema(g = dp_levels("N")))
  expect_equal(c(found$fits, found$undecodable), c(1, 1))
})

test_that("Spark reads date-times without a zone as their days", {
  local_verbs()
  connection <- local_spark(TRUE)
  spark_run(connection, paste(
    "CREATE TABLE moments USING parquet AS SELECT",
    "CAST('2026-01-01 23:59:59' AS TIMESTAMP_NTZ) AS x UNION ALL",
    "SELECT CAST('2026-01-02 00:00:00' AS TIMESTAMP_NTZ)"
  ))
  table <- dp_tbl(dp_session(dp_epsilon(1e7)), dplyr::tbl(connection, "moments"),
    dp_unit(rows = 1), dp_schema(x = dp_date("2026-01-01", "2026-01-02"))
  )
  expect_equal(round(release(count(table, x), epsilon = 1e6)$n), c(1, 1))
})

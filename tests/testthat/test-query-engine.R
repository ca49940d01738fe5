server <- local_postgres(env = testthat::teardown_env())

# A missing engine fails the test.
engines <- list(
  PostgreSQL = function(env) local_connection(server, env),
  DuckDB = function(env) local_duckdb(env)
)

for (engine in names(engines)) test_engine(engine, engines[[engine]])

test_each <- function(does, test) {
  for (engine in names(engines)) {
    test_engine(engine, engines[[engine]], stats::setNames(list(test), does))
  }
}

test_each("keeps caps under quoted names, in a different schema", function(connection) {
  DBI::dbExecute(connection, "CREATE SCHEMA \"o'clinic\"")
  DBI::dbExecute(connection, paste(
    "CREATE TABLE \"o'clinic\".\"a\\b\"", "(\"who is\" bigint, \"k\"\"y\" varchar)"
  ))
  DBI::dbExecute(connection, paste(
    "INSERT INTO \"o'clinic\".\"a\\b\" SELECT i % 10, chr((97 + i % 3)::integer)",
    "FROM generate_series(1, 300) AS s(i)"
  ))
  source <- dplyr::tbl(connection, dbplyr::in_schema("o'clinic", "a\\b"))
  domain <- structure(
    list(`k"y` = unclass(dp_domain(k = dp_text()))[[1]]), class = class(dp_domain(k = dp_text()))
  )
  released <- dp_tbl(plenty(), source, dp_unit(id = `who is`), domain) |>
    dp_truncate(max_rows = 2) |>
    summarise(n = dp_count(), people = dp_n_ids()) |>
    exact_release()
  expect_equal(released$n, 20)
  expect_equal(released$people, 10)
})

test_each("reads UTF-8 names in a locale without their letters", function(connection) {
  DBI::dbExecute(connection, enc2utf8("CREATE TABLE \"caf\u00e9\" (\"na\u00efve\" integer)"))
  DBI::dbExecute(connection, enc2utf8("INSERT INTO \"caf\u00e9\" VALUES (3), (4)"))
  number <- dp_domain(x = dp_int(0, 9))
  domain <- structure(list(unclass(number)[[1]]), names = "na\u00efve", class = class(number))
  in_c <- function(code) withr::with_locale(c(LC_CTYPE = "C"), code)
  for (execute in c("push", "stream")) {
    table <- in_c(dp_tbl(plenty(), dplyr::tbl(connection, "caf\u00e9"),
      dp_unit(rows = 1), domain,
      execute = execute
    ))
    # R cannot make symbols from letters that its locale lacks.
    query <- summarise(table, x = dp_sum(!!as.name("na\u00efve")))
    released <- in_c(exact_release(query))
    expect_equal(released$x, 7)
  }
})

test_each("multiplies no reals, which may underflow: rows are read if allowed",
  function(connection) {
    data <- hospital()
    data$cost[c(1, 5)] <- c(NaN, -Inf)
    session <- plenty()
    squared <- function(source, ...) {
      dp_tbl(session, source, dp_unit(id = patient), hospital_domain(), ...) |>
        mutate(squared = cost * cost / 1000) |>
        dp_truncate(max_rows = 100) |>
        group_by(ward) |>
        summarise(squared = dp_sum(squared))
    }
    stays <- stays_on(connection, data)
    expect_error(release(squared(stays, rows = "stay"), epsilon = 1), "of reals",
      class = "dp_error_unsupported"
    )
    expect_equal(dp_spent(session)[["epsilon"]], 0)
    expect_error(show_query(squared(stays, rows = "stay")), "of reals")
    expect_output(show_query(squared(stays)), "the declared columns are read into R")
    for (source in list(squared(stays), squared(stays, execute = "stream"))) {
      expect_equal(as.data.frame(exact_release(source)),
        as.data.frame(exact_release(squared(data))),
        tolerance = 1e-9, ignore_attr = TRUE
      )
    }
  }
)

test_each("streams hostile values like a data frame", function(connection) {
  domain <- dp_domain(
    kind = dp_levels("x", "X", "x ", "\"", "\\'", "\u00e9", "\U1F600", ""),
    size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5), paid = dp_flag(),
    day = dp_date(as.Date("1960-01-01"), as.Date("2030-01-01"))
  )
  released <- function(source, ...) {
    dp_tbl(plenty(), source, dp_unit(id = who), domain, ...) |>
      dp_truncate(max_rows = 1000) |>
      group_by(kind) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), size = dp_sum(size), cost = dp_sum(cost),
        paid = dp_sum(paid), none = dp_n_missing(cost), days = dp_n_missing(day)
      ) |>
      exact_release() |>
      without_noise()
  }
  withr::local_seed(20261123)
  for (rows in c(1, 40, 400)) {
    data <- hostile_rows(rows)
    table <- stays_on(connection, data, "hostile")
    expect_equal(released(table, execute = "stream"), released(data), tolerance = 1e-6, info = rows)
  }
})

test_each("streams one snapshot, and 64-bit integers", function(connection) {
  DBI::dbExecute(connection, paste(
    "CREATE TABLE wide AS SELECT CAST(9007199254740992 + i AS bigint) AS who, 1 AS one",
    "FROM generate_series(1, 200000) AS s(i)"
  ))
  table <- dp_tbl(plenty(), dplyr::tbl(connection, "wide"), dp_unit(id = who),
    dp_domain(one = dp_int(0, 1)),
    execute = "stream"
  )
  people <- dp_truncate(table, max_rows = 1) |>
    summarise(people = dp_n_ids()) |>
    exact_release()
  expect_equal(people$people, 200000)
  expect_output(show_query(table), "engine: ")
})

test_that("DuckDB's rows arrive as Arrow batches, or in chunks if its driver has none", {
  local_verbs()
  connection <- local_duckdb()
  DBI::dbExecute(connection, paste(
    "CREATE TABLE odd AS SELECT * FROM (VALUES (CAST(-2147483648 AS INTEGER),",
    "CAST(-128 AS TINYINT), 1.25::DECIMAL(9,2), DATE '0001-01-01', 'a'),",
    "(7, 3, NULL, 'infinity', 'a' || chr(0)), (7, NULL, -99.5, '2026-03-01', ''),",
    "(NULL, 1, 1, NULL, 'a')) AS v (who, size, price, day, name)"
  ))
  released <- function(execute) {
    domain <- dp_domain(
      size = dp_int(-5, 5), price = dp_num(-10, 10), name = dp_levels("a", ""),
      day = dp_date(as.Date("0001-01-01"), as.Date("2030-01-01"))
    )
    dp_tbl(plenty(), dplyr::tbl(connection, "odd"), dp_unit(id = who), domain,
      execute = execute
    ) |>
      dp_truncate(max_rows = 9) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), size = dp_sum(size), price = dp_sum(price),
        names = dp_n_missing(name), days = dp_n_missing(day)
      ) |>
      exact_release() |>
      as.data.frame()
  }
  expected <- released("push")
  expect_equal(unlist(expected),
    c(n = 3, people = 2, size = -2, price = -8.75, names = 1, days = 1),
    tolerance = 1e-6
  )
  with_batches <- function() {
    local_replaced("open_chunks", function(...) stop("no chunks"))
    released("stream")
  }
  expect_equal(with_batches(), expected, tolerance = 1e-6)
  without_batches <- function() {
    local_replaced("gives_batches", function(connection) FALSE)
    released("stream")
  }
  expect_equal(without_batches(), expected, tolerance = 1e-6)
  # Strings of a type that the core does not read.
  DBI::dbExecute(connection, "SET produce_arrow_string_view = true")
  expect_equal(released("stream"), expected, tolerance = 1e-6)
})

test_that("writes during PostgreSQL's stream are not part of it", {
  local_verbs()
  connection <- local_connection(server)
  DBI::dbExecute(connection,
    "CREATE TABLE moving AS SELECT 1 AS one FROM generate_series(1, 300000)"
  )
  moving <- dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, "moving"), dp_unit(rows = 1),
    dp_domain(one = dp_int(0, 9)),
    execute = "stream"
  )
  chunks <- core_hidden(parts_of(moving)$rows)$open()
  seen <- unclass(chunks$`next`()$one)
  expect_gt(length(seen), 0)
  expect_lt(length(seen), 300000)
  on_server(server, "UPDATE moving SET one = 2")
  while (!is.null(chunk <- chunks$`next`())) seen <- c(seen, unclass(chunk$one))
  chunks$close()
  ones <- core_text_of_integer64(structure(seen, class = "integer64"))
  expect_identical(ones, rep("1", 300000))
})

test_each("reveals nothing when it fails, and the charge stays", function(connection) {
  session <- dp_session(dp_epsilon(1))
  source <- stays_on(connection)
  on_postgresql <- inherits(connection, "PqConnection")
  # One row of a view makes PostgreSQL fail.
  if (on_postgresql) {
    DBI::dbExecute(connection, paste(
      "CREATE VIEW failing AS SELECT patient, ward, cost, urgent, admitted,",
      "days / (CASE WHEN patient = 'p7' THEN 0 ELSE 1 END) AS days FROM stays"
    ))
    withr::defer(DBI::dbExecute(connection, "DROP VIEW failing"))
    source <- dplyr::tbl(connection, "failing")
  }
  query <- dp_tbl(session, source, dp_unit(id = patient), hospital_domain()) |>
    dp_truncate(max_rows = 1) |>
    summarise(days = dp_sum(days))
  run <- raw_release
  local_replaced("raw_release", function(...) {
    if (!on_postgresql) DBI::dbExecute(connection, "DROP TABLE stays")
    run(...)
  })
  said <- testthat::capture_output(
    error <- expect_error(release(query, epsilon = 0.25), class = "dp_error_backend"),
    print = TRUE
  )
  shown <- paste(said, conditionMessage(error), paste(format(unclass(error)), collapse = " "))
  expect_no_match(shown, "stays\"|relation|SELECT|Catalog|division")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("PostgreSQL's permanent views are read, and its foreign tables are rejected", {
  local_verbs()
  connection <- local_connection(server)
  stays_on(connection)
  DBI::dbExecute(connection, "CREATE VIEW kept AS SELECT patient, days FROM stays")
  DBI::dbExecute(connection, "CREATE EXTENSION file_fdw")
  DBI::dbExecute(connection, "CREATE SERVER files FOREIGN DATA WRAPPER file_fdw")
  DBI::dbExecute(connection, paste(
    "CREATE FOREIGN TABLE outside (patient text, days integer) SERVER files",
    "OPTIONS (filename '/nowhere')"
  ))
  bound <- function(name) {
    dp_tbl(plenty(), dplyr::tbl(connection, name), dp_unit(rows = 1),
      dp_domain(days = dp_int(0, 60))
    )
  }
  expect_error(bound("outside"), "not a plain table or view", class = "dp_error_source")
  kept <- exact_release(summarise(bound("kept"), n = dp_count()))
  expect_equal(kept$n, nrow(hospital()))
})

test_that("DuckDB views are rejected, because they may stop at a file's line and show it", {
  local_verbs()
  connection <- local_duckdb()
  file <- withr::local_tempfile(fileext = ".csv", lines = c("age", 1:9))
  DBI::dbExecute(connection, paste0("CREATE VIEW lines AS FROM read_csv('", file, "')"))
  DBI::dbExecute(connection, "CREATE TABLE parts (age BIGINT, half AS (age // 2))")
  DBI::dbExecute(connection, paste0("CREATE TABLE \"Copied\" AS FROM read_csv('", file, "')"))
  bound <- function(path) {
    dp_tbl(plenty(), dplyr::tbl(connection, path), dp_unit(rows = 1),
      dp_domain(age = dp_int(0, 99))
    )
  }
  expect_error(bound("lines"), "not a plain table", class = "dp_error_source")
  expect_error(bound(dbplyr::in_schema("main", "LINES")), "not a plain table")
  expect_error(bound("parts"), "not a plain table", class = "dp_error_source")
  copied <- exact_release(summarise(bound("copied"), age = dp_sum(age)))
  expect_equal(copied$age, 45)
})

test_that("paths are parsed as SQL does", {
  path <- function(text) path_parts(structure(text, class = "dbplyr_table_path"))
  expect_identical(path("`a.b`.`c``d`"), c("a.b", "c`d"))
  expect_identical(path("\"a\"\"b\""), "a\"b")
  expect_identical(path("Clinic.visits_2"), c("clinic", "visits_2"))
  for (bad in c("", "a b", "a.", ".a", "\"a", "a;b", "read_csv('x')", "a\nb", "a.b.")) {
    expect_null(path(bad), info = bad)
  }
})

test_that("an unknown engine is named", {
  local_verbs()
  table <- dbplyr::tbl_lazy(data.frame(age = 1), con = dbplyr::simulate_mysql())
  expect_error(
    dp_tbl(dp_session(dp_epsilon(1)), table, dp_unit(rows = 1), dp_domain(age = dp_int(0, 9))),
    class = "dp_error"
  )
})

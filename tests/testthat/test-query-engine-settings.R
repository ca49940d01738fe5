server <- local_postgres("-c client_min_messages=error", env = testthat::teardown_env())

# Expected parts, computed once, because many settings are tried on the same data.
expected_parts <- local({
  last <- list(data = NULL, parts = NULL)
  function(data) {
    if (!identical(last$data, data)) last <<- list(data = data, parts = released_parts(data))
    last$parts
  }
})

expect_same_parts <- function(connection, data, what, name = "hostile") {
  expected <- expected_parts(data)
  for (execute in c("push", "stream")) {
    found <- released_parts(dplyr::tbl(connection, name), execute = execute)
    expect_equal(found, expected, tolerance = 1e-6, ignore_attr = TRUE,
      info = paste(what, execute)
    )
  }
}

test_that("PostgreSQL finds a qualified table on any search path", {
  local_verbs()
  data <- hostile_data()
  owner <- local_connection(server)
  stays_on(owner, data, "hostile")
  for (setting in c("search_path = ''", "search_path = 'pg_catalog, public'")) {
    connection <- server$connect()
    DBI::dbExecute(connection, paste("SET", setting))
    expect_same_parts(connection, data, setting, dbplyr::in_schema("public", "hostile"))
    DBI::dbDisconnect(connection)
  }
})

# Wrong functions, operators, types and tables, in a schema that precedes PostgreSQL's own.
false_friends <- function(connection) {
  made <- function(name, from, to, body) {
    paste0("CREATE FUNCTION lies.", name, "(", from, ") RETURNS ", to,
      " LANGUAGE sql IMMUTABLE AS $$ SELECT ", body, " $$"
    )
  }
  operator <- function(name, of, to, body) {
    function_name <- paste0("o", sum(utf8ToInt(name)), "_", gsub("[^a-z0-9]", "", of))
    c(
      made(function_name, paste0(of, ", ", of), to, body),
      paste0("CREATE OPERATOR lies.", name, " (LEFTARG = ", of, ", RIGHTARG = ", of,
        ", FUNCTION = lies.", function_name, ")"
      )
    )
  }
  compared <- unlist(lapply(c("<", "<=", ">", ">=", "="), function(name) {
    lapply(c("bigint", "integer", "float8", "date", "text", "oid", "name", "\"char\""),
      function(of) operator(name, of, "boolean", "true")
    )
  }))
  statements <- c(
    "CREATE SCHEMA lies",
    made("octet_length", "text", "integer", "1"), made("sha256", "bytea", "bytea", "$1"),
    made("encode", "bytea, text", "text", "'00'"), made("lower", "text", "text", "'same'"),
    made("convert_to", "text, name", "bytea", "'\\x00'::bytea"),
    made("to_char", "timestamptz, text", "text", "'same'"),
    made("format_type", "oid, integer", "text", "'text'"),
    made("set_config", "text, text, boolean", "text", "'same'"),
    made("current_setting", "text, boolean", "text", "'yes'"),
    compared, operator("||", "text", "text", "'same'"), operator("+", "bigint", "bigint", "1"),
    operator("*", "bigint", "bigint", "1"), operator("-", "float8", "float8", "1"),
    made("add", "bigint, bigint", "bigint", "77"),
    "CREATE AGGREGATE lies.sum(bigint) (SFUNC = lies.add, STYPE = bigint, INITCOND = '9')",
    "CREATE AGGREGATE lies.count(bigint) (SFUNC = lies.add, STYPE = bigint, INITCOND = '9')",
    "CREATE DOMAIN lies.text AS pg_catalog.text CHECK (false)",
    "CREATE DOMAIN lies.float8 AS pg_catalog.float8 CHECK (false)",
    paste("CREATE VIEW lies.pg_class AS SELECT oid, relname, relnamespace,",
      "'t' AS relpersistence, 'f' AS relkind FROM pg_catalog.pg_class"
    ),
    paste("CREATE VIEW lies.pg_settings AS SELECT name, 'x' AS setting",
      "FROM pg_catalog.pg_settings WHERE false"
    ),
    "CREATE VIEW lies.pg_attribute AS SELECT attname, attrelid FROM pg_catalog.pg_attribute"
  )
  for (sql in statements) DBI::dbExecute(connection, sql)
}

test_that("objects before PostgreSQL's own names on the search path are not used", {
  local_verbs()
  data <- hostile_data()
  connection <- local_connection(server)
  stays_on(connection, data, "hostile")
  false_friends(connection)
  withr::defer(on_server(server, "DROP SCHEMA lies CASCADE"))
  for (path in c("lies, public, pg_catalog", "public, lies, pg_catalog", "public, lies")) {
    DBI::dbExecute(connection, paste("SET search_path =", path))
    expect_same_parts(connection, data, path)
  }
  expect_error(DBI::dbGetQuery(connection, "SELECT 'a'::lies.text"), "check")
})

test_that("PostgreSQL compares people and groups by bytes in any collation", {
  local_verbs()
  connection <- local_connection(server)
  data <- hostile_data()
  stays_on(connection, data, "hostile")
  DBI::dbExecute(connection, "CREATE EXTENSION citext")
  DBI::dbExecute(connection, paste(
    "CREATE COLLATION merging (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
  ))
  merged <- function(sql) as.integer(DBI::dbGetQuery(connection, sql)[[1]])
  for (type in c("citext", "text COLLATE merging", "varchar COLLATE merging")) {
    DBI::dbExecute(connection, paste0(
      "ALTER TABLE hostile ALTER COLUMN who TYPE ", type, ", ALTER COLUMN kind TYPE ", type
    ))
    found <- merged("SELECT count(DISTINCT who) FROM hostile")
    expect_lt(found, length(unique(stats::na.omit(data$who))))
    expect_same_parts(connection, data, type)
  }
})

test_that("a type with the name of citext, or of a PostgreSQL type, is not read", {
  local_verbs()
  connection <- local_connection(server)
  DBI::dbExecute(connection, "CREATE SCHEMA other")
  withr::defer(on_server(server, "DROP SCHEMA other CASCADE"))
  for (name in c("citext", "text", "uuid", "date", "bigint")) {
    DBI::dbExecute(connection, sprintf("CREATE DOMAIN other.\"%s\" AS pg_catalog.text", name))
    DBI::dbExecute(connection, sprintf("CREATE TABLE other.t (x other.\"%s\")", name))
    for (path in c("public", "other, pg_catalog")) {
      DBI::dbExecute(connection, paste("SET search_path =", path))
      expect_error(
        dp_tbl(dp_session(dp_epsilon(1)), dplyr::tbl(connection, dbplyr::in_schema("other", "t")),
          dp_unit(rows = 1), dp_domain(x = dp_text())
        ),
        "which its declaration does not read",
        class = "dp_error_source"
      )
    }
    DBI::dbExecute(connection, "DROP TABLE other.t")
  }
})

test_that("DuckDB's macros cannot replace its functions", {
  local_verbs()
  data <- hostile_data(5)
  count <- function(source, session, ...) {
    dp_tbl(session, source, dp_unit(id = who), hostile_domain(), ...) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count())
  }
  for (macro in c("sha256(x)", "SUM(x)", "\"+\"(a, b)", "\"||\"(a, b)", "lower(x)", "count(x)",
    "duckdb_functions()", "duckdb_tables()")) {
    connection <- local_duckdb()
    source <- stays_on(connection, data, "hostile")
    session <- dp_session(dp_epsilon(1))
    early <- list(
      count(source, session), count(source, session, execute = "push"),
      count(source, session, execute = "stream")
    )
    body <- if (grepl("duckdb", macro)) "TABLE SELECT 1 AS one" else "1"
    DBI::dbExecute(connection, paste("CREATE MACRO", macro, "AS", body))
    expect_error(count(source, session), "A macro hides DuckDB's function",
      class = "dp_error_source", info = macro
    )
    for (query in early) {
      expect_error(release(query, epsilon = 0.25), "A macro", class = "dp_error_source",
        info = macro
      )
    }
    expect_equal(dp_spent(session)[["epsilon"]], 0)
  }
  # A macro with a new name does no harm.
  connection <- local_duckdb()
  source <- stays_on(connection, data, "hostile")
  DBI::dbExecute(connection, "CREATE MACRO my_own(x) AS x + 1")
  counted <- exact_release(count(source, plenty()))
  expect_equal(counted$n, length(unique(stats::na.omit(data$who))))
})

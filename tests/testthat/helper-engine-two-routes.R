# Tests of results of engines that count and whose rows R can also read.

both_routes <- c("push", "stream")

engine_test("keeps caps under quoted names in a schema", both_routes, function(connection, it) {
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

engine_test("reads UTF-8 names in a plain C locale", both_routes, function(connection, it) {
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

engine_test("multiplies no reals: rows are read if allowed", both_routes, function(connection, it) {
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
})

engine_test("streams hostile values like a data frame", both_routes, function(connection, it) {
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

engine_test("streams one snapshot, and 64-bit integers", both_routes, function(connection, it) {
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

engine_test("reveals nothing if it fails", both_routes, function(connection, it) {
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

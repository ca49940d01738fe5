server <- local_postgres("-c client_min_messages=error", env = testthat::teardown_env())

# Fixed-width columns only, with values that words could misread.
wide_rows <- function(rows) {
  pick <- function(from) sample(from, rows, replace = TRUE)
  data.frame(
    who = pick(c("NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "7", "8")),
    size = pick(c("NULL", "-2147483648", "2147483647", "0", "1", "-2")),
    cost = pick(c("NULL", "'NaN'", "'Infinity'", "'-Infinity'", "'-0'", "4.94e-324", "0.1", "2.5")),
    paid = pick(c("NULL", "true", "false")),
    day = pick(c("NULL", "'infinity'", "'0044-03-15 BC'", "'1969-12-31'", "'2026-11-24'"))
  )
}

wide_table <- function(connection, rows, name = "wide", schema = "public") {
  DBI::dbExecute(connection, sprintf("DROP TABLE IF EXISTS %s.\"%s\" CASCADE", schema, name))
  DBI::dbExecute(connection, sprintf(
    "CREATE TABLE %s.\"%s\" (who bigint, size integer, cost float8, paid boolean, day date)",
    schema, name
  ))
  cells <- do.call(paste, c(unclass(rows), sep = ", "))
  if (length(cells) > 0) {
    DBI::dbExecute(connection, sprintf("INSERT INTO %s.\"%s\" VALUES %s", schema, name,
      toString(paste0("(", cells, ")"))
    ))
  }
  dplyr::tbl(connection, dbplyr::in_schema(schema, name))
}

wide_counts <- function(source, ...) {
  domain <- dp_domain(
    size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5), paid = dp_flag(),
    day = dp_date(as.Date("1960-01-01"), as.Date("2030-01-01"))
  )
  dp_tbl(plenty(), source, dp_unit(id = who), domain, ...) |>
    mutate(late = day > as.Date("2000-01-01")) |>
    dp_truncate(max_rows = 1000) |>
    group_by(paid) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), size = dp_sum(size), cost = dp_sum(cost),
      none = dp_n_missing(cost), late = dp_sum(late), days = dp_n_missing(late)
    ) |>
    exact_release() |>
    without_noise()
}

# Whether rows arrived as words, together with the counts.
streamed_words <- function(source) {
  came <- 0
  of_words <- rows_of_words
  local_replaced("rows_of_words", function(...) {
    came <<- came + 1
    of_words(...)
  })
  list(counts = wide_counts(source, execute = "stream"), chunks = came)
}

test_that("words hold the engine's counts for every value, page by page", {
  local_verbs()
  connection <- local_connection(server)
  withr::local_seed(20261124)
  local_replaced("pages_of_words", function(columns) 2)
  for (rows in c(0, 1, 3000)) {
    source <- wide_table(connection, wide_rows(rows))
    if (rows > 1) DBI::dbExecute(connection, "DELETE FROM wide WHERE size = 1 AND who = 7")
    streamed <- streamed_words(source)
    if (rows > 1) expect_gt(streamed$chunks, 5)
    expect_gt(streamed$chunks, 0)
    expect_equal(streamed$counts, wide_counts(source, execute = "push"),
      tolerance = 1e-6, info = rows
    )
    local({
      local_replaced("open_words", function(...) NULL)
      cells <- streamed_words(source)
      expect_equal(cells$chunks, 0)
      expect_equal(streamed$counts, cells$counts, tolerance = 1e-6, info = rows)
    })
  }
})

test_that("a table with other types is read cell by cell", {
  local_verbs()
  connection <- local_connection(server)
  withr::local_seed(20261124)
  rows <- wide_rows(200)
  counts <- wide_counts(wide_table(connection, rows), execute = "push")
  parent <- wide_table(connection, rows[1:80, ], "parent")
  wide_table(connection, rows[81:200, ], "child")
  DBI::dbExecute(connection, "ALTER TABLE child INHERIT parent")
  streamed <- streamed_words(parent)
  expect_equal(streamed$chunks, 0)
  expect_equal(streamed$counts, counts, tolerance = 1e-6)
  text <- wide_table(connection, rows, "text")
  DBI::dbExecute(connection, "ALTER TABLE text ALTER COLUMN who TYPE text")
  streamed <- streamed_words(text)
  expect_equal(streamed$chunks, 0)
  expect_gt(sum(streamed$counts$n), 0)
})

test_that("names are written as quoted names in the statement", {
  local_verbs()
  connection <- local_connection(server)
  withr::local_seed(20261124)
  rows <- wide_rows(50)
  counts <- wide_counts(wide_table(connection, rows), execute = "push")
  DBI::dbExecute(connection, "CREATE SCHEMA chunk")
  named <- wide_table(connection, rows, "o'\\chunk", schema = "chunk")
  streamed <- streamed_words(named)
  expect_equal(streamed$chunks, 1)
  expect_equal(streamed$counts, counts, tolerance = 1e-6)
})

# Values that string_agg() and bytes would drop or concatenate wrongly.
test_that("wrongly built words are detected", {
  local_verbs()
  connection <- local_connection(server)
  withr::local_seed(20261124)
  source <- wide_table(connection, wide_rows(500))
  counts <- wide_counts(source, execute = "push")
  make <- words_sql
  mutants <- list(
    "a missing value has no word" = c(", CAST('NaN' AS float8)", ""),
    "a missing integer is 0" = c("'-9223372036854775808'", "'0'"),
    "an infinite date is one" = c("DATE '9999-12-31'", "DATE 'infinity'"),
    "the first row of pages is left out" = c("ctid >=", "ctid > CAST('(0,1)' AS tid) AND ctid >="),
    "pages are read twice" = c("ctid >=", "ctid IS NOT NULL OR ctid >=")
  )
  local_replaced("pages_of_words", function(columns) 2)
  for (name in names(mutants)) {
    local_replaced("words_sql", function(...) {
      gsub(mutants[[name]][[1]], mutants[[name]][[2]], make(...), fixed = TRUE)
    })
    counted <- tryCatch(wide_counts(source, execute = "stream"), dp_error_backend = identity)
    expect_false(isTRUE(all.equal(counted, counts, tolerance = 1e-6)), info = name)
  }
})

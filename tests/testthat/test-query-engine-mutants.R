server <- local_postgres("-c client_min_messages=error", env = testthat::teardown_env())

# Engines whose texts would merge people if they were not compared as bytes.
merging_postgresql <- function(env = parent.frame()) {
  connection <- local_connection(server, env)
  DBI::dbExecute(connection, paste(
    "CREATE COLLATION IF NOT EXISTS merging",
    "(provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
  ))
  connection
}

merging_duckdb <- function(env = parent.frame()) {
  connection <- local_duckdb(env)
  DBI::dbExecute(connection, "SET default_collation = 'nocase'")
  connection
}

counted_in <- function(connection, data) {
  source <- stays_on(connection, data, "counted")
  if (inherits(connection, "PqConnection")) {
    DBI::dbExecute(connection, paste(
      "ALTER TABLE counted ALTER COLUMN who TYPE text COLLATE merging,",
      "ALTER COLUMN kind TYPE text COLLATE merging"
    ))
  }
  source
}

test_that("PostgreSQL and DuckDB choose and count the rows that the salt says", {
  local_verbs()
  withr::local_seed(20261125)
  for (connection in list(merging_postgresql(), merging_duckdb())) {
    for (people in c(0, 1, 20, 90)) {
      data <- counted_rows(people)
      counted <- engine_counts(counted_in(connection, data))
      expect_identical(counted$rows, reference_counts(data, counted$salt), info = people)
    }
  }
})

# Each is a way to write the statement wrongly: a pattern, and what takes its place.
gsub_perl <- function(pattern, replacement) {
  function(sql) gsub(pattern, replacement, sql, perl = TRUE)
}

real <- "CAST\\('[^']*' AS [A-Za-z0-9]+\\)"

mutants <- list(
  "the bounds of whole numbers are not held" = function(sql) {
    sql <- gsub_perl("CASE WHEN \"size\" <.*? ELSE CAST\\(\"size\" AS BIGINT\\) END",
      "CAST(\"size\" AS BIGINT)"
    )(sql)
    gsub_perl("CASE WHEN (c\\d+) <= -3 THEN.*? END", "\\1")(sql)
  },
  "the upper bound of reals is not held" = gsub_perl(
    paste0("WHEN -c\\d+ <= ", real, " THEN CAST\\(1407374883553280 AS BIGINT\\) "), ""
  ),
  "what is above the upper bound is so by >=, as NaN is" = gsub_perl(
    "WHEN -(CAST\\(\"cost\" AS [A-Za-z0-9]+\\)) <= -(CAST)", "WHEN \\1 >= \\2"
  ),
  "bounds are held by LEAST and GREATEST" = gsub_perl(
    paste0("CASE WHEN (CAST\\(\"cost\" AS [A-Za-z0-9]+\\)) <= ", real, " .*? END AS"),
    "LEAST(GREATEST(\\1, -2.5), 2.5) AS"
  ),
  "points of the lattice are rounded by FLOOR" = gsub_perl(
    paste0("CAST\\(\\((c\\d+ \\* ", real, ") \\+ ", real, "\\) - ", real, " AS BIGINT\\)"),
    "CAST(FLOOR(\\1 + 0.5) AS BIGINT)"
  ),
  "the cap on groups is one more" = gsub_perl("WHEN (c\\d+) <= 2 AND", "WHEN \\1 <= 3 AND"),
  "the cap on rows is one less" = gsub_perl("AND (c\\d+) <= 2 THEN TRUE", "AND \\1 <= 1 THEN TRUE"),
  "the caps are not kept" = gsub_perl("WHEN c\\d+ <= 2 AND c\\d+ <= 2 THEN", "WHEN TRUE THEN"),
  "groups are ranked by RANK" = gsub_perl("dense_rank\\(\\)", "rank()"),
  "rows are ranked by RANK" = gsub_perl("row_number\\(\\)", "rank()"),
  "groups are in the order of their keys" = gsub_perl(
    "(PARTITION BY c\\d+) ORDER BY c\\d+ ASC NULLS LAST, ", "\\1 ORDER BY "
  ),
  "rows are in the order of their values" = gsub_perl(
    "(PARTITION BY c\\d+, c\\d+) ORDER BY c\\d+ ASC NULLS LAST, ", "\\1 ORDER BY "
  ),
  "rows are in no order" = gsub_perl(
    "(PARTITION BY c\\d+, c\\d+) ORDER BY c\\d+ ASC NULLS LAST, c\\d+ ASC[^)]*", "\\1"
  ),
  "rows are in random order" = gsub_perl(
    "(PARTITION BY c\\d+, c\\d+) ORDER BY c\\d+ ASC NULLS LAST, c\\d+ ASC[^)]*",
    "\\1 ORDER BY random()"
  ),
  "rows are ranked among all people" = gsub_perl("PARTITION BY c\\d+, (c\\d+)", "PARTITION BY \\1"),
  "people are counted by their rows" = gsub_perl(
    "COUNT\\(CASE WHEN (c\\d+) = 1 THEN 1 END\\)", "COUNT(\\1)"
  ),
  "values are counted more than once" = gsub_perl("COUNT\\(DISTINCT ", "COUNT("),
  "a missing value is hashed as an empty one" = gsub_perl("'(~|\\\\x7E)'", "''"),
  "who has no id is a person" = gsub_perl(
    "CASE WHEN c0 IS NOT NULL THEN TRUE ELSE FALSE END", "TRUE"
  ),
  "who is in no group is counted" = gsub_perl(
    "CASE WHEN c1 IS NOT NULL THEN TRUE ELSE FALSE END", "TRUE"
  ),
  "a condition is left out" = gsub_perl(
    "CASE WHEN \\(CAST\\(-3 AS BIGINT\\) < c\\d+\\) THEN TRUE ELSE FALSE END", "TRUE"
  ),
  "the hash has no id" = gsub_perl(
    "\\|\\| \\([^|]*octet_length\\(c\\d+\\)[^|]*\\|\\| [^|]* \\|\\| c\\d+\\) (?=\\|\\| \\()", ""
  ),
  "the hash has no lengths" = gsub_perl(
    "\\(\\(?(encode\\()?CAST\\(octet_length\\(c\\d+\\)[^|]*\\|\\| [^|]* \\|\\| (c\\d+)\\)", "\\2"
  ),
  "the hash has another salt" = function(sql) {
    salt <- regmatches(sql, regexpr("sha256\\([^']*'[^']{32,}'", sql, perl = TRUE))
    salt <- sub("^[^']*", "", salt)
    gsub(salt, "'0'", sql, fixed = TRUE)
  },
  "texts are compared by their collation" = function(sql) {
    sql <- gsub("(CAST(\"who\" AS text) COLLATE \"C\")", "\"who\"", sql, fixed = TRUE)
    gsub("encode(\"who\")", "encode(lower(\"who\"))", sql, fixed = TRUE)
  },
  "sums are of doubles" = gsub_perl("SUM\\((c\\d+)\\)", "SUM(CAST(\\1 AS DOUBLE PRECISION))"),
  "a count is of what is there" = gsub_perl(
    "CAST\\(COUNT\\(\\*\\) AS ([A-Za-z]+)\\) AS v1", "CAST(COUNT(c3) AS \\1) AS v1"
  )
)

# The only one that no value of DuckDB shows: there nothing underflows with a failure.
half_step <- gsub_perl(
  paste0("WHEN (c\\d+) >= ", real, " AND \\1 <= ", real, " THEN CAST\\(0 AS BIGINT\\) "), ""
)

expect_caught <- function(source, data, name, mutate, fails = FALSE) {
  counted <- engine_counts(source, mutate)
  expect_true(counted$changed, info = name)
  # One that the engine did not take would show nothing.
  if (!fails) expect_true(is.matrix(counted$rows), info = name)
  expect_false(identical(counted$rows, reference_counts(data, counted$salt)), info = name)
}

test_that("every mutant of PostgreSQL's statement counts otherwise", {
  local_verbs()
  withr::local_seed(20261126)
  connection <- merging_postgresql()
  data <- counted_rows()
  source <- counted_in(connection, data)
  for (name in names(mutants)) expect_caught(source, data, name, mutants[[name]])
  expect_caught(source, data, "no step of a half", half_step, fails = TRUE)
})

test_that("every mutant of DuckDB's statement counts otherwise", {
  local_verbs()
  withr::local_seed(20261126)
  connection <- merging_duckdb()
  data <- counted_rows()
  source <- counted_in(connection, data)
  for (name in names(mutants)) expect_caught(source, data, name, mutants[[name]])
})

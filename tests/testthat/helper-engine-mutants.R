# Mutants of counted_query()'s statement, each a pattern and its replacement. Tests must notice
# each.

gsub_perl <- function(pattern, replacement) {
  function(sql) gsub(pattern, replacement, sql, perl = TRUE)
}

real <- "CAST\\('[^']*' AS [A-Za-z0-9]+\\)"

statement_mutants <- list(
  "the bounds of whole numbers are not held" = function(sql) {
    sql <- gsub_perl("CASE WHEN ([\"`]size[\"`]) >= .*? END", "CAST(\\1 AS BIGINT)")(sql)
    gsub_perl("CASE WHEN (c\\d+) > -3 AND .*? END", "\\1")(sql)
  },
  "the upper bound of reals is not held" = gsub_perl(
    paste0("WHEN -c\\d+ <= ", real, " THEN CAST\\(1407374883553280 AS BIGINT\\) "), ""
  ),
  "what is above the upper bound is so by >=, as NaN is" = gsub_perl(
    "WHEN -(c\\d+) <= CAST\\('-2\\.5'", "WHEN \\1 >= CAST('2.5'"
  ),
  "bounds are held by LEAST and GREATEST" = gsub_perl(
    "(CAST\\([\"`]cost[\"`] AS [A-Za-z0-9]+\\)) AS", "LEAST(GREATEST(\\1, -2.5), 2.5) AS"
  ),
  "points of the lattice are rounded by FLOOR" = gsub_perl(
    paste0(
      "(?i:cast|try_cast)\\(\\((c\\d+ \\* ", real, ") \\+ ", real, "\\) - ", real,
      " AS BIGINT\\)"
    ),
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
    "CAST\\(COUNT\\(\\*\\) AS ([A-Za-z]+)\\) AS v1", "CAST(COUNT(c4) AS \\1) AS v1"
  )
)

# Mutants that need different words for Spark. Spark rejects ranks of unordered rows, so that mutant
# fails with an error.
spark_mutants <- utils::modifyList(statement_mutants, list(
  "rows are in no order" = NULL,
  "a missing value is hashed as an empty one" = gsub_perl("X'7E'", "X''"),
  "the hash has no id" = gsub_perl(paste0(
    "concat\\(CAST\\(CAST\\(octet_length\\((c\\d+)\\) AS STRING\\) AS BINARY\\), X'3A', \\1\\), ",
    "(?=concat)"
  ), ""),
  "the hash has no lengths" = gsub_perl(
    "concat\\(CAST\\(CAST\\(octet_length\\(c\\d+\\) AS STRING\\) AS BINARY\\), X'3A', (c\\d+)\\)",
    "\\1"
  ),
  "the hash has another salt" = gsub_perl("sha2\\(concat\\(X'[0-9A-F]{32,}'", "sha2(concat(X'00'"),
  "texts are compared by their collation" = gsub_perl(
    "CAST\\(`who` AS BINARY\\)", "CAST(lower(`who`) AS BINARY)"
  ),
  "sums are of doubles" = gsub_perl(
    paste0(
      "concat\\(CAST\\(COALESCE\\(SUM\\(shiftright\\((c\\d+), 26\\)\\), 0\\) AS STRING\\), ',', ",
      "CAST\\(COALESCE\\(SUM\\(\\1 & 67108863\\), 0\\) AS STRING\\)\\)"
    ),
    "concat('0,', CAST(CAST(SUM(CAST(\\1 AS DOUBLE)) AS DECIMAL(38,0)) AS STRING))"
  )
))

# Each release has a new salt that chooses the rows. Doubles can add up some choices correctly, but
# not eight of them.
most_releases <- 8

expect_caught <- function(source, data, name, mutate, fails = FALSE) {
  caught <- FALSE
  releases <- 0
  while (!caught && releases < most_releases) {
    counted <- engine_counts(source, mutate)
    expect_true(counted$changed, info = name)
    # A statement that the engine rejects would show nothing.
    if (!fails) expect_true(is.matrix(counted$rows), info = name)
    caught <- !identical(counted$rows, reference_counts(data, counted$salt))
    releases <- releases + 1
  }
  expect_true(caught, info = name)
}

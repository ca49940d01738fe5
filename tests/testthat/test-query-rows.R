# Data frames of all kinds, through a compiled query. The loss is so large that the noise is 0, so
# releases equal the kernel's counts.

query_column <- function(name, type, ...) list(name = name, type = type, ...)
column_ref <- function(name) list(op = "column", name = name)
query_aggregate <- function(name, fun, of = NULL, ...) {
  list(name = name, fun = fun, of = of, weight = 1, method = "automatic", ...)
}

frame_query <- function(columns, by, aggregates, unit = list(kind = "rows", id = NULL, count = 1L),
                        steps = list()) {
  list(
    source = list(columns = columns, unit = unit),
    steps = steps,
    by = by,
    keys = list(kind = "declared", table = NULL, weight = 1),
    aggregates = aggregates,
    outputs = lapply(aggregates, function(a) list(name = a$name, value = column_ref(a$name)))
  )
}

exact_release <- function(query, data) {
  measurement <- core_query_compile(query, list(epsilon = 1e6), 0.05)$measurement
  value <- core_invoke(measurement, data)
  stats::setNames(value[[2]], vapply(query$outputs, function(o) o$name, ""))
}

wards <- query_column("ward", "levels", levels = c("A", "B"))
stays <- query_column("days", "integer", lower = 0, upper = 10)

count_and_sum <- function(data, column = stays) {
  query <- frame_query(
    list(wards, column), "ward",
    list(query_aggregate("n", "count"), query_aggregate("total", "sum", column_ref("days")))
  )
  exact_release(query, data)
}

expected <- list(n = c(2, 1), total = c(11, 4))

test_that("a frame gives the same counts however its columns are stored", {
  ward <- c("A", "B", "A", "C")
  days <- c(1, 4, 40, 2)
  kept <- list(
    data.frame(ward = ward, days = days),
    data.frame(ward = factor(ward), days = as.integer(days)),
    data.frame(ward = factor(ward, levels = c("C", "B", "x", "A"), ordered = TRUE), days = days)
  )
  for (data in kept) expect_equal(count_and_sum(data), expected)
  wide <- kept[[1]]
  wide$days <- structure(c(1, 4, 40, 2) * 2^-1074,
    class = "integer64"
  )
  expect_equal(count_and_sum(wide), expected)
  labelled <- kept[[1]]
  labelled$days <- structure(days, class = c("haven_labelled", "vctrs_vctr", "double"))
  labelled$ward <- structure(ward, class = c("haven_labelled", "vctrs_vctr", "character"))
  expect_equal(count_and_sum(labelled), expected)
  class(labelled) <- c("tbl_df", "tbl", "data.frame")
  expect_equal(count_and_sum(labelled), expected)
  class(labelled) <- c("data.table", "data.frame")
  expect_equal(count_and_sum(labelled), expected)
})

test_that("rows without a key are dropped, and missing values are not summed", {
  data <- data.frame(ward = c("A", NA, "A", "B", "B"), days = c(1, 2, NaN, NA, -Inf))
  expect_equal(count_and_sum(data), list(n = c(2, 2), total = c(1, 0)))
  data <- data.frame(ward = c("A", "\xff", "B"), days = 1)
  expect_equal(count_and_sum(data)$n, c(1, 1))
})

test_that("text in Latin 1 and in UTF-8 is one text", {
  utf8 <- "\u00e9"
  latin <- iconv(utf8, "UTF-8", "latin1")
  columns <- list(query_column("word", "levels", levels = c(utf8, "e")))
  query <- frame_query(columns, "word", list(query_aggregate("n", "count")))
  expect_equal(exact_release(query, data.frame(word = c(utf8, latin, "e")))$n, c(2, 1))
})

test_that("dates are days, however they are stored", {
  columns <- list(query_column("day", "date", lower = 0, upper = 20000))
  year <- list(op = "year", args = list(column_ref("day")))
  query <- frame_query(columns, character(), list(
    query_aggregate("years", "sum", year, bounds = c(1970, 2100))
  ))
  days <- as.Date(c("1970-03-01", "2020-02-29"))
  expect_equal(exact_release(query, data.frame(day = days))$years, 1970 + 2020)
  whole <- structure(as.integer(days), class = "Date")
  expect_equal(exact_release(query, data.frame(day = whole))$years, 1970 + 2020)
})

test_that("each person keeps as many rows as the cap allows, whatever the ids are", {
  columns <- list(wards, stays)
  cap <- list(step = "truncate", by = character(), rows = 2L, groups = NULL, rows_per_group = NULL,
    keep = "last", order = column_ref("days"))
  data <- data.frame(ward = c("A", "A", "A", "B", "A"), days = c(1, 2, 3, 9, 5))
  ids <- list(
    c(1L, 1L, 1L, 2L, NA), c(0.5, 0.5, 0.5, 1e300, NA), c("p", "p", "p", "q", NA),
    factor(c("p", "p", "p", "q", NA)), as.Date(c(1, 1, 1, 2, NA), origin = "1970-01-01")
  )
  for (id in ids) {
    query <- frame_query(columns, "ward",
      list(query_aggregate("n", "count"), query_aggregate("total", "sum", column_ref("days")),
        query_aggregate("people", "ids")),
      unit = list(kind = "id", id = "person", count = 1L), steps = list(cap)
    )
    data$person <- id
    expect_equal(exact_release(query, data), list(n = c(2, 1), total = c(5, 9), people = c(1, 1)))
  }
})

test_that("a column that cannot be read as declared raises an error that names it", {
  data <- data.frame(ward = "A", days = 1)
  refused <- function(data) {
    expect_error(count_and_sum(data), "days", class = "dp_error_source")
  }
  refused(data["ward"])
  refused(data.frame(ward = "A", days = "1"))
  refused(data.frame(ward = "A", days = as.POSIXct(0, origin = "1970-01-01")))
  refused(data.frame(ward = "A", days = I(list(1))))
  refused(data.frame(ward = "A", days = I(matrix(1))))
  refused(data.frame(ward = "A", days = as.Date(1, origin = "1970-01-01")))
  refused(stats::setNames(data.frame("A", 1, 2), c("ward", "days", "days")))
  expect_error(count_and_sum(list(ward = "A", days = 1)), class = "dp_error_source")
})

test_that("a vector that changes between reads is read once", {
  later <- fickle(c(1, 4, 40), c(7, 7, 7), after = 3)
  data <- data.frame(ward = c("A", "B", "A"))
  data[["days"]] <- later
  # The first answer, whose 40 is out of bounds, or the second, but never a mixture.
  found <- count_and_sum(data)
  expect_identical(found$n, c(2, 1))
  expect_true(list(found$total) %in% list(c(11, 4), c(14, 7)))
})

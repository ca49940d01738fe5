test_that("replaced pairs differ in one row, stay in the bounds and reach both", {
  pairs <- unclass(dp_neighbours(c(-2, 7), n = 5))
  expect_gte(length(pairs), 10)
  for (pair in pairs) {
    expect_identical(lengths(pair$data), c(5L, 5L))
    expect_identical(sum(pair$data[[1]] != pair$data[[2]]), 1L)
  }
  all <- unlist(lapply(pairs, `[[`, "data"))
  expect_identical(range(all), c(-2, 7))
  expect_false(anyNA(all))
})

test_that("declared tables have the declared types, levels and missing values", {
  schema <- dp_schema(a = dp_int(0, 9), b = dp_num(0, 1), c = dp_flag(), d = dp_levels("u", "v"),
    e = dp_date("2020-01-01", "2020-12-31")
  )
  pairs <- unclass(dp_neighbours(schema, "add_remove", n = 3))
  for (pair in pairs) {
    expect_identical(nrow(pair$data[[2]]), nrow(pair$data[[1]]) + 1L)
    types <- vapply(pair$data[[2]], function(column) class(column)[[1]], "")
    expect_identical(unname(types), c("integer", "numeric", "logical", "character", "Date"))
  }
  missing <- vapply(pairs, function(pair) anyNA(pair$data[[2]]), NA)
  expect_true(any(missing))
})

test_that("people have all of their rows in one dataset, up to the cap and beyond it", {
  local_verbs()
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(id = id), dp_domain(x = dp_int(0, 9)))
  pairs <- unclass(dp_neighbours(count(dp_truncate(table, max_rows = 3))))
  rows <- vapply(pairs, function(pair) {
    expect_length(setdiff(pair$data[[2]]$id, pair$data[[1]]$id), 1)
    nrow(pair$data[[2]]) - nrow(pair$data[[1]])
  }, 0L)
  expect_setequal(rows, c(1, 3, 6))
})

test_that("every statistic has neighbours, or says that it needs yours", {
  # These have no declared values.
  without <- character()
  for (form in statistic_examples()) {
    pairs <- tryCatch(dp_neighbours(form$statistic, n = 3), dp_error_invalid_argument = identity)
    if (inherits(pairs, "error")) {
      expect_match(conditionMessage(pairs), "give `neighbours")
      without <- c(without, class(form$statistic)[[1]])
      next
    }
    plan <- plan_in(form$statistic)
    used <- unname(columns_used(plan))
    for (pair in unclass(pairs)) expect_identical(names(pair$data[[1]]), used)
  }
  expect_lt(length(without), length(statistic_examples()) / 3)
})

test_that("pairs print, combine and are checked", {
  pairs <- dp_neighbours(c(0, 1), n = 4)
  shown <- format(pairs)
  expect_match(shown[[1]], "11 pairs: one replaced row")
  expect_length(shown, 12)
  joined <- c(pairs[1:2], list(mine = list(1, 2)))
  expect_s3_class(joined, "dp_neighbours")
  expect_length(joined, 3)
  expect_match(format(joined)[[4]], "mine")
  expect_error(dp_neighbours(c(1, 0)), class = "dp_error_invalid_argument")
  expect_error(dp_neighbours(c(0, 1), "swap"), class = "dp_error_invalid_argument")
  expect_refused(dp_neighbours(dp_schema(x = dp_int(0, 1)), "unit"), "id")
  expect_error(dp_neighbours(), class = "dp_error_invalid_argument")
})

refusal <- function(data, variable = "x") {
  tryCatch(mean_of(variable = variable, n = 2)$release(data), error = identity)
}

test_that("D_R_2 plain columns of three types are taken from any data frame", {
  columns <- list(c(1, 0), c(1L, 0L), c(TRUE, FALSE))
  for (column in columns) {
    data <- data.frame(x = column)
    expect_equal(exact_mean(data, rng = c(0, 1)), 0.5, tolerance = 1e-6)
    class(data) <- c("tbl_df", "tbl", "data.frame")
    expect_equal(exact_mean(data, rng = c(0, 1)), 0.5, tolerance = 1e-6)
  }
  expect_equal(exact_mean(data.frame(x = structure(c(1, 0), names = c("a", "b"))), rng = c(0, 1)),
    0.5,
    tolerance = 1e-6
  )
})

test_that("D_DOM_4 everything else is one error, the same for all", {
  column <- function(x) data.frame(x = I(x), stringsAsFactors = FALSE)
  bad <- list(
    NULL, 3, list(x = 1:2), matrix(1:2, dimnames = list(NULL, "x")), data.frame(),
    data.frame(y = 1:2),
    data.frame(x = c("1", "2")), data.frame(x = factor(1:2)), data.frame(x = Sys.Date() + 0:1),
    data.frame(x = Sys.time() + 0:1), data.frame(x = as.difftime(1:2, units = "hours")),
    data.frame(x = c(1i, 2i)),
    data.frame(x = as.raw(1:2)), column(1:2), column(list(1, 2)),
    data.frame(x = 1:2, x = 3:4, check.names = FALSE), data.frame(xy = 1:2)
  )
  with_column <- function(x) structure(list(x = x), class = "data.frame", row.names = 1:2)
  bad <- c(bad, list(
    with_column(matrix(1:4, 2)), with_column(structure(c(1, 2), class = "integer64"))
  ))
  errors <- lapply(bad, refusal)
  for (error in errors) {
    expect_s3_class(error, "dp_error_invalid_argument")
    expect_identical(unclass(error), unclass(errors[[1]]))
  }
  expect_null(conditionCall(errors[[1]]))
})

statistics_with <- function(n_check) {
  lapply(names(valid_arguments), build_with, argument = "n_check", value = n_check)
}

# Rows 1 to `rows` of each of the columns that the statistics of `valid_arguments` take.
rows_of_all <- function(statistic, rows) {
  texts <- statistic$varType %in% c("character", "factor")
  data.frame(x = if (texts) rep_len(c("a", "b"), rows) else seq_len(rows) / 20, y = rep(0.5, rows))
}

test_that("D_DOM_4 data of another number of rows are one error, which tells no number", {
  errors <- unlist(recursive = FALSE, lapply(statistics_with("refuse"), function(statistic) {
    lapply(c(0, 1, 9, 11, 200), function(rows) {
      error <- tryCatch(statistic$release(rows_of_all(statistic, rows)), error = identity)
      expect_null(statistic$result)
      error
    })
  }))
  for (error in errors) {
    expect_s3_class(error, "dp_error_rows")
    expect_identical(unclass(error), unclass(errors[[1]]))
  }
  expect_no_match(conditionMessage(errors[[1]]), "[0-9]")
  expect_identical(errors[[1]]$argument, "data")
})

test_that("a plan that resizes takes any number of rows, at the same loss", {
  Map(function(refuses, resizes) {
    expect_identical(refuses$n_check, "refuse")
    expect_identical(resizes$n_check, "resize")
    expect_identical(reported_loss(resizes), reported_loss(refuses))
    for (rows in c(9, 10, 11)) {
      expect_s3_class(resizes$release(rows_of_all(resizes, rows)), "dp_result")
    }
    expect_s3_class(refuses$release(rows_of_all(refuses, 10)), "dp_result")
    expect_match(format(resizes), "n_check +resize", all = FALSE)
    expect_no_match(format(refuses), "n_check")
  }, statistics_with("refuse"), statistics_with("resize"))
})

test_that("a frame whose columns have different lengths has not `n` rows", {
  statistic <- build_with("dpCovariance", character(), NULL)
  data <- structure(list(x = 1:10 / 10, y = 1:9 / 10), class = "data.frame", row.names = 1:10)
  expect_error(statistic$release(data), class = "dp_error_rows")
})

test_that("where rows may be added or removed their number is not looked at", {
  arguments <- c(valid_arguments$dpSampleAndAggregate, list(scheme = "labels"))
  for (n_check in c("refuse", "resize")) {
    statistic <- do.call(dpSampleAndAggregate, c(arguments, n_check = n_check))
    expect_null(statistic$n_check)
    for (rows in c(0, 5, 10, 15)) {
      expect_s3_class(statistic$release(rows_of_all(statistic, rows)), "dp_result")
    }
  }
})

test_that("D_R_2 a name is exact, never a part of one", {
  data <- data.frame(age = c(1, 1), age2 = c(0, 0))
  expect_s3_class(refusal(data, "ag"), "dp_error_invalid_argument")
  expect_equal(exact_mean(data, variable = "age", rng = c(0, 1)), 1, tolerance = 1e-6)
})

test_that("D_R_1 data are evaluated once", {
  count <- 0
  data <- function() {
    count <<- count + 1
    data.frame(x = c(1, 2))
  }
  mean_of(variable = "x", n = 2)$release(data())
  expect_equal(count, 1)
})

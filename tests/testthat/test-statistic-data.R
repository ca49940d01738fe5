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

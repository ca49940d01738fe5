# The quick expectations of helper-expectations.R fail whenever testthat's do.

test_that("true expectations pass, and false ones fail", {
  expect_success(expect_identical(1L, 1L))
  expect_success(expect_equal(1, 1 + 1e-12))
  expect_success(expect_true(c(a = TRUE)))
  expect_success(expect_false(FALSE))
  expect_failure(expect_identical(1L, 1), "not identical")
  expect_failure(expect_identical(c(a = 1), 1), "not identical")
  expect_failure(expect_equal(1, 1.1), "not equal")
  expect_failure(expect_equal(1, 1.1, tolerance = 1e-3), "not equal")
  for (value in list(FALSE, NA, 1, "TRUE", c(TRUE, TRUE), logical(), NULL)) {
    expect_failure(expect_true(value), "is not TRUE")
  }
  for (value in list(TRUE, NA, 0, "FALSE", c(FALSE, FALSE), logical(), NULL)) {
    expect_failure(expect_false(value), "is not FALSE")
  }
})

test_that("a tolerance at least as large as the expected value raises an error", {
  expect_error(expect_equal(2e-9, 1e-9), "no less than what is expected")
  expect_error(expect_equal(list(1, c(a = 2)), list(1, c(a = 1)), tolerance = 1), "no less than")
  expect_error(expect_equal(matrix(2e-9), matrix(1e-9)), "no less than")
  expect_error(expect_equal(c(a = 1, b = 0), c(a = 1, b = 1e-9)), "no less than")
  # It does not matter whether both numbers are equal.
  expect_error(expect_equal(1e-9, 1e-9), "no less than what is expected")
  expect_error(expect_equal(list(1, 1e-9), list(1, 1e-9)), "no less than")
  expect_success(expect_equal(c(1e-9, 1), c(0, 1)))
  expect_failure(expect_equal(1.1e-9, 1e-9, tolerance = 1e-10), "not equal")
})

test_that("a value is computed once and labelled by its expression", {
  drawn <- 0
  draw <- function() {
    drawn <<- drawn + 1
    drawn
  }
  expect_failure(expect_identical(draw(), 2), "draw() (`actual`) not identical", fixed = TRUE)
  expect_failure(expect_true(draw() > 5), "draw() > 5 is not TRUE", fixed = TRUE)
  expect_identical(drawn, 2)
  expect_failure(expect_true(draw() > 5, label = "the draw"), "the draw is not TRUE")
  expect_failure(expect_error(draw()), "draw() did not throw", fixed = TRUE)
  expect_identical(drawn, 4)
})

test_that("only an error with the expected class and text passes", {
  # testthat does not turn unexpected errors into failures: they propagate.
  passes <- function(expectation) {
    passed <- FALSE
    tryCatch(
      withCallingHandlers(expectation, expectation_success = function(success) passed <<- TRUE),
      error = function(error) passed <<- FALSE
    )
    passed
  }
  fails <- function() stop_argument("a number", "a text", "x", NULL)
  class <- "dp_error_invalid_argument"
  expect_true(passes(expect_error(fails())))
  expect_true(passes(expect_error(fails(), "a number")))
  expect_true(passes(expect_error(fails(), "a number", class = class)))
  expect_true(passes(expect_error(fails(), "A NUMBER", ignore.case = TRUE)))
  expect_true(passes(expect_error(1, NA)))
  expect_s3_class(expect_error(fails(), class = class), class)
  expect_false(passes(expect_error(1)))
  expect_false(passes(expect_error(1, class = class)))
  expect_false(passes(expect_error(fails(), "a date")))
  expect_false(passes(expect_error(fails(), "a.number", fixed = TRUE)))
  expect_false(passes(expect_error(fails(), "a number", class = "dp_error_ledger")))
  expect_false(passes(expect_error(fails(), "a date", class = class)))
  expect_false(passes(expect_error(fails(), NA)))
})

test_that("an exact release is an error if its noise is visible", {
  skip_if_not_installed("dplyr", "1.0.10")
  table <- dp_tbl(plenty(), data.frame(x = 1:9), dp_unit(rows = 1), dp_domain(x = dp_num(0, 9)))
  query <- dplyr::summarise(table,
    sum = dp_sum(x), mean = dp_mean(x), middle = dp_median(x, at = 0:9)
  )
  expect_equal(unlist(as.data.frame(exact_release(query))), c(sum = 45, mean = 5, middle = 5))
  expect_error(exact_release(query, epsilon = 1e9), "is visible")
  expect_error(exact_release(query, within = 1e-12, epsilon = 1e12), "is visible")
  expect_no_error(exact_release(query, within = 1e-3, epsilon = 1e9))
})

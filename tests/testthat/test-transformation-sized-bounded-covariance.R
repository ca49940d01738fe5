covariance <- function(size = 5, ...) make_sized_bounded_covariance(size, c(0, 10), c(0, 20), ...)

test_that("the covariance equals R's, for two vectors in a list or a data frame", {
  x <- c(1.5, 2, 9, 4.25, 7)
  y <- c(3, 20, 4, 0, 11)
  for (pairs in list(list(x, y), list(a = x, b = y), data.frame(x, y))) {
    expect_equal(covariance()(arg = pairs), stats::cov(x, y), tolerance = 1e-14)
  }
  expect_equal(covariance(ddof = 0)(arg = list(x, y)), stats::cov(x, y) * 4 / 5, tolerance = 1e-14)
  single <- make_sized_bounded_covariance(5, c(0, 10), c(0, 20), .S = "Sequential<f32>")
  expect_equal(single(arg = list(x, y)), stats::cov(x, y), tolerance = 1e-5)
})

test_that("other data raise errors that do not reveal their number", {
  for (arg in list(
    1, c(1, 2), list(), list(1), list(1, 2, 3), list(1, "a"), list(1L, 2L), NULL, "a",
    data.frame(x = 1), data.frame(x = 1, y = "a"), list(1, factor(1)), mean
  )) {
    expect_error(covariance()(arg = arg), class = "dp_error_failed_cast")
  }
  said <- function(n, m) conditionMessage(condition_of(covariance()(arg = list(n, m))))
  expect_identical(said(c(1, 2), 3), said(1, c(1, 2, 3)))
})

test_that("its function alone rejects data that are not pairs", {
  expect_error(transformation_function(covariance())(arg = 1), class = "dp_error_failed_cast")
})

test_that("one replaced pair moves it by at most the product of widths over n", {
  map <- covariance()(d_in = 2L)
  expect_gte(map, 10 * 20 * 4 / 5 / 4)
  expect_lte(map, 10 * 20 * 4 / 5 / 4 * (1 + 1e-12))
  expect_lte(covariance()(d_in = 1L), 1e-10)
})

test_that("invalid arguments raise errors", {
  expect_error(covariance(size = 0), class = "dp_error_make_transformation")
  expect_error(covariance(ddof = 5), class = "dp_error_make_transformation")
  swapped <- function(...) make_sized_bounded_covariance(5, ...)
  expect_error(swapped(c(1, 0), c(0, 1)), class = "dp_error_make_domain")
  expect_error(swapped(c(0, 1), c(1, 0)), class = "dp_error_make_domain")
  expect_error(swapped(c(NaN, 1), c(0, 1)), class = "dp_error_failed_function")
  expect_error(swapped(0:1, c(0, 1)), class = "dp_error")
  expect_error(swapped(c(0, 1), 0:1), class = "dp_error_failed_cast")
  expect_error(swapped(c(0, 1e200), c(0, 1e200)), class = "dp_error_overflow")
})

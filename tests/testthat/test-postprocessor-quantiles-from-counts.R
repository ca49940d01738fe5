test_that("bins determine the quantiles", {
  median_of <- function(...) make_quantiles_from_counts(c(0, 10, 20), 0.5, ...)
  expect_identical(median_of()(arg = c(1, 3)), 10 + 10 / 3)
  expect_identical(median_of("nearest")(arg = c(1, 3)), 10)
  # The open outer bins are ignored.
  expect_identical(median_of()(arg = c(1000, 1, 3, 5)), 10 + 10 / 3)
})

test_that("quantiles 0 and 1 are the outer edges", {
  ends <- make_quantiles_from_counts(c(0, 1, 2, 3), c(0, 1))
  expect_identical(ends(arg = c(1, 1, 1)), c(0, 3))
  expect_identical(ends(arg = c(0, 1, 1)), c(0, 3))
})

test_that("linear quantiles assume evenly spaced rows within bins", {
  alphas <- seq(0.05, 0.95, by = 0.05)
  rows <- c(seq(0, 1, length.out = 1e4), seq(1, 4, length.out = 2e4))
  read <- make_quantiles_from_counts(c(0, 1, 4), alphas)(arg = c(1e4, 2e4))
  expect_equal(read, stats::quantile(rows, alphas, names = FALSE), tolerance = 1e-3)
})

test_that("it can follow noise, and returns the type of the edges", {
  space <- rows_of("i32", l1_distance("i32"))
  read <- space |> then_laplace(0) |> then_quantiles_from_counts(c(0L, 10L, 50L), c(0.25, 0.9))
  expect_identical(read(arg = c(2L, 2L)), c(5L, 42L))
  expect_error(
    (space |> then_laplace(0) |> then_quantiles_from_counts(c(0, 10, 50), 0.5))(arg = c(2L, 2L)),
    class = "dp_error_failed_cast"
  )
  wide <- rows_of("i64", l1_distance("i64")) |> then_laplace(0)
  typed <- wide |> then_quantiles_from_counts(c(0L, 10L), 0.5, .TA = "i64")
  expect_identical(typed(arg = 4L), integer64_of("5"))
})

test_that("no alphas give no quantiles", {
  expect_identical(make_quantiles_from_counts(c(0, 1), numeric())(arg = 3), numeric())
})

test_that("invalid arguments and counts raise errors", {
  quantiles <- function(edges = c(0, 1, 2), alphas = 0.5, ...) {
    make_quantiles_from_counts(edges, alphas, ...)
  }
  for (edges in list(c(1, 0), c(1, 1), c(0, NaN), numeric())) {
    expect_error(quantiles(edges), class = "dp_error_make_transformation")
  }
  for (alphas in list(c(0.5, 0.1), c(0.5, 0.5), -0.1, 1.1, NaN)) {
    expect_error(quantiles(alphas = alphas), class = "dp_error_make_transformation")
  }
  counts <- c(3, 5)
  expect_identical(quantiles(alphas = -0)(arg = counts), quantiles(alphas = 0)(arg = counts))
  expect_error(quantiles(alphas = 1L), class = "dp_error_failed_cast")
  expect_error(quantiles(interpolation = "cubic"), class = "dp_error_ffi")
  expect_error(quantiles(interpolation = 1), class = "dp_error_invalid_argument")
  expect_error(quantiles("a"), class = "dp_error")
  expect_error(quantiles(alphas = 1L, .F = "i32"), class = "dp_error_type")
  for (counts in list(numeric(), 1, c(1, 2, 3), c(1, 2, 3, 4, 5))) {
    expect_error(quantiles()(arg = counts), class = "dp_error_failed_function")
  }
  expect_error(quantiles()(arg = 1:2), class = "dp_error_failed_cast")
})

sized <- function(n) bounded_rows(c(0, 10), size = n)

test_that("the variance equals R's", {
  rows <- c(1.5, 2, 9, 4.25, 7)
  expect_equal((sized(5) |> then_variance())(arg = rows), stats::var(rows), tolerance = 1e-15)
  population <- sized(5) |> then_variance(ddof = 0)
  expect_equal(population(arg = rows), stats::var(rows) * 4 / 5, tolerance = 1e-15)
})

test_that("a variance is at most a quarter of the squared width, times n / (n - ddof)", {
  halves <- sized(4) |> then_variance(ddof = 0L)
  expect_identical(halves(arg = c(0, 0, 10, 10)), 25)
  # Out-of-bounds rows, whose result would be unbounded, are outside the domain.
  expect_error(halves(arg = c(-100, -100, 100, 100)), class = "dp_error_failed_function")
})

test_that("the map is the map of the deviations over the degrees of freedom", {
  deviations <- sized(9) |> then_sum_of_squared_deviations()
  variance <- sized(9) |> then_variance(ddof = 4)
  expect_equal(variance(d_in = 2L), deviations(d_in = 2L) / 5, tolerance = 1e-14)
  expect_gte(variance(d_in = 2L), deviations(d_in = 2L) / 5)
})

test_that("ddof must be a nonnegative integer below the size", {
  expect_error(sized(5) |> then_variance(ddof = 5L), class = "dp_error_make_transformation")
  for (ddof in list(-1L, 0.5, NA, "1", NULL)) {
    expect_error(sized(5) |> then_variance(ddof = ddof), class = "dp_error_failed_cast")
  }
})

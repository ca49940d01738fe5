test_that("releases converge to the mean of the data as used", {
  data <- data.frame(
    x = c(-3, 2.25, 7, 19), y = c(0L, 3L, 4L, 100L), z = c(TRUE, TRUE, TRUE, FALSE)
  )
  near <- function(value, expected) expect_equal(value, expected, tolerance = 1e-6)
  near(exact_mean(data, rng = c(0, 10)), mean(c(0, 2.25, 7, 10)))
  near(exact_mean(data, rng = c(-1e6, 1e6)), mean(data$x))
  near(exact_mean(data, rng = c(0, 10), variable = "y", varType = "integer"), 4.25)
  near(exact_mean(data, rng = c(0.5, 9.5), variable = "y", varType = "integer"), 4.25)
  near(exact_mean(data, variable = "z", varType = "logical"), 0.75)
  near(exact_mean(data, variable = "y", varType = "logical"), 0.75)
  near(exact_mean(data.frame(x = c(-Inf, Inf)), rng = c(0, 4)), 2)
})

test_that("missing values of every kind are imputed from imputeRng", {
  data <- data.frame(x = c(NA, NaN, rep(NA, 998)))
  numeric <- exact_mean(data, imputeRng = c(50, 51))
  expect_true(numeric > 50 && numeric < 51)
  # Mean of 1000 uniform draws: standard deviation 0.0091.
  expect_equal(numeric, 50.5, tolerance = 6 * 0.0092 / 50)
  whole <- exact_mean(data, varType = "integer", imputeRng = c(3, 4))
  expect_equal(whole, 3.5, tolerance = 6 * 0.0159 / 3)
  bits <- exact_mean(data, varType = "logical")
  expect_equal(bits, 0.5, tolerance = 6 * 0.0159 / 0.5)
})

test_that("a plan that resizes enforces the declared n", {
  data <- data.frame(x = c(10, 10, 10, 10))
  resized <- function(...) exact_mean(..., n_check = "resize")
  # One row too few: the missing row is imputed, here with a known value.
  expect_equal(resized(data, n = 5, imputeRng = c(60, 60)), 20, tolerance = 1e-6)
  expect_equal(resized(data, n = 4), 10, tolerance = 1e-6)
  expect_equal(resized(data, n = 3), 10, tolerance = 1e-6)
  expect_equal(resized(data[0, , drop = FALSE], n = 3, imputeRng = c(7, 7)), 7, tolerance = 1e-6)

  # One row too many: one of them is dropped, each equally often.
  pairs <- exactly(mean_of(variable = "x", n = 2, epsilon = exact_epsilon, n_check = "resize"))
  kept <- replicate(600, pairs$release(data.frame(x = c(1, 2, 4)))$release * 2)
  dropped <- table(factor(round(7 - kept), levels = c(1, 2, 4)))
  expect_true(can_occur(dropped, 600, 1 / 3))
})

test_that("D_DOM_4 only the release depends on the number of rows", {
  statistic <- mean_of(variable = "x", n = 10, n_check = "resize")
  shape <- function(rows) {
    result <- statistic$release(data.frame(x = seq_len(rows) / 3))
    noisy <- c("release", "interval", "variance", "standardError", "populationInterval")
    result[noisy] <- lapply(result[noisy], lengths)
    result
  }
  expect_identical(shape(9), shape(10))
  expect_identical(shape(11), shape(10))
  expect_identical(shape(0), shape(10))
})

test_that("D_POST_1 values derived from a proportion stay within the possible range", {
  data <- data.frame(x = c(0, 1, 1, 1))
  statistic <- mean_of(variable = "x", varType = "logical", n = 4, epsilon = 0.001)
  for (i in 1:50) {
    result <- statistic$release(data)
    expect_type(result$stdDev, "double")
    expect_true(result$stdDev >= 0 && result$stdDev <= 0.5)
    expect_true(result$median %in% c(0, 1))
    expect_true(all(result$histogram >= 0))
    expect_equal(sum(result$histogram), 4)
    expect_equal(result$interval, result$release + c(-1, 1) * statistic$accuracy)
  }
})

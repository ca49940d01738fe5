test_that("an accuracy of one row or less is invalid for this mechanism", {
  expect_refused(stabilityGetEpsilon(2, 1), "accuracy")
})

# One replaced row is alone in at most two cells. Noise takes each to t + 1 with probability p^t /
# (1 + p), where p = exp(-epsilon / 2), and one of them with probability delta.
least_threshold <- function(epsilon, delta) {
  p <- exp(-epsilon / 2)
  1 + ceiling(log(-expm1(log1p(-delta) / 2) * (1 + p)) / log(p))
}

test_that("the threshold is the smallest for delta, and below the published one", {
  for (epsilon in c(0.01, 0.1, 1, 2.9)) {
    for (delta in c(1e-12, 1e-6, 0.01)) {
      statistic <- suppressWarnings(
        histogram_of(varType = "character", n = 50, epsilon = epsilon, delta = delta)
      )
      loss <- statistic$measurement(d_in = 1L)
      expect_lte(loss[[1]], epsilon)
      expect_lte(loss[[2]], delta)
      expect_equal(statistic$threshold, least_threshold(epsilon, delta))
      expect_lte(statistic$threshold, floor(1 + 2 * log(2 / delta) / epsilon) + 1)
    }
  }
})

test_that("a lone row survives as rarely as promised, and two lone rows set the threshold", {
  statistic <- suppressWarnings(
    histogram_of(varType = "character", variable = "x", n = 9, epsilon = 2, delta = 0.1)
  )
  data <- data.frame(x = c("a", rep("b", 8)))
  seen <- replicate(4000, "a" %in% names(statistic$release(data)$release))
  truth <- exp(-(statistic$threshold - 1)) / (1 + exp(-1))
  expect_true(can_occur(sum(seen), 4000, truth))
})

test_that("cells are a public grid, and released cells are large", {
  x <- c(rep(0.05, 400), rep(-0.05, 300), 77, rep(NA, 200))
  result <- exactly(histogram_of(
    variable = "x", n = length(x), binWidth = 0.1, epsilon = 5, delta = 1e-7
  ))$release(data.frame(x = x))
  expect_equal(names(result$release), c("NA", "[-0.1,0)", "[0,0.1)"))
  expect_true(all(abs(unlist(result$release) - c(200, 300, 400)) < 20))
  expect_true(all(unlist(result$release) > result$threshold - 1))
})

test_that("only the largest cells are released if their number is given", {
  x <- rep(1:4, c(500, 900, 300, 700))
  result <- histogram_of(variable = "x", n = length(x), nBins = 2, epsilon = 1)$release(
    data.frame(x = x)
  )
  expect_equal(names(result$release), c("[2,3)", "[4,5)"))
})

test_that("intervals of integer counts cover at least at their stated rate", {
  # The planted mistake is the scale of continuous noise, not rounded up.
  covers <- function(within, epsilon, alpha) {
    p <- exp(-epsilon / histogram_sensitivity)
    2 * p^(floor(within) + 1) / (1 + p) <= alpha
  }
  grid <- expand.grid(epsilon = seq(0.05, 2.95, by = 0.1), alpha = c(0.01, 0.05, 0.2))
  expect_true(all(covers(whole_accuracy(grid$epsilon, grid$alpha), grid$epsilon, grid$alpha)))
  continuous <- laplaceGetAccuracy(histogram_sensitivity, grid$epsilon, grid$alpha)
  expect_false(all(covers(continuous, grid$epsilon, grid$alpha)))

  result <- histogram_of(varType = "character", variable = "x", n = 5000, epsilon = 1)$release(
    data.frame(x = rep(c("a", "b"), c(2000, 3000)))
  )
  expect_equal(result$intervals[[2]] - result$intervals[[1]], c(12, 12))
})

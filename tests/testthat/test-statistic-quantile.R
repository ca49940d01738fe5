median_of <- function(...) {
  args <- list(varType = "integer", variable = "age", n = 10000, rng = c(0, 100), epsilon = 0.1)
  built(dpMedian, utils::modifyList(args, list(...)))
}

quantile_of <- function(...) {
  args <- list(
    varType = "numeric", variable = "x", n = 5, prob = 0.5, rng = c(0, 10), epsilon = 1,
    gridPoints = 11
  )
  built(dpQuantile, utils::modifyList(args, list(...)))
}

test_that("releases converge to the quantile", {
  data <- data.frame(x = c(1, 2, 2, 5, 9))
  exact <- function(prob) {
    exactly(quantile_of(prob = prob, epsilon = 1e6))$release(data)$release
  }
  expect_true(exact(0.5) %in% 2:4)
  expect_equal(exact(1), 9, tolerance = 0.12)
  expect_true(exact(0.7) %in% 3:5)
  expect_equal(exactly(median_of(epsilon = 1e6))$release(PUMS5extract10000)$release,
    stats::median(PUMS5extract10000$age))
})

test_that("the loss of the chain is the promised one", {
  for (prob in c(0, 0.1, 0.5, 1)) {
    chain <- quantile_of(prob = prob)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-12)
  }
})

test_that("the rank error stays within the accuracy", {
  statistic <- median_of(alpha = 0.2)
  ages <- PUMS5extract10000$age
  error <- function(value) {
    abs(sum(ages < value) - sum(ages > value)) / 2
  }
  least <- min(vapply(0:100, error, 0))
  misses <- replicate(400, error(statistic$release(PUMS5extract10000)$release) - least)
  expect_lte(sum(misses > statistic$accuracy), most_of(400, 0.2))
})

test_that("selection is at least as good as the exponential mechanism's, on the oracle's data", {
  row <- formula_rows("privateQuantileGridProbabilities")[[1]]
  expect_equal(row$args$z, c(1, 2, 2, 5, 9))
  statistic <- quantile_of()
  data <- data.frame(x = row$args$z)
  found <- replicate(3000, statistic$release(data)$release)
  expect_true(all(found %in% 0:10))
  # Rows below or above, in the proportion of alpha: ties count for neither side.
  scores <- vapply(0:10, function(t) {
    abs(sum(row$args$z < t) - sum(row$args$z > t)) / 2
  }, 0)
  weights <- exp(-scores / 2)
  expected <- sum(scores * weights) / sum(weights)
  scored <- scores[found + 1]
  expect_lt(mean(scored), expected + mean_reach(3000, stats::var(scored), diff(range(scores)) / 3))
})

test_that("for a median the tool of its own beats sample and aggregate by far", {
  arguments <- list(
    varType = "numeric", variable = "income", n = 10000, rng = c(0, 750000), epsilon = 0.1
  )
  blocks <- list(
    innerFun = "median", aggregationFun = "Mean", mechanism = "mechanismLaplace", numSubsets = 1000
  )
  error <- function(statistic) {
    off <- replicate(100, released(statistic)$release) - stats::median(PUMS5extract10000$income)
    sqrt(mean(off^2))
  }
  own <- error(do.call(dpMedian, arguments))
  # The grid has steps of 750, one of them at the median.
  expect_lt(own, 750)
  expect_gt(error(do.call(dpSampleAndAggregate, c(blocks, arguments))), 10 * own)
})

test_that("results and refusals", {
  result <- median_of()$release(PUMS5extract10000)
  expect_named(result, c("release", "variable", "accuracy", "epsilon"))
  expect_equal(median_of()$accuracy, 20 * log(101 / 0.05))
  expect_equal(median_of(epsilon = NULL, accuracy = 20 * log(101 / 0.05))$epsilon, 0.1)
  expect_refused(median_of(mechanism = "mechanismLaplace"), "mechanism")
  expect_refused(median_of(varType = "logical"), "varType")
  expect_refused(median_of(gridPoints = 1), "gridPoints")
  expect_refused(quantile_of(prob = 1.1), "prob")
  expect_length(quantile_of(varType = "integer", gridPoints = 101)$candidates, 11)
  expect_identical(dpMedian$new, dpMedian)
})

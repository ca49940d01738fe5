test_that("sizes, sensitivities and accuracy match the oracle", {
  for (row in formula_rows("sampleAndAggregateParams")) {
    statistic <- do.call(aggregate_of, row$args)
    expect_equal(
      c(
        statistic$subsetSize, statistic$innerFunSens, statistic$aggregationFunSens,
        statistic$accuracy
      ),
      row$value,
      tolerance = 1e-13
    )
  }
  for (row in formula_rows("partitionSizes")) {
    statistic <- aggregate_of(n = row$args$n, numSubsets = row$args$k)
    expect_equal(statistic$subsetSizes, row$value)
  }
})

test_that("D-38: fields of the general setting exist", {
  statistic <- aggregate_of(innerFun = "var")
  expect_equal(statistic$overlap, 1)
  expect_equal(statistic$noiseAccuracy, statistic$accuracy)
  expect_equal(statistic$outputRange, c(0, 1e4 * 1000 / (4 * 999)), tolerance = 1e-12)
  expect_equal(aggregate_of(innerFun = "median")$outputRange, c(0, 100))
  expect_equal(aggregate_of(innerFun = max, outputRange = c(-1, 1))$outputRange, c(-1, 1))
  expect_equal(aggregate_of(innerFun = max, outputRange = c(-1, 1))$innerFunSens, 2)
})

test_that("one block gives the statistic of all rows", {
  data <- PUMS5extract10000
  one <- function(inner, variable, ...) {
    exact_aggregate(data, innerFun = inner, numSubsets = 1, variable = variable, ...)
  }
  expect_equal(one("mean", "income", rng = c(0, 750000)),
    exact_mean(data, variable = "income", rng = c(0, 750000)),
    tolerance = 1e-6
  )
  expect_equal(one("mean", "age"), mean(data$age), tolerance = 1e-6)
  expect_equal(one("median", "age"), median(data$age), tolerance = 1e-6)
  expect_equal(one("var", "age"), var(data$age), tolerance = 1e-6)
  expect_equal(one("var", "age", varType = "integer"), var(data$age), tolerance = 1e-6)
  expect_equal(one("median", "age", varType = "integer"), median(data$age), tolerance = 1e-6)
})

test_that("means over blocks are means of block results, in doubles for every type", {
  data <- PUMS5extract10000
  for (type in c("numeric", "integer")) {
    expect_equal(exact_aggregate(data, variable = "age", varType = type), mean(data$age),
      tolerance = 1e-6
    )
  }
  share <- exact_aggregate(data, variable = "married", varType = "logical")
  expect_equal(share, mean(data$married), tolerance = 1e-6)
  # Block variances average to the variance, with a standard deviation of about 1.3.
  expect_equal(exact_aggregate(data, innerFun = "var", variable = "age"), var(data$age),
    tolerance = 0.03
  )
})

test_that("even blocks have medians between rows, even for integers", {
  data <- data.frame(x = 1:4)
  for (type in c("numeric", "integer")) {
    value <- exact_aggregate(data, innerFun = "median", numSubsets = 1, varType = type)
    expect_equal(value, 2.5, tolerance = 1e-6)
  }
})

test_that("each row is in exactly one block", {
  # Each block gives the share of rows from the first hundred, so the shares add up.
  data <- data.frame(x = as.double(1:1003))
  inner <- function(x) sum(x <= 100)
  for (k in c(1, 7, 500, 1003)) {
    value <- exact_aggregate(data,
      innerFun = inner, outputRange = c(0, 1003), numSubsets = k, rng = c(0, 2000)
    )
    expect_equal(value * k, 100, tolerance = 1e-6)
  }
})

test_that("D-40: a proportion has fields about all rows, not about blocks", {
  result <- aggregate_of(variable = "married", varType = "logical")$release(PUMS5extract10000)
  expect_named(result, c(
    "release", "variable", "accuracy", "epsilon", "interval", "stdDev", "median", "histogram"
  ))
  expect_equal(sum(result$histogram), 10000)
  others <- aggregate_of(variable = "married", varType = "logical", innerFun = "median")
  expect_named(others$release(PUMS5extract10000), c(
    "release", "variable", "accuracy", "epsilon", "interval"
  ))
})

test_that("derived numbers can be given if they are correct", {
  statistic <- aggregate_of(subsetSize = 1000, innerFunSens = 0.1, aggregationFunSens = 0.01)
  expect_equal(statistic$sens, 0.01)
  expect_refused(aggregate_of(subsetSize = 999), "subsetSize")
  expect_refused(aggregate_of(innerFunSens = 1), "innerFunSens")
  expect_refused(aggregate_of(aggregationFunSens = "a"), "aggregationFunSens")
})

test_that("only user functions take result ranges, and they need them", {
  expect_refused(aggregate_of(outputRange = c(0, 1)), "outputRange")
  for (range in list(NULL, 1, c(1, 0), c(0, 0), c(0, Inf), "a", c(NA, 1))) {
    expect_refused(do.call(aggregate_of, list(innerFun = max, outputRange = range)), "outputRange")
  }
})

test_that("there are at most as many blocks as rows, or half as many for variances", {
  expect_refused(aggregate_of(numSubsets = 10001), "numSubsets")
  expect_refused(aggregate_of(innerFun = "var", numSubsets = 5001), "numSubsets")
  expect_equal(aggregate_of(innerFun = "var", numSubsets = 5000)$subsetSize, 2)
})

test_that("a variance too wide for a double raises an error before any data are read", {
  expect_error(aggregate_of(innerFun = "var", rng = c(0, 1e200)), class = "dp_error")
})

test_that("a declared n is enforced", {
  data <- data.frame(x = rep(10, 57))
  resized <- function(data, ...) exact_aggregate(data, ..., n_check = "resize")
  value <- resized(data, n = 100, imputeRng = c(20, 20))
  expect_equal(value, (57 * 10 + 43 * 20) / 100, tolerance = 1e-6)
  expect_equal(resized(data, n = 50), 10, tolerance = 1e-6)
  expect_equal(resized(data[1:5, , drop = FALSE], n = 100, imputeRng = c(10, 10)), 10,
    tolerance = 1e-6
  )
})

# Blocks of one row each, whose numbers are the rows.
of_rows <- function(x, ..., epsilon = exact_epsilon) {
  statistic <- exactly(aggregate_of(
    innerFun = function(x) x[[1]], variable = "x", n = length(x), numSubsets = length(x),
    rng = c(0, 100), epsilon = epsilon, ...
  ))
  statistic$release(data.frame(x = as.double(x)))
}

in_range <- function(x, ...) of_rows(x, outputRange = c(0, 100), ...)

numbers <- c(0, 1, 20, 21, 22, 23, 24, 25, 90, 95)

test_that("with negligible noise each aggregator gives the statistic in its name", {
  expect_equal(in_range(numbers)$release, mean(numbers), tolerance = 1e-6)
  expect_equal(in_range(numbers, aggregationFun = "TrimmedMean", trim = 0.2)$release,
    mean(numbers, trim = 0.2),
    tolerance = 1e-6
  )
  median <- in_range(numbers, aggregationFun = "Median")
  expect_true(median$release >= 22 && median$release <= 23)
  upper <- in_range(numbers, aggregationFun = "Quantile", prob = 0.85)
  expect_true(upper$release >= 90 - 0.1 && upper$release <= 90.1)
  wide <- in_range(numbers, aggregationFun = "WinsorizedMean")
  # Four times k^(1/3 + 1/10) interquartile ranges on either side of their midpoint.
  expect_equal(as.double(wide$clampedTo), c(0, 22.5 + 5 * 4 * 10^(1 / 3 + 1 / 10)),
    tolerance = 0.02)
  expect_equal(wide$release, mean(pmin(numbers, wide$clampedTo[[2]])), tolerance = 1e-6)
  loose <- in_range(numbers, rangeMode = "loose")
  ends <- as.double(loose$clampedTo)
  expect_equal(ends, c(20, 25), tolerance = 0.02)
  expect_equal(loose$release, mean(pmin(pmax(numbers, ends[[1]]), ends[[2]])), tolerance = 1e-6)
})

test_that("the mode is the outcome of most blocks, and other values have no vote", {
  votes <- function(x, outcomes, inner) {
    exactly(aggregate_of(
      innerFun = inner, variable = "x", n = length(x), numSubsets = length(x), rng = c(0, 100),
      aggregationFun = "Mode", outcomes = outcomes, epsilon = exact_epsilon
    ))$release(data.frame(x = as.double(x)))$release
  }
  name <- function(x) if (x < 50) "low" else if (x < 90) "high" else stop("none")
  x <- c(1, 2, 3, 60, 60, 95, 95, 95, 95, 95)
  expect_equal(votes(x, c("low", "high"), name), "low")
  expect_equal(votes(rev(x), c("high", "low"), name), "low")
  expect_equal(votes(x, c(95, 60), function(x) x), 95)
})

test_that("D_SEN_1 a replaced row costs at most epsilon, and nearly attains it", {
  local_untried()
  for (options in aggregators_of_all_kinds()) {
    statistic <- do.call(tiny_aggregate, options)
    loss <- statistic$measurement(d_in = 1L)
    expect_lte(loss, 1)
    expect_gt(loss, 1 - 1e-6)
    expect_identical(statistic$measurement(d_in = 0L), 0)
  }
  # A sum of roundings. None rounds down.
  several <- aggregate_of(innerFun = range, outputRange = rbind(c(0, 1), c(0, 2), c(0, 3)))
  expect_lte(several$measurement(d_in = 1L), 1)
})

test_audits(block_audits())

test_that("the accuracy follows from the scale in the oracle", {
  for (row in formula_rows("sampleAggregateMeanScale")) {
    given <- row$args
    statistic <- aggregate_of(
      innerFun = max, outputRange = c(0, given$outputWidth), epsilon = given$epsilon,
      numSubsets = given$blocks * given$overlap, overlap = given$overlap, scheme = "resampled"
    )
    scale <- statistic$noiseAccuracy / log(1 / statistic$alpha)
    expect_equal(scale, row$value / given$overlap, tolerance = 1e-12)
  }
})

test_that("incompatible arguments raise errors", {
  user <- function(...) {
    args <- utils::modifyList(list(innerFun = max, outputRange = c(0, 1)), list(...))
    do.call(aggregate_of, args)
  }
  expect_refused(user(aggregationFun = "Midrange"), "aggregationFun")
  expect_refused(user(aggregationFun = "Median", numSubsets = 1), "numSubsets")
  expect_refused(user(aggregationFun = "TrimmedMean", trim = 0.5), "trim")
  expect_refused(
    do.call(dpSampleAndAggregate, list(
      innerFun = max, outputRange = c(0, 1), aggregationFun = "Median", accuracy = 1,
      mechanism = "mechanismLaplace", numSubsets = 10, varType = "numeric", variable = "x",
      n = 100, rng = c(0, 1)
    )),
    "epsilon"
  )
  expect_refused(user(prob = 2), "prob")
  expect_refused(user(gridPoints = 1), "gridPoints")
  expect_refused(user(scheme = "half"), "scheme")
  expect_refused(user(overlap = 2), "overlap")
  expect_refused(user(scheme = "resampled", overlap = 3), "numSubsets")
  expect_refused(user(scheme = "subsets"), "subsetSize")
  expect_refused(user(scheme = "subsets", subsetSize = 10001), "subsetSize")
  expect_refused(user(rangeMode = "wide"), "rangeMode")
  expect_refused(user(rangeMode = "loose", aggregationFun = "Median"), "rangeMode")
  expect_refused(user(rangeMode = "helper", aggregationFun = "Median"), "rangeMode")
  expect_refused(user(intervalShare = 1), "intervalShare")
  expect_refused(user(intervalShare = 0.5, aggregationFun = "Median"), "intervalShare")
  expect_refused(user(timeLimit = 0), "timeLimit")
  expect_refused(aggregate_of(timeLimit = 1), "timeLimit")
  expect_refused(user(outcomes = c("a", "b")), "outcomes")
  expect_refused(aggregate_of(innerFun = max, aggregationFun = "Mode"), "outcomes")
  expect_refused(
    aggregate_of(innerFun = max, aggregationFun = "Mode", outcomes = c("a", "a")), "outcomes"
  )
  expect_refused(aggregate_of(aggregationFun = "Mode", outcomes = c("a", "b")), "innerFun")
  expect_refused(aggregate_of(variable = c("a", "b")), "variable")
})

# Every aggregator meets every scheme.

schemes <- list(
  partition = list(), resampled = list(scheme = "resampled", overlap = 2),
  subsets = list(scheme = "subsets", subsetSize = 50), labels = list(scheme = "labels")
)

crowd <- data.frame(x = rep(c(39, 40, 40, 40, 41), 200))
test_that("releases at a large loss converge to the aggregate of the blocks, in every scheme", {
  near <- function(scheme, ...) {
    args <- c(schemes[[scheme]], list(
      variable = "x", n = 1000, rng = c(0, 100), numSubsets = 20, epsilon = exact_epsilon, ...
    ))
    exactly(do.call(aggregate_of, args))$release(crowd)$release
  }
  for (scheme in names(schemes)) {
    for (inner in c("mean", "median")) {
      expect_lt(abs(near(scheme, innerFun = inner) - 40), 0.5)
    }
    expect_lt(abs(near(scheme, innerFun = "var") - stats::var(crowd$x)), 0.2)
    user <- function(...) near(scheme, innerFun = function(x) mean(x), ...)
    ranged <- function(...) user(outputRange = c(0, 100), ...)
    for (value in list(
      ranged(), ranged(aggregationFun = "WinsorizedMean"), ranged(aggregationFun = "TrimmedMean"),
      ranged(aggregationFun = "Median"), ranged(aggregationFun = "Quantile", prob = 0.6),
      ranged(rangeMode = "loose"), user(rangeMode = "helper", rangeHelper = function(x) x)
    )) {
      expect_lt(abs(value - 40), 0.5)
    }
    vote <- function(x) if (mean(x) > 30) "high" else "low"
    expect_equal(
      near(scheme, innerFun = vote, aggregationFun = "Mode", outcomes = c("low", "high")), "high"
    )
  }
})

audit_aggregates(list(
  Resampled = list(scheme = "resampled", overlap = 2, numSubsets = 8),
  ResampledMedian = list(
    scheme = "resampled", overlap = 2, numSubsets = 8, aggregationFun = "Median", gridPoints = 11
  ),
  ResampledHelper = list(
    scheme = "resampled", overlap = 2, numSubsets = 8, rangeMode = "helper",
    rangeHelper = function(x) x, gridPoints = 11
  ),
  Subsets = list(scheme = "subsets", subsetSize = 2),
  SubsetsVar = list(scheme = "subsets", subsetSize = 2, innerFun = "var"),
  SubsetsTrimmed = list(
    scheme = "subsets", subsetSize = 2, aggregationFun = "TrimmedMean", trim = 0.3
  ),
  Labels = list(scheme = "labels"),
  LabelsMode = list(
    scheme = "labels", innerFun = max, aggregationFun = "Mode", outcomes = c(0, 1)
  ),
  LabelsWinsorized = list(scheme = "labels", aggregationFun = "WinsorizedMean", gridPoints = 11),
  LabelsHelper = list(
    scheme = "labels", rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 11
  )
))

test_that("D_EPS_1 the audit rejects a mean that forgets the overlap", {
  statistic <- exactly(
    tiny_aggregate(scheme = "resampled", overlap = 4, numSubsets = 16, epsilon = 4)
  )
  first <- releases_of(statistic, c(0, 0, 0, 0))
  expect_gt(audited_loss(first, releases_of(statistic, c(0, 0, 0, 1))), 1)
})

test_that("D_EPS_1 with labels a replaced row is two changes, and may cost twice epsilon", {
  statistic <- tiny_aggregate(scheme = "labels")
  expect_equal(statistic$measurement(d_in = 1L), 1, tolerance = 1e-9)
  expect_equal(statistic$measurement(d_in = 2L), 2, tolerance = 1e-9)
  expect_equal(format(statistic$input_metric), format(symmetric_distance()))
  expect_match(format(statistic), "for one row added or removed", all = FALSE)
  expect_match(format(tiny_aggregate()), "for one replaced row", all = FALSE)
})

test_that("named functions have less noise where one row moves them less, in every scheme", {
  sensitivity <- function(inner, ...) {
    aggregate_of(innerFun = inner, numSubsets = 100, ...)$innerFunSens
  }
  for (inner in c("mean", "median", "var")) {
    m <- 100
    expected <- inner_sensitivities[[inner]](100, m)
    expect_equal(sensitivity(inner, scheme = "resampled", overlap = 1), expected, tolerance = 1e-12)
    expect_equal(
      sensitivity(inner, scheme = "resampled", overlap = 2), inner_sensitivities[[inner]](100, 200),
      tolerance = 1e-12
    )
    expect_equal(sensitivity(inner, scheme = "subsets", subsetSize = m), expected,
      tolerance = 1e-12
    )
  }
  expect_equal(sensitivity("mean", scheme = "labels"), 50)
  expect_equal(sensitivity("median", scheme = "labels"), 50)
  expect_equal(sensitivity("var", scheme = "labels"), 1e4 * 100 / (4 * 99), tolerance = 1e-12)
  expect_equal(aggregate_of(scheme = "labels", innerFunSens = 50)$sens, 5)
  expect_refused(aggregate_of(scheme = "labels", innerFunSens = 51), "innerFunSens")
})

test_that("named functions in any scheme are those of a partition, on the same blocks", {
  data <- PUMS5extract10000
  for (inner in c("mean", "median", "var")) {
    one <- function(...) {
      exact_aggregate(data, innerFun = inner, numSubsets = 1, variable = "age", ...)
    }
    partition <- one()
    expect_equal(one(scheme = "resampled"), partition, tolerance = 1e-9)
    expect_equal(one(scheme = "subsets", subsetSize = 10000), partition, tolerance = 1e-9)
    expect_equal(one(scheme = "labels"), partition, tolerance = 1e-9)
  }
})

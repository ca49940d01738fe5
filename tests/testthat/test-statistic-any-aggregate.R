# Every aggregator with every scheme.

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

test_that("D_EPS_1 with labels a replaced row is two changes, and may cost twice epsilon", {
  statistic <- tiny_aggregate(scheme = "labels")
  expect_equal(statistic$measurement(d_in = 1L), 1, tolerance = 1e-9)
  expect_equal(statistic$measurement(d_in = 2L), 2, tolerance = 1e-9)
  expect_equal(format(statistic$input_metric), format(symmetric_distance()))
  expect_match(format(statistic), "for one row added or removed", all = FALSE)
  expect_match(format(tiny_aggregate()), "for one replaced row", all = FALSE)
})

test_that("named functions have less noise if one row moves them less, in every scheme", {
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

test_that("named functions in any scheme equal those of a partition on the same blocks", {
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

promised_aggregate <- function(...) {
  with_features("honest-but-curious", aggregate_of(
    innerFun = function(x) if (x[[1]] > 50) stop() else 0, outputRange = c(0, 1), ...
  ))
}

test_that("a promise does not cover a block that fails or is empty", {
  local_untried()
  for (scheme in c("partition", "labels")) {
    statistic <- promised_aggregate(
      scheme = scheme, n = 1, numSubsets = 1, innerFunSens = 0.01
    )
    expect_identical(statistic$innerFunSens, 0.5)
    # The failure moves the result by a half. Noise in proportion to the promise would reveal this.
    expect_equal(statistic$accuracy, laplaceGetAccuracy(0.5, 1))
  }
  expect_identical(promised_aggregate(innerFunSens = 0.75)$innerFunSens, 0.75)
  expect_identical(promised_aggregate(innerFunSens = 7)$innerFunSens, 1)
})

test_audits(list(
  `a promise on one row that fails and one that does not` = list(
    make = function(excess) {
      promised_aggregate(
        scheme = "partition", variable = "x", n = 1, numSubsets = 1, innerFunSens = 0.01,
        epsilon = 2 * excess
      )
    },
    data = list(data.frame(x = 0), data.frame(x = 100)), draws = 12000,
    evidence = entry(1)
  )
))
test_that("a result whose loss relies on a promise says so, in print and in JSON", {
  local_untried()
  statistic <- promised_aggregate(innerFunSens = 0.75)
  result <- released(statistic)
  expect_identical(result$unverified, "innerFunSens")
  expect_match(format(result), "unverified +innerFunSens +an unchecked promise", all = FALSE)
  node <- jsonlite::parse_json(release2json(statistic))$`dp-releases`[[1]]
  expect_identical(node$privacyLoss$unverified, list("innerFunSens"))
  expect_null(node$postprocess$unverified)

  checked <- aggregate_of(innerFun = function(x) 0, outputRange = c(0, 1))
  expect_null(released(checked)$unverified)
  plain <- jsonlite::parse_json(release2json(checked))$`dp-releases`[[1]]
  expect_null(plain$privacyLoss$unverified)
})

test_that("ranges of more steps than doubles can count keep the promised loss", {
  withr::local_seed(5)
  for (i in 1:40) {
    epsilon <- stats::runif(1)
    wide <- aggregate_of(
      innerFun = max, scheme = "resampled", overlap = 5, numSubsets = 40, n = 100,
      outputRange = c(-1, 1) * stats::runif(2, 0.1, 1), epsilon = epsilon
    )
    expect_lte(wide$measurement(d_in = 1L), epsilon)
    expect_gt(wide$measurement(d_in = 1L), epsilon * (1 - 1e-9))
  }
})

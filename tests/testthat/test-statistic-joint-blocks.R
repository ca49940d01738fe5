# Means and medians without failed blocks, and population intervals, both from joint releases.

joint <- function(..., innerFun = function(x) if (x == 1) stop("no") else 2 * x) {
  tiny_aggregate(..., innerFun = innerFun)
}

released_on <- function(statistic, x) statistic$release(data.frame(x = x))

within_ends <- function(x, ends) x >= ends[[1]] && x <= ends[[2]]

plan_inside <- function(statistic) statistic$.__enclos_env__$private$.plan

test_that("a mean over working blocks is the mean of their results, and counts the others", {
  for (interval in c("noise", "population")) {
    # Even with little noise, an interval misses the mean with probability alpha.
    exact <- exactly(joint(failures = "drop", interval = interval, epsilon = 1e9, alpha = 1e-11))
    result <- released_on(exact, c(0.1, 1, 0.3, 1))
    expect_equal(result$release, 0.4, tolerance = 1e-6)
    expect_identical(result$nFailed, 2)
    expect_identical(result$nFailedAccuracy, 0)
    expect_identical(result$status, "ok")
    expect_true(result$interval[[1]] <= 0.4 && result$interval[[2]] >= 0.4)
    # Results outside the range are moved to its end.
    expect_equal(released_on(exact, c(0.9, 0.9, 1, 0.9))$release, 1, tolerance = 1e-6)
  }
  expect_equal(result$blockVariance, var(c(0.2, 0.6)), tolerance = 1e-5)
})

test_that("without drop a failure is the middle, and the variance covers all blocks", {
  exact <- exactly(joint(interval = "population", epsilon = 1e9))
  result <- released_on(exact, c(0.1, 1, 0.3, 1))
  expect_equal(result$release, mean(c(0.2, 0.5, 0.6, 0.5)), tolerance = 1e-6)
  expect_equal(result$blockVariance, var(c(0.2, 0.5, 0.6, 0.5)), tolerance = 1e-5)
  expect_null(result[["nFailed"]])
  named <- exactly(tiny_aggregate(interval = "population", epsilon = 1e9))
  result <- released_on(named, c(0, 0.25, 0.5, 1))
  expect_equal(result$release, mean(c(0, 0.25, 0.5, 1)), tolerance = 1e-6)
  expect_equal(result$blockVariance, var(c(0, 0.25, 0.5, 1)), tolerance = 1e-5)
})

test_that("a block with one missing number among several has failed as a whole", {
  exact <- exactly(aggregate_of(
    innerFun = function(x) c(x, if (x == 1) NA else 10 * x), variable = "x", n = 5, numSubsets = 5,
    rng = c(0, 1), outputRange = rbind(first = c(0, 1), second = c(0, 10)), failures = "drop",
    interval = "population", epsilon = 1e9
  ))
  result <- exact$release(data.frame(x = c(0.2, 1, 0.4, 0.6, 0.8)))
  expect_equal(result$release, c(first = 0.5, second = 5), tolerance = 1e-6)
  expect_identical(result$nFailed, 1)
  expect_identical(dim(result$samplingInterval), c(2L, 2L))
})

test_that("if all blocks fail the status says so, and the interval is the range", {
  for (interval in c("noise", "population")) {
    # Noise makes failures look like working blocks with probability at most alpha / 4.
    statistic <- joint(
      failures = "drop", interval = interval, n = 200, numSubsets = 200, alpha = 1e-11
    )
    result <- released_on(statistic, rep(1, 200))
    expect_identical(result$status, "failed")
    expect_identical(result$release, NA_real_)
    expect_identical(as.double(result$interval), c(0, 1))
    expect_gt(result$nFailed, 100)
    expect_true(is.na(result$accuracy))
  }
  expect_identical(result$samplingInterval, c(0, 1))
  expect_match(format(result), "status +failed", all = FALSE)
})

test_that("a median leaves out the failed blocks", {
  of_blocks <- function(failures) {
    exact <- exactly(joint(
      failures = failures, aggregationFun = "Median", gridPoints = 11, n = 9, numSubsets = 9,
      epsilon = 1e9
    ))
    released_on(exact, c(rep(0.05, 3), rep(1, 6)))$release
  }
  expect_equal(of_blocks("drop"), 0.1)
  # Counted as the middle they would be the majority, and all candidates above 0.1 up to it would be
  # better.
  expect_gt(of_blocks(NULL), 0.15)
  counted <- exactly(joint(
    failures = "drop", aggregationFun = "Median", failureShare = 0.05, epsilon = 1e9
  ))
  expect_identical(released_on(counted, c(0.1, 1, 1, 0.1))$nFailed, 2)
})

# Cost of a replaced row by the scales in the help, over all small datasets. Compares the moments
# without noise.
test_that("D_SEN_1 a replaced row costs at most epsilon, attains it, and mutants are detected", {
  grid <- c(0, 0.125, 0.25, 0.5, 1)
  rows <- as.matrix(expand.grid(rep(list(grid), 2)))
  for (scheme in c("partition", "resampled")) {
    overlap <- if (scheme == "resampled") 2 else 1
    exact <- function(epsilon, ...) {
      joint(failures = "drop", n = 2, numSubsets = 2 * overlap, scheme = scheme, overlap = overlap,
        epsilon = epsilon, ...)
    }
    interval <- if (overlap == 1) "population" else "noise"
    silent <- exactly(exact(1e9, interval = interval))
    moments <- t(apply(rows, 1, function(x) {
      as.double(silent$measurement(arg = read_columns(plan_inside(silent), data.frame(x = x))))
    }))
    scales <- joint_blocks_scales(exact(1, interval = interval)$getFields(), 1)
    half <- 0.5
    units <- c(scales$count, scales$sum * half, if (overlap == 1) scales$square * half^2)
    worst <- function(units) {
      most <- 0
      for (i in seq_len(nrow(rows))) {
        near <- rowSums(rows != rows[rep(i, nrow(rows)), ]) <= 1
        apart <- abs(t(moments[near, , drop = FALSE]) - moments[i, ]) / units
        most <- max(most, colSums(apart))
      }
      most
    }
    expect_lte(worst(units), 1 + 1e-6)
    expect_gte(worst(units), 1 - 1e-6)
    expect_gt(worst(units / c(1, overlap * 1.1, if (overlap == 1) 1)), 1.01)
    for (less in seq_along(units)) {
      expect_gt(worst(replace(units, less, 0.8 * units[[less]])), 1.01)
    }
  }
})

test_that("the reported loss is the map's, for each block of a row", {
  for (options in list(
    list(failures = "drop"), list(interval = "population"),
    list(failures = "drop", interval = "population", scheme = "labels"),
    list(failures = "drop", scheme = "resampled", overlap = 2, numSubsets = 8),
    list(failures = "drop", aggregationFun = "Median")
  )) {
    statistic <- do.call(joint, options)
    expect_identical(statistic$epsilon, statistic$measurement(d_in = 1L))
    expect_lte(statistic$epsilon, 1)
    expect_gt(statistic$epsilon, 1 - 1e-9)
    expect_equal(statistic$measurement(d_in = 2L), 2, tolerance = 1e-9)
  }
})

test_that("the mean has the same noise and accuracy as on its own", {
  plain <- joint()
  for (options in list(
    list(failures = "drop"), list(interval = "population"),
    list(failures = "drop", interval = "population")
  )) {
    expect_identical(do.call(joint, options)$accuracy, plain$accuracy)
  }
  silent <- data.frame(x = rep(0.25, 4))
  sums <- numbers_of(lapply(draw_many(joint(failures = "drop")$measurement, silent, 2000), `[[`, 2))
  # Laplace noise of scale 2 half-widths: cells of equal probability.
  at <- seq(-0.4, 0.4, 0.1)
  ends <- -sign(at) * log(1 - 2 * abs(at))
  expect_true(has_law(as.vector(table(cut(sums, c(-Inf, ends, Inf)))), rep(0.1, 10)))
})

# Rows of a population whose blocks have results with mean 40. A tenth of the blocks fail.
test_that("intervals cover the estimand of the blocks, and the value in the data", {
  local_unguarded()
  rarely <- function(hits, at_least) sum(hits) < least_of(length(hits), at_least)
  results_of <- function(statistic, fails, runs = 1000) {
    replicate(runs, {
      x <- stats::rgamma(200, 4, 0.1)
      x[stats::runif(200) < fails] <- 100
      list(x = x, result = statistic$release(data.frame(x = x)))
    }, simplify = FALSE)
  }
  fails <- function(x) if (x >= 100) NA else x
  of_rows <- function(epsilon, ...) {
    aggregate_of(
      innerFun = fails, outputRange = c(0, 150), variable = "x", n = 200, numSubsets = 200,
      rng = c(0, 100), epsilon = epsilon, interval = "population", ...
    )
  }
  # The range cuts the gamma law at 100, where rows fail: 1 in 100.
  population <- stats::integrate(function(x) x * stats::dgamma(x, 4, 0.1), 0, 100)$value /
    stats::pgamma(100, 4, 0.1)
  for (epsilon in c(0.5, 2.9)) {
    found <- results_of(of_rows(epsilon, failures = "drop"), 0.1)
    hits <- vapply(found, function(f) within_ends(population, f$result$samplingInterval), NA)
    expect_false(rarely(hits, 0.93), label = paste("population at", epsilon))
    of_data <- vapply(found, function(f) {
      within_ends(mean(f$x[f$x < 100]), f$result$interval)
    }, NA)
    expect_false(rarely(of_data, 0.95), label = paste("data at", epsilon))
    counted <- vapply(found, function(f) {
      abs(f$result$nFailed - sum(f$x >= 100)) <= f$result$nFailedAccuracy
    }, NA)
    expect_false(rarely(counted, 0.95), label = paste("failures at", epsilon))
    # The same check rejects an interval for a different mean.
    moved <- vapply(found, function(f) within_ends(60, f$result$samplingInterval), NA)
    if (epsilon > 1) expect_true(rarely(moved, 0.93))
  }
  for (scheme in c("partition", "labels")) {
    statistic <- aggregate_of(
      innerFun = "median", variable = "x", n = 1000, numSubsets = 100, rng = c(0, 100),
      interval = "population", scheme = scheme, epsilon = 1
    )
    hits <- replicate(1000, {
      x <- stats::rnorm(1000, 50, 15)
      within_ends(50, statistic$release(data.frame(x = x))$samplingInterval)
    })
    expect_false(rarely(hits, 0.93), label = scheme)
  }
})

test_that("the interval costs nothing, and is narrower than one with a share", {
  width <- function(...) {
    statistic <- aggregate_of(
      innerFun = "median", variable = "age", numSubsets = 200, epsilon = 1, ...
    )
    stats::median(replicate(50, diff(statistic$release(PUMS5extract10000)$samplingInterval)))
  }
  expect_lt(width(interval = "population"), 0.75 * width(intervalShare = 0.3))
})

test_that("conflicting arguments raise errors that name them", {
  own <- function(...) aggregate_of(innerFun = max, outputRange = c(0, 1), ...)
  expect_refused(own(failures = "count"), "failures")
  expect_refused(own(interval = "sampling"), "interval")
  expect_refused(aggregate_of(failures = "drop"), "failures")
  for (aggregator in c("TrimmedMean", "WinsorizedMean")) {
    expect_refused(own(failures = "drop", aggregationFun = aggregator), "failures")
    expect_refused(own(interval = "population", aggregationFun = aggregator), "interval")
  }
  expect_refused(own(failures = "drop", intervalShare = 0.2), "failures")
  expect_refused(own(failures = "drop", rangeMode = "loose"), "failures")
  expect_refused(own(failures = "drop", failureShare = 0.1), "failureShare")
  expect_refused(own(interval = "population", intervalShare = 0.2), "interval")
  expect_refused(own(interval = "population", aggregationFun = "Median"), "interval")
  expect_refused(own(interval = "population", numSubsets = 1), "interval")
  expect_refused(
    own(interval = "population", scheme = "resampled", overlap = 2), "interval"
  )
  expect_refused(
    with_features("honest-but-curious", own(failures = "drop", innerFunSens = 0.5)), "innerFunSens"
  )
  # Empty blocks of labels fail, whatever the function.
  labels <- aggregate_of(scheme = "labels", failures = "drop", innerFun = "median")
  expect_identical(labels$failures, "drop")
})
